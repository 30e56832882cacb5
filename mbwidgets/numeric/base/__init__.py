"""What every room of `numeric` needs: outcomes in words, arguments from outside, rotations, named columns, tolerances.

Plain Python and NumPy; imports no other room.
"""

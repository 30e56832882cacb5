"""Chains of rigid bodies that turn about the vertical: permanent rotations, the Staude cone, growth rates, branches.

Paper 4 in numbers. Imports `motion` and what lies below.
"""

"""Words and formulae for people: LaTeX in HTML, readable numbers, what is said of a rotation, entries of tensors.

Imports `base`.
"""

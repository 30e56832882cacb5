"""Mechanics at one state, for Python: `Dynamics`, the constraints' Jacobian, rank and null space, bodies' equations.

Imports `packing`, `kernels`, `engines`, `base`.
"""

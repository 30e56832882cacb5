"""How kernels are run: compiled by numba, or as the plain Python that they are.

`jit` holds the decorators and the cache of compiled code, `warm` compiles before the first use with a line that shows
how far it is. Imports nothing of `numeric`, but that `warm` names the kernels that it compiles.
"""

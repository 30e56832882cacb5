"""From a model to the flat array that kernels read: numbers, tables, programs of expressions.

Imports `kernels` for the layout, and `base`.
"""

"""Pages that live without a kernel: states of widgets at every node of a grid, packed, with the page's JavaScript.

Imports `progress`, and no widget of ours.
"""

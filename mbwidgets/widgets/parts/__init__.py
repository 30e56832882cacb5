"""The pieces of a view, each with its JavaScript and its style: sliders, tables, plots, maps, boxes, the health line.

Imports `edit`, `text`, `base`; never a view.
"""

"""Vectors that can be drawn, as data: a name, a symbol, a unit, a colour, a place and a function each.

`registry` holds them; arrows, tables and menus read it and nothing else. Imports `look`.
"""

"""Widgets for the notebook: the Explorer, a view for each paper, and the pieces that they are made of.

Rooms, each importing only those after it: `views`, `parts`, `edit`, `text`, `base`.
"""

"""Widgets for the notebook: the Explorer and the pieces that it is made of."""

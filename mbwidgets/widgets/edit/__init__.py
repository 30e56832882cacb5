"""Places in a model that a slider can move: how each is read, and how a new model is written.

Imports `text` and `base`.
"""

"""`Formula`, the one type that every symbolic result has: its numbers, its written forms, its names.

Imports `code` and `ring`.
"""

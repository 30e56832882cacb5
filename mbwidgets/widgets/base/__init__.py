"""What every widget needs: a life that ends cleanly, work that waits its turn, undo and redo, motions from a thread.

Imports no other room.
"""

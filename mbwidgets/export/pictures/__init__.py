"""Pictures and films of a motion, drawn without a browser by a small software renderer.

Imports `progress`, and the scene for what things look like.
"""

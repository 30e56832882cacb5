"""The stage and the picture on it: camera, light, ground, framing, and a mechanism that is updated in place.

Imports all other rooms.
"""

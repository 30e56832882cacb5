"""What things look like: colours, geometries, bodies, joints, arrows, labels, marks, trails, the Staude cone.

Imports no other room.
"""

"""What things look like: colours, geometries, bodies, joints, arrows, labels, marks, trails, the Staude cone.

What is seen is data (`shapes`, `joints`, `arrow_shape`, `cone_shape`, `extras`, `surfaces`, `palette`); the other
modules make three.js objects of it. Imports no other room.
"""

"""What things look like: colours, geometries, bodies, joints, arrows, labels, marks, trails, the Staude cone.

What is seen is data: `shell` and its forms (`forms`, `sweeps`), bodies and joints made of them (`nodes`, `links`,
`body_shells`, `joints`, `piercing`, `paint`), `shapes`, `arrow_shape`, `cone_shape`, `extras`, `surfaces`, `palette`;
the other modules make three.js objects of it. Imports no other room.
"""

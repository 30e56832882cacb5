"""The stage and the picture on it: camera, light, ground, framing, and a mechanism that is updated in place.

`composition` says as data what is seen, of `framing`, `setting`, `viewpoint` and `drawn_arrows`; `stage` and `picture`
make three.js objects of it, `export.pictures` stills. Imports all other rooms.
"""

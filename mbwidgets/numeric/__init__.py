"""The dynamics, compiled: flat arrays, recursive kernels, an integrator that runs inside compiled code.

Rooms, each importing only those after it: `permanent` and `simulation`, `motion`, `states`, `packing` and `steps`,
`kernels`, `engines` and `base`. Of the package it may import `symbolic` and what lies below, and nothing of a display.
"""

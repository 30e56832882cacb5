"""A motion, and all that can be read from its frames: energies, reactions and their parts, multipliers, rotators,
released joints, spectra.

Imports `states`, `packing`, `kernels`, `base`; knows nothing of how a motion is computed.
"""

"""A motion, and all that can be read from its frames: energies, reactions and their parts, multipliers, rotators,
released joints, spectra; and what is asked of it between them: `asking` has the questions, `dense_output` the states,
`signals`, `resolved_signal` and `extrema` the answers, `joined` and `motion_file` what follows and what is kept.

Imports `states`, `packing`, `kernels`, `base`; knows nothing of how a motion is computed.
"""

"""Steps through time inside compiled code: DOP853 and RK4, error scale, singular positions, events, inputs of time.

`stepper` accepts and rejects steps, `stepper_state` is what survives between two calls of it. Imports `kernels`,
`engines`, `base`.
"""

"""The dynamics, compiled: flat arrays, recursive kernels, an integrator that runs inside compiled code."""

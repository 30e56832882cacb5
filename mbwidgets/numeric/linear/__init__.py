"""Small motions about a state: `linearise`, and the poses of rest that one linearises about, `equilibrium`.

Imports what computes states and motions; nothing in `simulation` or `permanent` imports it.
"""

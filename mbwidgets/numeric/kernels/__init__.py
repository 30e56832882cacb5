"""The mechanics as compiled kernels: plain floats and views of two flat arrays, in a small subset of Python.

`memory_layout` says which number of a model and of a data stands where. Trees: `kinematics`, `loads`, `articulated`
(forward dynamics), `composite` (mass matrix), `newton_euler` (inverse dynamics, reactions), `opened_joint` (a released
joint). Constraints: `constraint_equations` (Φ and its Jacobian), `saddle_point` (the KKT system),
`constrained_derivative` (projection and accelerations), `project_frames`, `constrained_reactions`. `expression_vm` runs
expressions of t, q, u; `entry_points` are the kernels that Python calls. A kernel imports `engines`, `base` and other
kernels, and no object of Python's side.
"""

"""From a model and a start to a motion: `simulate`, its problem, its inputs and controllers, its integrators, its
consistent start, its diagnosis, and its steps once more, `retrace`.

Above `motion`, which it makes; imports all rooms but `permanent`.
"""

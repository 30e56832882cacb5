"""From a model and a start to a motion: `simulate`, its problem, its integrators, its consistent start, its diagnosis.

Above `motion`, which it makes; imports all rooms but `permanent`.
"""

"""What must survive between two calls of the compiled stepper: which number stands where in its small arrays."""

from __future__ import annotations

# control: time, step, end, tolerances, first frame's time, time between frames, the last step's start and size, how
# clear of a singular position the constraints are, when they will meet one, the step before it came near, and by how
# much more a step across may err, which grows each time that it is tried
TIME, STEP, END, RTOL, ATOL, START, SPACING, OLD_TIME, OLD_STEP, CLEARANCE, CROSSING, CRUISE, SLACK = range(13)
CONTROL_SIZE = 13
# counters: evaluations, where to pause, steps accepted and rejected, next frame, last frame, frames in the buffer,
# is the first stage known, is the last step still being written, method, signs of stiffness and against it, watch
# for stiffness, row of the body at fault, events found, steps rejected since the last that was accepted
(
    EVALUATIONS,
    PAUSE,
    ACCEPTED,
    REJECTED,
    FRAME,
    LAST_FRAME,
    WRITTEN,
    FRESH,
    PENDING,
    METHOD,
    STIFF_SIGNS,
    CALM_SIGNS,
    WATCH,
    FAULT,
    EVENTS,
    REFUSED,
) = range(16)
COUNTER_SIZE = 16
DOP853, RK4 = 0, 1

DONE, PAUSED, FULL, EVENT, STIFF, TOO_SMALL, NOT_FINITE, SINGULAR = range(8)
"""What `advance` returns."""

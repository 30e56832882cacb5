"""What must survive between two calls of the compiled stepper: which number stands where in its small arrays."""

from __future__ import annotations

# control: time, step, end, tolerances, first frame's time, time between frames, the last step's start and size, how
# clear of a singular position the constraints are, when they will meet one, the step before it came near, and by how
# much more a step across may err, which grows each time that it is tried; how much of the tolerance rounding needs, the
# last step that was rejected since one was accepted and its error; in the search for events: the part of the step that
# has been searched, the width of the last piece, the part at which an event stops the motion (2: none), the
# largest that the signal was in the step where it was resolved; of the implicit method: the step that its systems are
# factored for, and the last accepted step since a rejection with its error
(
    TIME,
    STEP,
    END,
    RTOL,
    ATOL,
    START,
    SPACING,
    OLD_TIME,
    OLD_STEP,
    CLEARANCE,
    CROSSING,
    CRUISE,
    SLACK,
    BLUR,
    TRIED_STEP,
    TRIED_ERROR,
    PLACE,
    WIDTH,
    STOP,
    LARGEST,
    FACTORED_STEP,
    FORMER_STEP,
    FORMER_ERROR,
) = range(23)
CONTROL_SIZE = 23
# counters: evaluations, where to pause, steps accepted and rejected, next frame, last frame, frames in the buffer,
# is the first stage known, what is left to do of the last step, method, signs of stiffness and against it, watch
# for stiffness, row of the body at fault, events found, row of the table of largest steps; in the search for events:
# the signal, the row of its table, and the pieces that were looked at; steps rejected since one was accepted; of the
# implicit method: what its Jacobian is, whether the last step foretells the next, iterations of the last step
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
    ROW,
    SIGNAL,
    SIGNAL_ROW,
    PIECES,
    REFUSED,
    JACOBIAN,
    EXTRAPOLATES,
    ITERATIONS,
) = range(23)
COUNTER_SIZE = 23
NOTHING, SEARCH, WRITE, WRITE_AND_STOP = range(4)
"""What is left to do of the last step: all, its frames, its frames and then the event that stops the motion."""
DOP853, RK4, RADAU = 0, 1, 2

DONE, PAUSED, FULL, EVENT, STIFF, TOO_SMALL, NOT_FINITE, SINGULAR, UNRESOLVED = range(9)
"""What `advance` returns."""

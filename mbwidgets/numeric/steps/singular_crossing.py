"""Steps near singular positions of constraints: foreseen by the fall of their clearance, and leapt over.

In an isolated singular position two branches of the constraints meet: the accelerations are not determined there, and
rounding in them grows as 1/clearance² nearby. A step that has it between two of its stages crosses on the branch of
the motion, since its polynomial knows one branch only.
"""

from __future__ import annotations

from ..engines.kernel import kernel
from .stepper_state import CLEARANCE, CROSSING, CRUISE, OLD_STEP, RTOL, SLACK, STEP, TIME

GAP = 0.467
"""Middle of the widest gap between stages of DOP853, 0.34 … 0.6 of a step."""
ALLOWANCE = 10.0
"""By how much more a step across may err where rounding is all that its error is made of."""
CALM = 0.02
"""Clearance above which the stages of a step need not be brought to the constraints."""


@kernel
def predict_singular_time(control, clear):
    """When the constraints will be in a singular position, by the line through their last two clearances."""
    fall = control[CLEARANCE] - clear
    control[CROSSING] = control[TIME] + clear * control[OLD_STEP] / fall if fall > 0.0 else -1.0
    control[CLEARANCE] = clear


@kernel
def far_from_singularity(control):
    """Whether the constraints are clear of a singular position, and will be to the end of the next step."""
    ahead = control[CROSSING] - control[TIME]
    return control[CLEARANCE] > CALM and not 0.0 < ahead < 2.0 * control[STEP]


@kernel
def roundoff_dominates(control, clear):
    """Whether rounding, which grows as 1/clearance² near a singular position, can be seen at the tolerance."""
    return control[RTOL] * clear * clear < 1e-15


@kernel
def step_across_singularity(control, h):
    """The step to take where h is wanted: one that has a singular position ahead inside the widest gap between stages.

    Stages next to it would amplify rounding; between them it is crossed on the branch of the motion. DOP853 has no
    stage from 0.34 to 0.6 of a step. Where rounding already spoils the estimate of errors, that step is taken at once.
    """
    ahead = control[CROSSING] - control[TIME]
    if not 0.0 < ahead < (1.0 + GAP) * control[CRUISE]:
        control[CRUISE] = h
    elif (
        ahead < GAP * control[CRUISE]
        and ALLOWANCE * control[SLACK] * control[RTOL] < 1e-7
        and (h < 0.3 * control[CRUISE] or roundoff_dominates(control, control[CLEARANCE]))
    ):
        return ahead / GAP
    if ahead <= 0.0 or ahead >= (1.0 + GAP) * h or GAP - 0.06 <= ahead / h <= GAP + 0.06:
        return h
    return ahead - GAP * h if ahead > GAP * h else ahead / GAP


@kernel
def error_allowance_across(control):
    """How much larger an error may be in a step across a singular position where rounding is all that it is made of."""
    ahead = control[CROSSING] - control[TIME]
    if not 0.0 < ahead < control[STEP]:
        return 1.0
    nearest = control[CLEARANCE] / ahead * 0.13 * control[STEP]
    return control[SLACK] * (ALLOWANCE if roundoff_dominates(control, nearest) else 1.0)

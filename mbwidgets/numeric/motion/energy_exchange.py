"""What energy a motion exchanges, or could: the measure of its energy drift."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...model.model import Model
from ..kernels import memory_layout as layout
from ..packing.pack import Packed
from ..states.constraint_system import Slides

__all__ = ["energy_exchange_scale", "energy_rounding_error"]

UNIT_ROUNDOFF: Final = 2.0**-53
"""Half the distance from 1 to the next double: the largest relative error of one rounding."""
STAGES: Final = {"rk4": 4}
STAGES_OF_A_STEP: Final = 12
"""Evaluations in a step; of the other methods some twelve."""
PLACES: Final = 8
"""Roundings in the place of a mass centre, for each body of the chain that carries it: a turn, a lever, a sum."""


def energy_rounding_error(energy: float, bodies: int, evaluations: int, method: str) -> float:
    """What rounding may do to an energy balance whose terms are so large, J: once a step, and in reading the energies.

    Once a step, always the same way: a held mechanism creeps by less than the last digit of its coordinates, which
    then stay where they are while the work goes on.
    """
    return UNIT_ROUNDOFF * energy * (evaluations / STAGES.get(method, STAGES_OF_A_STEP) + PLACES * bodies)


def energy_exchange_scale(model: Model, packed: Packed, q: np.ndarray, potential: np.ndarray) -> float:
    """The part that does not vanish for a mechanism that stands still: Σ m_i |g| ℓ_i, ℓ_i the reach of body i.

    Its reach is the way from its first joint to its mass centre, straightened, and what its slides covered in the
    frames q (frames, nq), or the longest length of the mechanism where they stood still, or how far out they stood
    where it has no length. Without gravity it is the energy of the springs, Π (frames,).
    """
    gravity = float(np.linalg.norm(packed.model[layout.GRAVITY : layout.EQUATIONS]))
    if gravity == 0.0:
        return float(abs(potential).max(initial=0.0))
    bodies = packed.tables.body
    arms, centres = (np.linalg.norm(bodies[:, k : k + 3], axis=1) for k in (layout.AT, layout.COM))
    longest = max(arms.max(initial=0.0), centres.max(initial=0.0))
    slides, covered = Slides.of(model), np.ptp(q, axis=0) if len(q) else np.zeros(model.nq)
    reach, total = np.zeros(len(bodies)), 0.0
    for row, index in enumerate(packed.order):
        parent, own = int(bodies[row, layout.PARENT]), slice(model.q_offsets[index], model.q_offsets[index + 1])
        if parent >= 0:
            reach[row] = reach[parent] + arms[row]
        if slides.q[own].any():
            out = longest or float(abs(q[:, own][:, slides.q[own]]).max(initial=0.0))
            reach[row] += max(float(np.linalg.norm(covered[own][slides.q[own]])), out)
        total += bodies[row, layout.MASS] * gravity * (reach[row] + centres[row])
    return float(total)

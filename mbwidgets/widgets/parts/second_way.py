"""A second way to a number: the kinetic energy by the exact metric, which shares no code with the kernels."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...errors import MbwidgetsError
from ...model.model import Model
from ...numeric.motion.motion import Motion
from ...numeric.packing.formula_programs import FormulaProgram, formula_program
from ...symbolic import covariant

__all__ = ["formula_difference", "kinetic_program"]

FEW_BODIES: Final = 6
"""Bodies up to which the exact metric is derived in some milliseconds."""


def kinetic_program(model: Model) -> FormulaProgram | None:
    """½ a_αβ u^α u^β as a program; None where it is not derived: of many bodies, under constraints, on balls."""
    if len(model.bodies) > FEW_BODIES:
        return None
    try:
        found = formula_program(covariant(model).kinetic_energy, model.nq, model.nv)
    except MbwidgetsError:
        return None
    # a letter that the model does not know, as a multiplier
    return found if all(name in model.parameters for name in found.parameters) else None


def formula_difference(motion: Motion) -> float | None:
    """max |T_kernel − T_formula| over the frames, relative to max |T_kernel|; None where there is no formula."""
    program = kinetic_program(motion.model)
    if program is None:
        return None
    kernel = motion.energy.kinetic
    formula = program.evaluate(motion.q, motion.u, motion.ud, motion.t, motion.model.values)
    most = float(np.abs(kernel).max(initial=0.0))
    apart = float(np.abs(formula - kernel).max(initial=0.0))
    return apart / most if most > 0.0 else apart

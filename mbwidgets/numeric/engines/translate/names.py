"""Names of places and codes that whoever calls kernels from a page must know: one source for Python and JavaScript."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

__all__ = ["names_of_places"]

HOLDERS: Final = {
    "layout": "mbwidgets.numeric.kernels.memory_layout",
    "machine": "mbwidgets.numeric.kernels.expression_vm",
    "recipe": "mbwidgets.numeric.kernels.recipe_steps",
    "pull": "mbwidgets.numeric.kernels.point_pull",
    "assembly": "mbwidgets.numeric.kernels.assembly",
    "cone": "mbwidgets.numeric.kernels.staude_cone",
    "vectors": "mbwidgets.numeric.kernels.body_vectors",
    "stepper": "mbwidgets.numeric.steps.stepper_state",
    "search": "mbwidgets.numeric.steps.event_search",
    "chebyshev": "mbwidgets.numeric.steps.chebyshev",
    "sizes": "mbwidgets.numeric.steps.error_scale",
    "radau": "mbwidgets.numeric.steps.radau",
}
"""By the name that a page knows them by, the modules whose whole constants are such."""
CONSTANTS: Final = {
    "motion": {
        "HALF": "mbwidgets.numeric.simulation.simulate",
        "PATIENCE": "mbwidgets.numeric.simulation.run_compiled",
        "MANY": "mbwidgets.numeric.simulation.initial_value_problem",
        "STALLED": "mbwidgets.numeric.base.tolerances",
        "NEAR_SINGULARITY": "mbwidgets.numeric.base.tolerances",
        "LEAST": "mbwidgets.numeric.steps.error_scale",
    },
    "inputs": dict.fromkeys(
        ("UNSEEN", "NEGLIGIBLE", "DEPTH", "MOST", "JUMP", "SMALLEST_JUMP", "SOON", "DEGREE", "SAMPLES"),
        "mbwidgets.numeric.steps.step_limits",
    ),
    "zeros": dict.fromkeys(("DEPTH", "MOST", "HALVINGS"), "mbwidgets.numeric.steps.input_zeros"),
    "reach": dict.fromkeys(("ENDS", "ACROSS"), "mbwidgets.numeric.steps.step_reach"),
    "page": {"FORMAT": "mbwidgets.numeric.simulation.page_problem"},
    "rotation": {"EQUAL": "mbwidgets.numeric.permanent.rotation_states"},
    "hand": {"NOTICED": "mbwidgets.numeric.simulation.pulling"},
    "horizon": dict.fromkeys(("USUAL", "FINE", "PARTED", "NO_RANGE", "STILL"), "mbwidgets.numeric.motion.horizon"),
    "energy": dict.fromkeys(
        ("UNIT_ROUNDOFF", "STAGES_OF_A_STEP", "PLACES"), "mbwidgets.numeric.motion.energy_exchange"
    ),
    "spectrum": {
        **dict.fromkeys(
            ("LEAST_FRAMES", "SAME_SPACING", "NYQUIST", "MISSED"), "mbwidgets.numeric.motion.pressure_spectrum"
        ),
        **dict.fromkeys(("LEAST", "MOST"), "mbwidgets.numeric.motion.between_frames"),
    },
    "checks": {
        "TRIANGLE_TOLERANCE": "mbwidgets.model.checks",
        "ROUNDING": "mbwidgets.model.checks",
        "PARALLEL": "mbwidgets.model.joints",
        "SMALLEST_QUATERNION": "mbwidgets.model.checks",
        "LARGEST_QUATERNION": "mbwidgets.model.checks",
    },
}
"""By what a page must decide as Python does: constants, and the modules that have them."""


def names_of_places() -> dict[str, dict[str, Any]]:
    """The whole constants of these modules that they define themselves, by holder and name; and the other constants."""
    whole: dict[str, dict[str, Any]] = {
        holder: {
            name: value for name, value in vars(import_module(module)).items() if name.isupper() and type(value) is int
        }
        for holder, module in HOLDERS.items()
    }
    others = {
        holder: {name: getattr(import_module(module), name) for name, module in names.items()}
        for holder, names in CONSTANTS.items()
    }
    return whole | others

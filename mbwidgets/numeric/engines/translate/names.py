"""Names of places and codes that whoever calls kernels from a page must know: one source for Python and JavaScript."""

from __future__ import annotations

from importlib import import_module
from typing import Final

__all__ = ["names_of_places"]

HOLDERS: Final = {
    "layout": "mbwidgets.numeric.kernels.memory_layout",
    "machine": "mbwidgets.numeric.kernels.expression_vm",
    "recipe": "mbwidgets.numeric.kernels.recipe_steps",
    "assembly": "mbwidgets.numeric.kernels.assembly",
    "vectors": "mbwidgets.numeric.kernels.body_vectors",
    "stepper": "mbwidgets.numeric.steps.stepper_state",
    "search": "mbwidgets.numeric.steps.event_search",
    "chebyshev": "mbwidgets.numeric.steps.chebyshev",
    "sizes": "mbwidgets.numeric.steps.error_scale",
    "radau": "mbwidgets.numeric.steps.radau",
}
"""By the name that a page knows them by, the modules whose whole constants are such."""


def names_of_places() -> dict[str, dict[str, int]]:
    """The whole constants of these modules that they define themselves, by holder and name."""
    return {
        holder: {
            name: value for name, value in vars(import_module(module)).items() if name.isupper() and type(value) is int
        }
        for holder, module in HOLDERS.items()
    }

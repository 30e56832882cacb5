"""Balancing a rotor: the mass centre onto the axis, a principal axis along it, and the kinetic pressures vanish."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import ipywidgets
import numpy as np

from ...errors import MbwidgetsError
from ...model.model import Model
from ...numeric.motion.motion import Motion
from ...numeric.packing.traced_numbers import lengths_of
from ...scene.look.palette import QUANTITY
from ...symbolic import balance
from ..base.lifetime import blank_on_error, blank_part
from ..edit.pole_and_axis import PoleAndAxis, joint_axis_or_z
from ..parts.plots import Plot
from ..text.paragraphs import BAD, GOOD
from .vector_view import draw_curves

__all__ = ["LATER", "BalancePanel", "aligned", "can_be_balanced", "centred", "pressure_sizes", "with_two_masses"]

TEXT: Final = (
    "Balancing is for one body on a revolute joint, such as <code>mb.RotatorsView(mb.library.rotor())</code>: "
    "there S = 0 and D = 0 are all that it takes."
)

LATER: Final = "S, D and the largest pressures of other values are computed in the notebook."


def _chosen(model: Model, index: int) -> PoleAndAxis:
    return PoleAndAxis(model, index, (0.0, 0.0, 0.0), joint_axis_or_z(model, index))


def can_be_balanced(model: Model) -> bool:
    """Whether the mechanism is one rotor."""
    return len(model.bodies) == 1 and model.bodies[0].joint.type == "revolute"


def centred(model: Model, index: int = 0) -> Model:
    """The model with its mass centre on the axis: S = 0. A parameter that does it is set to zero, if there is one."""
    found = _by_parameter(model, index, lambda chosen: chosen.static_is_zero)
    if found is not None:
        return found
    chosen = _chosen(model, index)
    return model.with_body(index, com=tuple(float(item) for item in (chosen.centre @ chosen.n) * chosen.n))


def aligned(model: Model, index: int = 0) -> Model:
    """The model with the joint's axis a principal axis at O*: D = 0, by J → J − n Dᵀ − D nᵀ or by a parameter."""
    found = _by_parameter(model, index, lambda chosen: chosen.deviation_is_zero)
    if found is not None:
        return found
    chosen = _chosen(model, index)
    tensor = np.array([[model.number(item) for item in row] for row in model.bodies[index].inertia])
    twice = np.outer(chosen.n, chosen.deviation)
    tensor = tensor - (twice + twice.T)
    return model.with_body(index, inertia=tuple(tuple(float(item) for item in row) for row in tensor))


def with_two_masses(model: Model, index: int = 0, radius: float = 0.16) -> Model:
    """The model with a mass in each of two planes, at this radius: S = 0 and D = 0 together."""
    return balance(model, index).balanced(radius)


def _by_parameter(model: Model, index: int, good: Callable[[PoleAndAxis], bool]) -> Model | None:
    """The model with one parameter at zero that makes it good and leaves its mass as it is."""
    if good(_chosen(model, index)):
        return model
    mass = model.number(model.bodies[index].mass)
    for name in model.parameters:
        try:
            trial = model.with_values(**{name: 0.0})
            same = trial.number(trial.bodies[index].mass) == mass
            if same and good(_chosen(trial, index)):
                return trial
        except MbwidgetsError:
            continue
    return None


class BalancePanel(ipywidgets.VBox):
    """Three buttons and what they do to S, D and the kinetic pressures."""

    def __init__(self, player: Any, attempt: Callable[..., None]) -> None:
        self.text, self.plot = ipywidgets.HTML(), Plot(player=player)
        actions: tuple[tuple[str, str, Callable[[Model], Model]], ...] = (
            ("1  mass centre onto the axis", "S = 0: the force vanishes", centred),
            ("2  principal axis onto the axis", "D = 0: the moment vanishes", aligned),
            ("or: two balancing masses", "S = 0 and D = 0 at once", with_two_masses),
        )
        self._row = ipywidgets.HBox([_button(*action, attempt) for action in actions], layout={"grid_gap": "6px"})
        super().__init__([self._row, self.text, self.plot])

    def blank(self, why: str) -> None:
        """Nothing to be balanced, and why."""
        for button in self._row.children:
            button.disabled = True
        for part in (self.text, self.plot):
            blank_part(part, why)

    def show(self, motion: Motion, index: int) -> None:
        """Show how far from balance a motion is."""
        with blank_on_error(self):
            self._show(motion, index)

    def _show(self, motion: Motion, index: int) -> None:
        model = motion.model
        possible = can_be_balanced(model)
        for button in self._row.children:
            button.disabled = not possible
        if not possible:
            self.text.value = f"<p style='margin:4px'>{TEXT}</p>"
        else:
            self.text.value = _state(motion)
        sizes = pressure_sizes(motion, index)
        names, colours = ["|force|, N", "|moment|, N m"], [QUANTITY["pressure"], QUANTITY["pressure moment"]]
        draw_curves(self.plot, motion, "Kinetic pressures on the bearing", "N and N m", names, colours, sizes)


def pressure_sizes(motion: Any, index: int) -> np.ndarray:
    """Lengths of the kinetic pressure's force and moment (frames, 2), of a traced motion too."""
    return lengths_of(motion.reaction_parts(index).pressure.reshape(-1, 2, 3))


def _button(name: str, tooltip: str, change: Callable[[Model], Model], attempt: Callable[..., None]) -> Any:
    button = ipywidgets.Button(description=name, tooltip=tooltip, layout={"width": "auto"})
    button.on_click(lambda _: attempt(change))
    return button


def _state(motion: Motion) -> str:
    """S, D and the largest pressures, as HTML; green where they are gone."""
    chosen = _chosen(motion.model, 0)
    pressure = np.linalg.norm(motion.reaction_parts(0).pressure.reshape(-1, 2, 3), axis=2).max(axis=0)
    # what rounding leaves of a pressure, against what the spin would make of the whole inertia
    spin = float((motion.u**2).max(initial=0.0) + np.abs(motion.ud).max(initial=0.0))
    tiny = 1e-9 * spin * np.trace(chosen.tensor)
    items = (
        ("|S|", float(np.linalg.norm(chosen.static)), "kg m", chosen.static_is_zero),
        ("|D|", float(np.linalg.norm(chosen.deviation)), "kg m²", chosen.deviation_is_zero),
        ("largest force", float(pressure[0]), "N", bool(pressure[0] <= tiny)),
        ("largest moment", float(pressure[1]), "N m", bool(pressure[1] <= tiny)),
    )
    cells = "".join(
        f"<td style='padding:2px 22px 2px 2px'>{name} = <b style='color:{GOOD if gone else BAD}'>"
        f"{value:.{1 if gone else 4}g}</b> {unit}{' ✓' if gone else ''}</td>"
        for name, value, unit, gone in items
    )
    return f"<table style='font-size:13px;margin:6px 0'><tr>{cells}</tr></table>"

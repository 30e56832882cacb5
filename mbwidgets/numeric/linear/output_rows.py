"""Outputs of linear equations: expressions, and points of bodies, as rows over δξ and δu."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ...errors import MbwidgetsError, StateError, shorten
from ...expressions import Expression, Variable, derivative
from ..simulation.inputs import state_expression
from ..states.dynamics import Dynamics
from .kinks import value_at
from .state_slopes import Slopes, turning_of_changes

__all__ = ["OutputRows", "output_rows"]


class OutputRows(NamedTuple):
    """Names of outputs, and their slopes (p, 2 nv) by δξ and δu."""

    names: tuple[str, ...]
    by_state: np.ndarray


def output_rows(slopes: Slopes, outputs: Any) -> OutputRows:
    """The rows of outputs: an expression gives one, a point three."""
    if isinstance(outputs, str) or not isinstance(outputs, Iterable):
        outputs = [outputs]
    names: list[str] = []
    rows: list[np.ndarray] = [np.zeros((0, 2 * slopes.model.nv))]
    for number, output in enumerate(outputs):
        try:
            if isinstance(output, tuple | list):
                found, block = _of_point(slopes, output)
            else:
                found, block = [str(output)], _of_expression(slopes, output)[None]
        except MbwidgetsError as error:
            raise error.at(f"output {number}") from None
        names += found
        rows.append(block)
    return OutputRows(tuple(names), np.vstack(rows))


def _of_expression(slopes: Slopes, given: Any) -> np.ndarray:
    """∂/∂(ξ, u) (2 nv,) of an expression of t, q, u and the parameters."""
    model = slopes.model
    value = state_expression(model, given, f"output {shorten(given)}")
    number, numbers = value_at(model, slopes.q, slopes.u, slopes.t), ("q", "u")
    leaves = set(value.leaves()) if isinstance(value, Expression) else set()
    by_pose, by_rate = np.zeros(model.nq), np.zeros(model.nv)
    for leaf in leaves:
        if isinstance(leaf, Variable) and leaf.kind in numbers:
            number(leaf)
            into = by_pose if leaf.kind == "q" else by_rate
            into[leaf.index] = number(derivative(value, leaf))
    number(value)
    return np.concatenate([by_pose @ slopes.directions, by_rate])


def _of_point(slopes: Slopes, given: Any) -> tuple[list[str], np.ndarray]:
    """Three rows of a point's position or velocity."""
    what, *rest = given
    if what not in ("position", "velocity") or not 1 <= len(rest) <= 2:
        raise StateError(
            f"{shorten(given)} is no output", remedy='give an expression, ("position", body) or ("velocity", body, at)'
        )
    model, dynamics = slopes.model, Dynamics(slopes.model)
    body = model.bodies[model.index(rest[0])].name
    jacobian = dynamics.jacobian(slopes.q, *rest)[:3]
    still = np.zeros_like(jacobian)
    names = [f"{what} of {body}: {axis}" for axis in "xyz"]
    if what == "position":
        return names, np.hstack([jacobian, still])
    return names, np.hstack([_slope_of_velocity(slopes, dynamics, rest), jacobian])


def _slope_of_velocity(slopes: Slopes, dynamics: Dynamics, point: Any) -> np.ndarray:
    """∂v/∂ξ (3, nv) at constant u, exactly: J̇(w) u for a change w of the pose.

    At u̇ = 0 an acceleration is a quadratic form, J̇(u) u; its bilinear form ¼ [a(u + w) − a(u − w)] is
    ½ [J̇(w) u + J̇(u) w]. The two terms are the same but for balls, whose turns do not commute: there they differ by
    J (w × u).
    """
    still, unit = np.zeros(slopes.model.nv), np.eye(slopes.model.nv)
    ahead, behind = (
        dynamics.frame(slopes.q, slopes.u + way, still, *point).acceleration[:, :3] for way in (unit, -unit)
    )
    turned = dynamics.jacobian(slopes.q, *point)[:3] @ turning_of_changes(slopes.model, slopes.u)
    return np.asarray(0.25 * (ahead - behind).T + 0.5 * turned)

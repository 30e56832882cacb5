"""What `EquationsView` shows, computed away from the page: a tensor's map, one entry, the equations, the checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ...numeric.states.dynamics import Dynamics
from ...symbolic.formula.formula import Formula
from ...symbolic.papers.covariant import Covariant
from ..base.lifetime import escape
from .components import TENSORS, Tensor, heatmap_panels, planar_christoffel_definition, prismatic_coordinates
from .numerals import scientific
from .paragraphs import aligned_formulae, displayed_formula, heading_html, note_html, verdict_html
from .typesetting import READABLE

__all__ = ["Entry", "Sheet", "entry_html", "equations_html", "kernel_disagreement", "tensor_heatmap"]

Place = tuple[int, ...]
FRAMES = 24
"""Of a motion, at which formulae and compiled kernels are compared."""


@dataclass(frozen=True)
class Sheet:
    """The map of one tensor: panels for `HeatMap` and a remark."""

    panels: list[dict[str, Any]]
    note: str


@dataclass(frozen=True)
class Entry:
    """One entry: its text in HTML, and its values over a motion."""

    html: str
    symbol: str
    unit: str
    values: np.ndarray


def tensor_heatmap(found: Covariant, key: str, labels: list[str]) -> Sheet:
    """The map of a tensor."""
    tensor = TENSORS[key]
    whole = tensor.derive(found)
    shown = heatmap_panels(tensor, whole, labels)
    counts = np.array([panel["counts"] for panel in shown])
    zeros = int((counts == 0).sum())
    text = f"Terms of each entry, exact and in normal form (s² → 1 − c²): {whole.terms:,} in all; "
    text += f"{zeros} of {counts.size} entries are zero."
    return Sheet(shown, text)


def entry_html(found: Covariant, model: Model, key: str, place: Place, motion: Motion) -> Entry:
    """One entry, with what it is made of, by both routes where there are two."""
    tensor = TENSORS[key]
    chosen = tensor.derive(found)[place]
    unit = tensor.unit(prismatic_coordinates(model), place)
    names = [model.velocity_names[k] for k in place]
    size = "zero" if not chosen else f"{chosen.terms} term{'s' if chosen.terms > 1 else ''}"
    moved = ", ".join(dict.fromkeys(map(escape, names)))
    html = heading_html(f"${tensor.latex(place)}$, {unit}", f"{size} · coordinates of {moved}", tensor.colour)
    html += _routes(found, place) if key == "christoffel" else _single(tensor, place, chosen)
    values = np.broadcast_to(chosen.evaluate(q=motion.q, **model.values), len(motion))
    return Entry(html, tensor.symbol(place), unit, np.asarray(values, dtype=float))


def _single(tensor: Tensor, place: Place, chosen: Formula) -> str:
    html = displayed_formula(tensor.definition(place)) + aligned_formulae([tensor.latex(place)], [chosen])
    plain = chosen.unreduced()
    if plain.terms > chosen.terms:
        html += note_html(
            f"Plain expansion, as the paper prints it: {plain.terms} terms; in normal form {chosen.terms}."
        )
    return html


def _routes(found: Covariant, place: Place) -> str:
    """Γ_αβ,γ from the metric beside Γ_αβ,γ from the planar inertia tensor, and whether they agree exactly."""
    by_metric, by_planar = found.christoffel(), found.christoffel(route="planar")
    name = TENSORS["christoffel"].latex(place)
    columns = [
        heading_html("from the metric")
        + displayed_formula(TENSORS["christoffel"].definition(place))
        + aligned_formulae([name], [by_metric[place]], 56),
        heading_html("from the planar inertia tensor")
        + displayed_formula(planar_christoffel_definition(place))
        + aligned_formulae([name], [by_planar[place]], 56),
    ]
    cells = "".join(f"<div>{text}</div>" for text in columns)
    beside = "display:grid;grid-template-columns:repeat(2,max-content);gap:0 44px;overflow-x:auto"
    agree = by_metric[place] == by_planar[place]
    count = found.n**2 * (found.n + 1) // 2
    everywhere = f"; so for all {count} symbols" if by_metric == by_planar else ""
    text = "the two routes agree: their difference is exactly 0" if agree else "the two routes differ"
    return f"<div style='{beside}'>{cells}</div>" + verdict_html(agree, text + everywhere)


def equations_html(found: Covariant, form: str, row: int | None) -> str:
    """The equations of motion, covariant (5) or contravariant (10): all rows, or one."""
    rows = range(found.n) if row is None else [row]
    if form == "covariant":
        head = r"Q_\alpha = a_{\alpha\beta}\,\ddot q^\beta + \Gamma_{\beta\gamma,\alpha}\,\dot q^\beta \dot q^\gamma"
        head += r" + \frac{\partial\Pi}{\partial q^\alpha} \qquad (5)"
        names = [f"Q_{{{k + 1}}}" for k in rows]
    else:
        head = r"\ddot q^\alpha = a^{\alpha\beta} \Bigl( Q_\beta - \frac{\partial\Pi}{\partial q^\beta} \Bigr)"
        head += r" - \Gamma^\alpha_{\beta\gamma}\,\dot q^\beta \dot q^\gamma \qquad (10)"
        names = [rf"\ddot q^{{{k + 1}}}" for k in rows]
    whole = found.equations(form)
    chosen = [whole[k] for k in rows]
    html = displayed_formula(head) + aligned_formulae(names, chosen)
    if row is None and sum(item.terms for item in chosen) > READABLE:
        html += note_html("Choose one row, or take them all as code.")
    if form == "contravariant":
        html += note_html("With the model's own forces only: Q = 0 beyond them.")
    return html


def kernel_disagreement(found: Covariant, motion: Motion) -> str:
    """How far metric and bias of the formulae are from the compiled kernels, relative, over frames of a motion."""
    model = motion.model
    kernels = Dynamics(model)
    frames = np.unique(np.linspace(0, len(motion) - 1, FRAMES).astype(int))
    q, u, t = motion.q[frames], motion.u[frames], motion.t[frames]
    metric = found.metric.evaluate(q=q, **model.values)
    bias = found.bias.evaluate(q=q, u=u, t=t, **model.values)
    compiled = [kernels.mass_matrix(state) for state in q]
    forces = [kernels.bias(state, speed, time) for state, speed, time in zip(q, u, t, strict=True)]
    off = [_relative(metric, np.array(compiled)), _relative(bias, np.array(forces))]
    good = max(off) < 1e-10
    text = f"the formulae {'agree' if good else 'disagree'} with the compiled kernels along the motion: "
    return verdict_html(
        good, text + f"metric to {scientific(off[0], 0)}, Γq̇q̇ + ∂Π/∂q to {scientific(off[1], 0)}, relative"
    )


def _relative(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).max() / max(float(np.abs(b).max()), 1e-300))

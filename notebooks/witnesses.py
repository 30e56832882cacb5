"""What the validation notebook shows: our numbers beside those of other engines, benchmarks and papers.

Each function computes ours anew and returns a table, or draws a figure. A difference below its bound is a tick; one
above it is printed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown

import mbwidgets as mb

DATA = Path(__file__).parent / "data"
ENGINES = json.loads((DATA / "engines.json").read_text(encoding="utf-8"))
IFTOMM = json.loads((DATA / "iftomm.json").read_text(encoding="utf-8"))
QUANTITIES = {"mass_matrix": ("mass matrix", "s"), "forward": ("accelerations", "o"), "reactions": ("reactions", "^")}
COLOURS = {"Pinocchio": "#0072B2", "MuJoCo": "#D55E00"}
GREY = "#6F7680"


def table(head: list[str], rows: list[list[Any]]) -> Markdown:
    """A table in Markdown, all columns to the left."""
    lines = [head, [":--"] * len(head), *rows]
    return Markdown("\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines))


def verdict(ours: Any, expected: Any, bound: float, scale: float = 1.0) -> str:
    """Whether two arrays agree to a bound, times a scale."""
    difference = float(np.abs(np.asarray(ours) - np.asarray(expected)).max()) / scale
    return f"{bound:.0e} ✓" if difference <= bound else f"**{difference:.1e} ✗**"


def words(name: str) -> str:
    """The name of a mechanism for people."""
    return name.replace("_", " ")


# Two other engines.


def _ours(name: str) -> dict[str, np.ndarray]:
    """Our values in the state that is stored."""
    dynamics, state = mb.Dynamics(getattr(mb.library, name)()), ENGINES["states"][name]
    q, u = np.array(state["q"]), np.array(state["u"])
    ud = dynamics.forward(q, u)
    return {"mass_matrix": dynamics.mass_matrix(q), "forward": ud, "reactions": dynamics.reactions(q, u, ud)}


def _differences(name: str) -> Iterator[tuple[str, str, float]]:
    """Engine, quantity, and the difference relative to the largest value."""
    ours = _ours(name)
    for engine, values in ENGINES["states"][name]["values"].items():
        for key, value in values.items():
            expected = np.array(value)
            yield engine, key, float(abs(ours[key] - expected).max() / abs(expected).max())


def engines(bound: float = 1e-11) -> Markdown:
    """Mass matrix, accelerations and reactions beside both engines."""
    rows = []
    for name in ENGINES["states"]:
        found = list(_differences(name))
        worst = [max(gap for _, other, gap in found if other == key) for key in QUANTITIES]
        judges = ", ".join(ENGINES["states"][name]["values"])
        rows.append([words(name), judges, *(verdict(gap, 0, bound) for gap in worst)])
    return table(["mechanism", "judged by", *(title for title, _ in QUANTITIES.values())], rows)


def engines_figure() -> None:
    """The same differences, as they are."""
    _, axes = plt.subplots(figsize=(10, 3.2), layout="constrained")
    names = list(ENGINES["states"])
    for place, name in enumerate(names):
        for engine, key, gap in _differences(name):
            shift = -0.12 if engine == "Pinocchio" else 0.12
            axes.semilogy(place + shift, max(gap, 2e-17), QUANTITIES[key][1], color=COLOURS[engine], ms=7, alpha=0.8)
    axes.axhline(2**-53, color=GREY, lw=1, ls="--")
    axes.annotate("rounding of a double, 2⁻⁵³", (len(names) - 0.5, 2**-53), ha="right", va="bottom", color=GREY)
    for title, mark in QUANTITIES.values():
        axes.plot([], [], mark, color=GREY, label=title)
    for engine, colour in COLOURS.items():
        axes.plot([], [], "-", lw=5, color=colour, label=engine)
    axes.set_xticks(range(len(names)), [name.replace("_", "\n") for name in names])
    axes.set(ylabel="relative difference", ylim=(1e-17, 1e-11), title="ours against two other engines")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))


def motions(bound: float = 1e-8) -> Markdown:
    """The end of a motion beside Pinocchio's accelerations, integrated by SciPy."""
    rows = []
    for name, end in ENGINES["motions"].items():
        motion = mb.simulate(getattr(mb.library, name)(), duration=end["t"], rtol=1e-12)
        rows.append([words(name), f"{end['t']:g} s", verdict(motion.q[-1], end["q"], bound)])
    return table(["mechanism", "motion", "coordinates at the end agree to"], rows)


# The IFToMM benchmark.


def pendulum() -> mb.Model:
    """A01: a point on a circle."""
    return mb.Model(
        [mb.Body("point", mb.Planar("z"), mass=1, inertia=(1, 1, 1))],
        gravity=(0, -9.81, 0),
        constraints=[mb.DistanceConstraint("point", None, length=1)],
        state={"q": [-1, 0, 0]},
    )


def _squeezer() -> mb.Motion:
    return mb.simulate(mb.library.andrews_squeezer(), duration=IFTOMM["A03"]["ivp"]["t"], rate=2000)


def _bricard() -> mb.Motion:
    return mb.simulate(mb.library.bricard(), duration=2)


def _governor() -> mb.Motion:
    return mb.simulate(mb.library.flyball_governor(), duration=1)


def benchmark(bound: float = 1e-8) -> Markdown:
    """All five problems at the times that have a reference."""
    knee = mb.simulate(mb.library.n_four_bar(2)).point("bar 0", (0, 1, 0)).position[-1, :2]
    end, governor = IFTOMM["A02"]["N2"]["B0"]["10"], _governor()
    squeezer = IFTOMM["A03"]["ivp"]["q"]
    height = IFTOMM["A05"]["values"]["0.5"]["s"]
    found = [
        ("A01 pendulum", "x, y at 2 s", mb.simulate(pendulum(), duration=2).q[-1, :2], IFTOMM["A01"]["xy"]["2"]),
        ("A02 four-bars in a row", "x, y of B0 at 10 s", knee, [end["x"], end["y"]]),
        ("A03 Andrews' squeezer", "seven angles at 0.03 s", _squeezer().q[-1], squeezer),
        ("A04 Bricard's loop", "P3 at 2 s", _bricard().point("rod 3").position[-1], IFTOMM["A04"]["P3"]["2.0"]),
        ("A05 flyball governor", "s at 0.5 s", governor.q[governor.index(0.5), 1:2], [height]),
    ]
    rows = [
        [name, what, ", ".join(f"{x:.8f}" for x in expected[:3]), verdict(ours, expected, bound)]
        for name, what, ours, expected in found
    ]
    return table(["problem", "quantity", "reference", "ours agrees to"], rows)


def benchmark_figure() -> None:
    """Three of the motions, with the published values as dots."""
    _, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.2), layout="constrained")
    squeezer, bricard, governor = _squeezer(), _bricard(), _governor()
    left.plot(1000 * squeezer.t, squeezer.q[:, :2], label=["β", "Θ"])
    left.plot([30, 30], IFTOMM["A03"]["ivp"]["q"][:2], "ko", ms=5, label="test set")
    left.set(title="A03 Andrews' squeezer", xlabel="t / ms", ylabel="angle / rad")
    middle.plot(bricard.t, bricard.point("rod 3").position, label=["x", "y", "z"])
    for time, place in IFTOMM["A04"]["P3"].items():
        middle.plot([float(time)] * 3, place, "ko", ms=5)
    middle.set(title="A04 Bricard's loop, P3", xlabel="t / s", ylabel="place / m")
    right.plot(governor.t, governor.q[:, 1], label="s")
    values = IFTOMM["A05"]["values"]
    right.plot([float(time) for time in values], [value["s"] for value in values.values()], "ko", ms=5)
    right.set(title="A05 governor, the slider", xlabel="t / s", ylabel="s / m")
    for axes in (left, middle, right):
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)


# What the papers print.


def _pin_force() -> np.ndarray:
    """Paper 2: R_σ, R_ξ of the hammer at φ = 0.7, θ = −0.3, φ̇ = 2, θ̇ = −1.5; coordinates are φ and θ − φ."""
    crusher = mb.Dynamics(mb.library.hammer_crusher())
    q, u = np.array([0.7, -1.0]), np.array([2.0, -3.5])
    return crusher.reactions(q, u, crusher.forward(q, u))[1, :2]


def _tilts() -> np.ndarray:
    """Paper 4: two equal rods that turn about the vertical with 5 rad/s, °."""
    inertia = (1 / 12, 1 / 12, 0.0002)
    rods = [mb.Body(f"rod {k}", mb.Spherical(at=(0, 0, -k)), 1, (0, 0, -0.5), inertia) for k in range(2)]
    return np.degrees(mb.relative_equilibrium(mb.Model(rods), 5.0, tilt=(0.9, 1.1)).tilt)


def papers() -> Markdown:
    """Numbers of papers 1, 2, 4 and 5, corrected where they err."""
    state = {"q": [0], "u": [100], "ud": [5]}
    rotor = mb.rotators(mb.library.rotor(), "rotor")["R1(1):S"].contribution.evaluate(**state)
    circle = mb.simulate(mb.library.body_on_circle(), rtol=1e-12).q[-1, :2]
    found = [
        ("1", "kinetic force of a rotor, by hand, N", rotor, [-2000, 1, 0], 1e-9),
        ("2", "pin force R_σ, R_ξ of the hammer crusher, N", _pin_force(), [-33.066098287653, 7.626560319938], 1e-9),
        ("4", "tilts of two rods at 5 rad/s, °", _tilts(), [71.40032, 76.17647], 5e-6),
        ("5", "O₁ on its circle after 10 s, m", circle, [0.4067236113, -0.9135512596], 1e-9),
    ]
    rows = [
        [paper, what, ", ".join(f"{x:.7g}" for x in expected), verdict(ours, expected, bound)]
        for paper, what, ours, expected, bound in found
    ]
    return table(["paper", "quantity", "value", "ours agrees to"], rows)


def formulae() -> Markdown:
    """Formulae of paper 3, compared as formulae."""
    equations = mb.covariant(mb.library.opnchain_manipulator())
    cube = equations.christoffel()
    # formulae are canonical: equal ones are written alike
    found = [
        ("a₄₂", equations.metric[3, 1], "-cos(q[3])*sin(q[4])*(50 + 71*cos(q[4]) + 100*q[2])/20"),
        ("∂Π/∂q⁵", equations.potential_gradient[4], "5*g*cos(q[3])*cos(q[4])"),
        ("Γ₅₅,₂", cube[4, 4, 1], "5*sin(q[3])*sin(q[4])*(1 + 2*q[2])/2"),
    ]
    rows: list[list[Any]] = [
        [name, f"`{printed}`", "the same ✓" if str(ours.factored()) == printed else f"**`{ours}` ✗**"]
        for name, ours, printed in found
    ]
    same = cube == equations.christoffel(route="planar")
    rows.append(["all Γ, by both routes", "the same", "the same ✓" if same else "**not the same ✗**"])
    first = equations.contravariant_metric[0, 0]
    size = f"{first.numerator.terms} over {first.denominator.terms} in normal form"
    rows.append(["a¹¹, terms", "73 over 130", size])
    return table(["", "printed (coordinates counted from 0)", "ours"], rows)


def physics() -> Markdown:
    """Energy drift and constraint residual over ten seconds."""
    rows = []
    for name in ("three_body_arm", "gyroscope", "spinning_top", "walking_figure", "four_bar", "bricard"):
        motion = mb.simulate(getattr(mb.library, name)())
        closed = verdict(motion.constraint_residual, 0, 1e-9) if motion.model.constraints else "–"
        rows.append([words(name), verdict(motion.drift, 0, 1e-8), closed])
    return table(["mechanism, ten seconds", "energy stays to", "loops stay closed to"], rows)

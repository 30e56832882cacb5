"""Exact equations of motion next to SymPy: metric, potential gradient and all Christoffel symbols.

    python -m benchmarks.symbolic_equations            # ours, and SymPy with 20 s a derivation
    python -m benchmarks.symbolic_equations --limit 300

Ours is canonical (equal is identical). SymPy's KanesMethod and LagrangesMethod form the same equations
without any simplification; each of their derivations runs in a process of its own and is stopped at the
limit. Times are seconds of one processor, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks import sympy_peer
from mbwidgets.model.model import Model
from mbwidgets.symbolic.papers.covariant import covariant
from tests.symbolic.mechanisms import general_chain, manipulator


class Case(NamedTuple):
    """A model, the seconds that ours may take, and the family in which it is larger than those before it."""

    name: str
    model: Callable[[], Model]
    target: float
    family: str


CASES = (
    Case("five-axis manipulator", manipulator, 0.020, "paper"),
    Case("3 general axes", lambda: general_chain(3), 0.100, "numbers"),
    Case("4 general axes", lambda: general_chain(4), 0.100, "numbers"),
    Case("5 general axes", lambda: general_chain(5), 0.100, "numbers"),
    Case("6 general axes", lambda: general_chain(6), 0.100, "numbers"),
    Case("7 general axes", lambda: general_chain(7), 0.500, "numbers"),
    Case("3 general axes, all symbolic", lambda: general_chain(3, symbolic=True), 0.050, "symbols"),
    Case("5 general axes, all symbolic", lambda: general_chain(5, symbolic=True), 1.000, "symbols"),
)


def ours(model: Model) -> tuple[int, int]:
    """Everything from a fresh model; terms of the metric and of the Christoffel symbols, each pair once."""
    equations = covariant(model)
    _ = equations.potential_gradient
    a, gamma, n = equations.metric, equations.christoffel(), equations.n
    upper = [(i, j) for i in range(n) for j in range(i, n)]
    return sum(a[i, j].terms for i, j in upper), sum(gamma[i, j].terms for i, j in upper)


def timed_ours(model: Model, seconds: float = 2.0) -> tuple[float, tuple[int, int]]:
    """The best of the repeats that fit into some seconds: other work on the machine only adds."""
    best, since = float("inf"), time.perf_counter()
    while best == float("inf") or time.perf_counter() - since < seconds:
        start = time.process_time()
        equations = covariant(model)
        _ = equations.metric, equations.potential_gradient, equations.christoffel()
        best = min(best, time.process_time() - start)
    return best, ours(model)


def sympy_system(model: Model) -> tuple[Any, ...]:
    """Coordinates, speeds, ground, bodies and weights of a chain in sympy.physics.mechanics."""
    from sympy.physics import mechanics as me

    links = model.elementary()
    q, u, world, origin = sympy_peer.start(len(links))
    frames, points, bodies, loads = [world], [origin], [], []
    for i, link in enumerate(links):
        parent, base = frames[link.parent + 1], points[link.parent + 1]
        frame = me.ReferenceFrame(f"B{i}")
        axis, offset = sympy_peer.vector(parent, link.axis), sympy_peer.vector(parent, link.at)
        if link.kind == "revolute":
            frame.orient_axis(parent, axis, q[i])
            frame.set_ang_vel(parent, q[i].diff() * axis)
        else:
            frame.orient_axis(parent, parent.x, 0)
            offset = offset + q[i] * axis
        point = base.locatenew(f"P{i}", offset)
        point.set_vel(world, _velocity(base, offset, parent, world))
        body, weight = sympy_peer.body(str(i), link, point, frame, world, model.gravity)
        bodies.append(body)
        loads.append(weight)
        frames.append(frame)
        points.append(point)
    return q, u, world, bodies, loads


def _velocity(base: Any, offset: Any, parent: Any, world: Any) -> Any:
    return base.vel(world) + offset.dt(parent) + parent.ang_vel_in(world).cross(offset)


def sympy_kane(model: Model) -> None:
    """Kane's equations, unsimplified: mass matrix and forcing."""
    from sympy.physics import mechanics as me

    q, u, world, bodies, loads = sympy_system(model)
    kinematic = [u[i] - q[i].diff() for i in range(len(q))]
    method = me.KanesMethod(world, q_ind=q, u_ind=u, kd_eqs=kinematic)
    method.kanes_equations(bodies, loads)
    _ = method.mass_matrix, method.forcing


def sympy_lagrange(model: Model) -> None:
    """Lagrange's equations, unsimplified: mass matrix and forcing."""
    from sympy.physics import mechanics as me

    q, _, world, bodies, loads = sympy_system(model)
    energy = sum(body.kinetic_energy(world) for body in bodies)
    method = me.LagrangesMethod(energy, q, forcelist=loads, frame=world)
    method.form_lagranges_equations()
    _ = method.mass_matrix, method.forcing


def shown(seconds: float | None, ours_: float, limit: float) -> str:
    if seconds is None:
        return f"> {limit:g} s, not finished"
    return f"{seconds:8.2f} s, {seconds / ours_:7.0f} x"


def run(quick: bool = False, limit: float = 20.0) -> int:
    """Print the table; the number of targets missed. ``quick`` leaves SymPy out."""
    missed = 0
    timed_ours(manipulator())  # imports
    stuck: set[tuple[str, int]] = set()  # a larger model of the family would not finish either
    figures = [timed_ours(case.model()) for case in CASES]
    print(f"{'':30} {'ours':>10} {'target':>8} {'terms a / Γ':>18}   {'Kane':>24}   {'Lagrange':>24}")
    for number, case in enumerate(CASES):
        seconds, (a, gamma) = figures[number]
        late = seconds > case.target
        peers = ["", ""]
        for column, method in enumerate(() if quick else (sympy_kane, sympy_lagrange)):
            if (case.family, column) in stuck:
                peers[column] = "not tried"
                continue
            peer = sympy_peer.timed(method, case.model, limit)
            peers[column] = shown(peer, seconds, limit)
            if peer is None:
                stuck.add((case.family, column))
            late |= peer is not None and peer < 100 * seconds
        missed += late
        row = f"{case.name:30} {seconds * 1e3:7.1f} ms {case.target * 1e3:5.0f} ms {f'{a:,} / {gamma:,}':>18}"
        print(f"{row}   {peers[0]:>24}   {peers[1]:>24}" + ("   MISSED" if late else ""), flush=True)
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=20, help="seconds for one derivation by SymPy")
    parser.add_argument("--quick", action="store_true", help="leave SymPy out")
    options = parser.parse_args()
    return run(options.quick, options.limit)


if __name__ == "__main__":
    raise SystemExit(main())

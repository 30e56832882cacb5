"""All joint reactions of the three-body arm as formulae, by both methods, next to SymPy.

    python -m benchmarks.symbolic_reactions            # ours, and SymPy with 60 s a derivation
    python -m benchmarks.symbolic_reactions --limit 600

Ours are canonical: the two methods are compared term by term. SymPy's route is KanesMethod with auxiliary speeds,
three of translation and two of rotation a joint, each of which brings one component of a reaction into evidence; it
runs in a process of its own, unsimplified, and is stopped at the limit. Times are seconds of one processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import mbwidgets as mb
from benchmarks import sympy_peer
from mbwidgets.symbolic.mechanics.derivation import _kept
from tests.symbolic.reaction_cases import EXAMPLES, arm_in_letters, chain, states


class Case(NamedTuple):
    """A model and the seconds that ours may take."""

    name: str
    model: Callable[[], mb.Model]
    target: float


CASES = (
    Case("three-body arm, numbers", lambda: chain(EXAMPLES["P1"]["input"]), 0.3),
    Case("three-body arm, all in letters", arm_in_letters, 3.0),
)
FRAMES, BODIES, COMPILED_TARGET = 600, 10, 0.005
FASTER = 100
"""How many times faster than SymPy ours shall be."""


def ours(model: mb.Model) -> list[Any]:
    """Force, moment and effort of every joint by both methods, from a fresh model."""
    _kept.cache_clear()
    found = []
    for method in ("rodrigues", "rotators"):
        for k in range(len(model.bodies)):
            one = mb.reactions(model, k, method)
            found.append((one.force, one.moment, one.effort))
    return found


def timed_ours(model: mb.Model, repeats: int) -> tuple[float, int]:
    """The best time, and the terms of one method's formulae."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        found = ours(model)
        best = min(best, time.process_time() - start)
    half = len(found) // 2
    for one, other in zip(found[:half], found[half:], strict=True):
        assert all(a == b for a, b in zip(one, other, strict=True))
    return best, sum(part.terms for row in found[:half] for part in row)


def sympy_reactions(model: mb.Model) -> tuple[Any, ...]:
    """Kane's auxiliary equations of a chain of revolute joints along its axes x, y, z, and their symbols."""
    from sympy.physics import mechanics as me

    links = model.elementary()
    q, u, world, origin = sympy_peer.start(len(links))
    frames, points, bodies, loads, auxiliary, unknown = [world], [origin], [], [], [], []
    for i, link in enumerate(links):
        parent, base = frames[link.parent + 1], points[link.parent + 1]
        axis, offset = sympy_peer.vector(parent, link.axis), sympy_peer.vector(parent, link.at)
        across = [e for e, part in zip(parent, link.axis, strict=True) if not part]
        slips, tilts = me.dynamicsymbols(f"v{i}_:3"), me.dynamicsymbols(f"w{i}_:2")
        forces, moments = me.dynamicsymbols(f"F{i}_:3"), me.dynamicsymbols(f"M{i}_:2")
        frame = me.ReferenceFrame(f"B{i}")
        frame.orient_axis(parent, axis, q[i])
        tilt = sum((w * e for w, e in zip(tilts, across, strict=True)), 0 * parent.x)
        frame.set_ang_vel(parent, u[i] * axis + tilt)
        seat, pin = base.locatenew(f"S{i}", offset), base.locatenew(f"P{i}", offset)
        seat.set_vel(world, base.vel(world) + parent.ang_vel_in(world).cross(offset))
        slip = sum((v * e for v, e in zip(slips, world, strict=True)), 0 * world.x)
        pin.set_vel(world, seat.vel(world) + slip)
        force = sum((f * e for f, e in zip(forces, world, strict=True)), 0 * world.x)
        moment = sum((m * e for m, e in zip(moments, across, strict=True)), 0 * parent.x)
        loads += [(pin, force), (seat, -force), (frame, moment)]
        if link.parent >= 0:
            loads.append((parent, -moment))
        body, weight = sympy_peer.body(str(i), link, pin, frame, world, model.gravity)
        bodies.append(body)
        loads.append(weight)
        frames.append(frame)
        points.append(pin)
        auxiliary += [*slips, *tilts]
        unknown += [*forces, *moments]
    kinematic = [u[i] - q[i].diff() for i in range(len(q))]
    method = me.KanesMethod(world, q_ind=q, u_ind=u, kd_eqs=kinematic, u_auxiliary=auxiliary)
    method.kanes_equations(bodies, loads)
    return method.auxiliary_eqs, q, u, unknown


def sympy_numbers(model: mb.Model, state: tuple[np.ndarray, ...]) -> np.ndarray:
    """The forces of all joints (n, 3) by SymPy at a state: shows that the peer derives the same thing."""
    import sympy as sp

    equations, q, u, unknown = sympy_reactions(model)
    values = {}
    for symbols, numbers in ((q, state[0]), (u, state[1])):
        values.update(zip(symbols, numbers, strict=True))
    t = sp.Symbol("t")
    rates = {sp.Derivative(x, t): v for x, v in zip(u, state[2], strict=True)}
    rates |= {sp.Derivative(x, t): v for x, v in zip(q, state[1], strict=True)}
    plain = sp.symbols(f"X:{len(unknown)}")
    found = equations.subs(dict(zip(unknown, plain, strict=True))).subs(rates).subs(values)
    solved = sp.linsolve(list(found), *plain)
    return np.array([float(x) for x in next(iter(solved))]).reshape(-1, 5)[:, :3]


def timed_motion() -> float:
    """Seconds for all reactions of a chain of ten bodies over 600 frames, compiled; the best of five."""
    from tests.random_models import random_chain

    model = random_chain(np.random.default_rng(1), BODIES)
    motion = mb.simulate(model, duration=(FRAMES - 1) / 60, rate=60)
    assert len(motion) == FRAMES
    _ = motion.ud
    best = float("inf")
    for _ in range(5):
        vars(motion).pop("_reactions", None)
        start = time.perf_counter()
        motion.reactions(0)
        best = min(best, time.perf_counter() - start)
    return best


def run(quick: bool = False, limit: float = 60.0) -> int:
    """Print the table; the number of targets missed. ``quick`` leaves SymPy out."""
    missed = 0
    ours(CASES[0].model())  # imports
    print(f"{'':32} {'ours, twice':>12} {'target':>9} {'terms':>9}   {'SymPy, auxiliary speeds':>30}")
    for case in CASES:
        seconds, terms = timed_ours(case.model(), 3)
        late, peer = seconds > case.target, ""
        if not quick:
            theirs = sympy_peer.timed(sympy_reactions, case.model, limit)
            bound = limit if theirs is None else theirs
            shown = f"> {limit:g} s, > " if theirs is None else f"{theirs:.2f} s, "
            peer = f"{shown}{bound / seconds:.0f} x"
            late |= theirs is not None and theirs < FASTER * seconds
        missed += late
        row = f"{case.name:32} {seconds * 1e3:9.1f} ms {case.target * 1e3:6.0f} ms {terms:9,}   {peer:>30}"
        print(row + ("   MISSED" if late else ""), flush=True)
    seconds = timed_motion()
    late = seconds > COMPILED_TARGET
    missed += late
    name = f"{BODIES} bodies, {FRAMES} frames, compiled"
    print(f"{name:32} {seconds * 1e3:9.2f} ms {COMPILED_TARGET * 1e3:6.0f} ms" + ("   MISSED" if late else ""))
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=60, help="seconds for one derivation by SymPy")
    parser.add_argument("--quick", action="store_true", help="leave SymPy out")
    parser.add_argument("--compare", action="store_true", help="the forces by SymPy against the reference, at a state")
    options = parser.parse_args()
    if options.compare:
        example = EXAMPLES["P1"]
        found = sympy_numbers(chain(example["input"]), states(example["input"]))
        expected = np.array([joint["F_R"] for joint in example["output"]["joints"]])
        print(f"forces by SymPy differ from the reference by {np.abs(found - expected).max():.1e} N")
        return 0
    return run(options.quick, options.limit)


if __name__ == "__main__":
    raise SystemExit(main())

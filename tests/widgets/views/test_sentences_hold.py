"""What the views of the papers say in words, beside the core by another way, at random states."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.random import Generator
from scipy.spatial.transform import Rotation

import mbwidgets as mb
from mbwidgets.numeric.motion.release import release_of
from mbwidgets.widgets.text.verdicts import permanence_verdict
from mbwidgets.widgets.views.constrained_parts import held_numbers, held_sentences
from mbwidgets.widgets.views.release_parts import holding_numbers, holding_sentences
from mbwidgets.widgets.views.rotator_rows import (
    FEW,
    finding_of_rotators,
    parts_along_sum,
    rotator_contribution,
    rotator_symbol,
    rows_contributing_to,
)
from tests.random_models import random_chain

STATES = 200 if os.environ.get("MBWIDGETS_THOROUGH") == "1" else 30
NUMBER = r"([+−]?[\d.,]+(?:e−?\d+)?)"
DIGITS = 6e-3
"""Of a number that is told with three digits."""


def told(text: str, unit: str) -> list[float]:
    return [float(found.replace("−", "-").replace(",", "")) for found in re.findall(NUMBER + rf" {unit}\b", text)]


def moments(rng: Generator) -> Iterator[mb.Motion]:
    """Instants of chains that nobody chose."""
    for _ in range(STATES):
        chain = random_chain(rng, int(rng.integers(1, 5)), kinds=("revolute", "prismatic"))
        speed = 10 ** rng.uniform(-2, 1)
        yield mb.simulate(chain, u=rng.normal(size=chain.nv) * speed, duration=1e-3, rate=1e3)


def test_what_closes_a_released_joint_is_what_newton_and_euler_say(rng: Generator) -> None:
    for motion in moments(rng):
        model = motion.model
        index = int(rng.integers(len(model.bodies)))
        frames = release_of(motion, index)
        sentences = holding_sentences(model, index, float(np.abs(frames.reactions).max()))
        (said,) = sentences.said([float(value) for value in holding_numbers(motion, index, frames)[0]])
        force = float(np.linalg.norm(motion.reactions(index)[0, :3]))  # the kernel opens no joint
        weight = 9.81 * sum(model.number(model.bodies[i].mass) for i in model.subtree(index))
        parent = model.parents[index]
        if force < 1e-9 * weight:  # along a vertical slide it falls freely
            assert said.startswith("No force passes through the joint now")
            continue
        assert said.startswith(f"{'the ground' if parent < 0 else model.bodies[parent].name} holds body{index} with")
        np.testing.assert_allclose(told(said, "N"), [force, weight], rtol=DIGITS)


def test_the_rotators_that_are_named_give_and_take_most(rng: Generator) -> None:
    backwards = 0
    for motion in moments(rng):
        model = motion.model
        index = int(rng.integers(len(model.bodies)))
        table = motion.rotators(index)
        rows = rows_contributing_to(table, "force", ("own", "coupled", "mixed", "sliding"))
        whole = np.linalg.norm(motion.reaction_parts(index).kinetic[0, :3])
        parts = parts_along_sum(table, rows, "force")[0]
        (said,) = finding_of_rotators(table, rows, "force").said([float(value) for value in parts])
        if not rows:
            continue
        # by the vectors themselves, along the kinetic force of the kernel, which knows no rotators
        way = motion.reaction_parts(index).kinetic[0, :3] / max(whole, 1e-300)
        if any(column.kind == "translation" for column in model.bodies[index].joint.columns()):
            continue  # a slide's joint carries but a part of what its rotators add up to
        shares = np.array([rotator_contribution(row, "force")[0] @ way for row in rows])
        np.testing.assert_allclose(shares.sum(), whole, rtol=1e-8, atol=1e-9 * np.abs(shares).max())
        most, least = int(shares.argmax()), int(shares.argmin())
        numbers = told(said, "N")
        assert numbers[0] == pytest.approx(shares[most], rel=DIGITS)
        assert f"of {rows[most].body}, " in said.partition(" gives ")[0]
        if shares[least] < -FEW * whole:
            backwards += 1
            assert said.endswith(" back.")
            assert abs(numbers[1]) == pytest.approx(-shares[least], rel=DIGITS)
            assert f"of {rows[least].body}, " in said.partition("; ")[2]
        else:
            assert said.endswith("none takes much back.")
            assert numbers[1] == pytest.approx(whole, rel=DIGITS)
        assert rotator_symbol(rows[most])
    assert backwards > 0, "no state has a rotator that takes back"


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "body_on_circle", "n_four_bar", "bricard"])
def test_what_is_forbidden_is_the_rank_and_what_holds_hardest_the_balance_of_forces(name: str, rng: Generator) -> None:
    made = getattr(mb.library, name)()
    for _ in range(max(1, STATES // 40)):
        values = {key: float(value) * rng.uniform(0.9, 1.1) for key, value in made.values.items() if key in ("m", "g")}
        motion = mb.simulate(made.with_values(**values), duration=2.0, rate=60)
        model, sentences, numbers = motion.model, held_sentences(motion), held_numbers(motion)
        bound = balances(motion)
        largest = max(float(item.max()) for item in bound.values())
        for frame in rng.integers(len(motion), size=8):
            count, force = sentences.said([float(value) for value in numbers[frame]])
            rank = int(np.linalg.matrix_rank(motion.closure.jacobian[frame], tol=1e-9))
            assert count == f"{model.nv} ways to move: {rank} forbidden, {model.nv - rank} left."
            hardest = max(float(item[frame]) for item in bound.values())
            if hardest <= 2e-9 * largest:
                continue
            assert told(force, "N")[0] == pytest.approx(hardest, rel=DIGITS, abs=1e-7 * largest)


def balances(motion: mb.Motion) -> dict[str, np.ndarray]:
    """|m a_C − G − F_R + Σ F_R of what it carries| of each body that one constraint alone holds by a force, N."""
    model = motion.model
    by_body: dict[str, set[int]] = {}
    for item in motion.constraint_forces:
        if item.body is not None and np.abs(item.force).max() > 0:
            by_body.setdefault(item.body, set()).add(item.constraint)
    found = {}
    gravity = np.array([model.number(part) for part in model.gravity])
    for name in by_body:
        index = model.index(name)
        body = model.bodies[index]
        mass, moving = model.number(body.mass), motion.point(name, body.com).acceleration
        rest = mass * (moving - gravity) - motion.reactions(index)[:, :3]
        for child, parent in enumerate(model.parents):
            if parent == index:
                rest = rest + motion.reactions(child)[:, :3]
        # along a slide the drive acts too: the constraint is what the other body feels
        if all(column.kind != "translation" for column in body.joint.columns()) or body.joint.type == "free":
            found[name] = np.linalg.norm(rest, axis=1)
    return found


def test_a_rotation_is_called_permanent_where_no_joint_has_to_turn_it(rng: Generator) -> None:
    held = 0
    for number in range(STATES):
        chain = mb.library.spherical_chain(int(rng.integers(1, 4)))
        n, dynamics = len(chain.bodies), mb.Dynamics(chain)
        if number % 2:
            now = mb.relative_equilibrium(chain, float(rng.uniform(0.5, 6.0))).permanent
        else:
            turns = Rotation.random(n, random_state=int(rng.integers(2**31)))
            relative = [turns[0], *(turns[k - 1].inv() * turns[k] for k in range(1, n))]
            q = np.concatenate([item.as_quat() for item in relative])
            now = mb.permanent(chain, float(rng.uniform(0.5, 6.0)), _in_order(chain, q))
        q, u = now.state()
        # bodies that turn as one about the vertical: u̇ = 0 in body axes, and no moment in the ball joints
        moment = np.abs(dynamics.inverse(q, u, np.zeros(chain.nv))).max()
        held += now.holds
        assert now.holds == bool(moment < 1e-8 * now.scale), (number, moment, now.scale)
        words = re.sub("<[^>]*>", " ", permanence_verdict(now, 0.0))
        assert ("not permanent" in words) == (not now.holds)
        assert "permanent" in words
        speeds = told(words, "rad/s")
        np.testing.assert_allclose(speeds, now.omega, rtol=6e-4)  # four digits
    assert 0 < held < STATES


def _in_order(chain: mb.Model, q: np.ndarray) -> np.ndarray:
    """Quaternions x, y, z, w in the order of the chain's coordinates."""
    first = chain.coordinate_names[0]
    return q if first.endswith("x") else q.reshape(-1, 4)[:, [3, 0, 1, 2]].ravel()

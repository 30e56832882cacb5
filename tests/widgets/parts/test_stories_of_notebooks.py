"""The stories of the notebooks tell true numbers: each is computed anew and looked up in the cell that tells it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import mbwidgets as mb

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"


def told(name: str) -> str:
    """The source of the cell that tells the story of a notebook."""
    (path,) = NOTEBOOKS.glob(f"{name}*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    (source,) = ["".join(cell["source"]) for cell in cells if "tell_story" in "".join(cell["source"])]
    return source


def sizes(motion: mb.Motion, joint: str) -> np.ndarray:
    return np.linalg.norm(motion.reactions(joint)[:, :3], axis=1)


def test_what_a_joint_carries() -> None:
    text, arm = told("01_"), mb.library.three_body_arm()
    motion = mb.simulate(arm)
    parts, force = motion.reaction_parts("upper"), sizes(motion, "upper")
    still, moving = (np.linalg.norm(item[:, :3], axis=1) for item in (parts.static, parts.kinetic))
    assert f"weight asks for *{still[0]:.0f} N* and motion for *{moving[0]:.0f} N*" in text
    assert f"*{force[0]:.0f} N* are left" in text
    peak = int(force.argmax())
    assert f"At {motion.t[peak]:.1f} s the arm swings round: the base carries *{force[peak]:.0f} N*" in text
    assert force[peak] / still[0] == pytest.approx(3, abs=0.05)
    heavier = mb.simulate(arm.with_values(m3=2 * arm.values["m3"]))
    assert f"*{sizes(heavier, 'upper')[peak]:.0f} N* only" in text


def test_what_holds_the_hammer() -> None:
    text, crusher = told("02_"), mb.library.hammer_crusher()
    motion = mb.simulate(crusher, duration=2.0, rate=240)
    force, weight = sizes(motion, "hammer"), crusher.values["m"] * crusher.values["g"]
    assert f"*{force[motion.index(0.5)]:.0f} N*, hardly more" in text
    assert force[motion.index(0.5)] / weight == pytest.approx(1.1, abs=0.05)
    assert f"At {motion.t[force.argmax()]:.2f} s the drum is fast: *{force.max():.0f} N*, fourteen times" in text
    assert force.max() / weight == pytest.approx(14, abs=0.1)
    slower = mb.simulate(crusher.with_values(M=crusher.values["M"] / 2), duration=2.0, rate=240)
    assert f"it is *{sizes(slower, 'hammer').max():.0f} N* at most" in text


def test_how_joints_feel_each_other() -> None:
    text, view = told("03_"), mb.EquationsView()
    view.finish()
    entry, times = view.finding.array()[:, 0], view.motion.t
    view.close()
    assert f"*{entry[0]:.1f} kg m²*".replace("-", "−") in text
    zero = times[np.flatnonzero(np.diff(np.sign(entry)))]
    assert np.abs(zero - 2.93).min() < 0.05
    assert f"{times[entry.argmax()]:.2f} s, *+{entry.max():.1f} kg m²*" in text


def test_what_a_circle_holds() -> None:
    text, body = told("05_"), mb.library.body_on_circle()
    motion = mb.simulate(body)
    force = np.linalg.norm(next(item.force for item in motion.constraint_forces if item.body), axis=1)
    assert force[0] < 1e-9 * force.max()
    ratio = force.max() / (body.values["m"] * body.values["g"])
    assert f"At {motion.t[force.argmax()]:.2f} s" in text
    assert f"*{force.max():.0f} N*, {ratio:.1f} times the weight" in text

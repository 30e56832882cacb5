"""Every output of the joint-reaction reference as numbers over frames (Cajić and Lazarević; P1, P2, P3, PX)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mbwidgets.numeric.motion.array_algebra import carriers_at, reactions_at
from mbwidgets.numeric.motion.mass_moments import mass_moments_of
from mbwidgets.numeric.motion.motion_vectors import MotionVectorFrames
from mbwidgets.numeric.motion.reaction_parts import ReactionFrames, static_kinetic_applied_parts
from mbwidgets.numeric.motion.rotators import rotators_of
from mbwidgets.numeric.packing.pack import pack_model
from tests.symbolic.reaction_cases import EXAMPLES, NAMES, chain, close, states

pytestmark = pytest.mark.oracle

FRAMES = 3


@pytest.fixture(scope="module", params=NAMES)
def case(request: pytest.FixtureRequest) -> tuple[Any, tuple[np.ndarray, ...], dict[str, Any]]:
    """A model, its state repeated over some frames, and the reference."""
    example = EXAMPLES[request.param]
    state = tuple(np.tile(part, (FRAMES, 1)) for part in states(example["input"]))
    return chain(example["input"]), state, example["output"]


def test_vectors_of_motion(case: Any) -> None:
    model, (q, u, ud), output = case
    ours = MotionVectorFrames(carriers_at(model, q.T, u.T, ud.T).r, FRAMES)
    pairs = [(ours.axes, output["e0"]), (ours.centres, output["C"])]
    names = {"velocities": "v_C", "accelerations": "a_C", "omega": "omega", "epsilon": "eps", "momentum_rates": "dL_C"}
    pairs += [(getattr(ours, name), output["methodA"][key]) for name, key in names.items()]
    pairs.append((ours.joint_velocities, [joint["v_O"] for joint in output["joints"]]))
    for arrays, expected in pairs:
        for i, vector in enumerate(expected):
            assert close(arrays[-1, i], vector, 1e-3 * np.abs(expected).max())
    for name, vector in output["methodA"]["T"].items():
        a, i = (int(part) - 1 for part in name.strip(")").split("("))
        assert close(ours.quasibase[-1, a, i], vector)
    printed = output["methodA"]["Gamma"]  # for six bodies the reference leaves them out
    for name, vector in printed.items() if isinstance(printed, dict) else ():
        a, b, i = int(name[0]) - 1, int(name[1]) - 1, int(name[3]) - 1
        assert close(ours.gamma[-1, b, a, i], vector, np.abs(ours.gamma).max())


def test_mass_moments(case: Any) -> None:
    model, _, output = case
    rotations = np.tile(np.array(output["A_0i"]), (FRAMES, 1, 1, 1))
    for row in output["methodB"]["mass_moments"]:
        ours = mass_moments_of(model, rotations, np.zeros((FRAMES, 3, 3)), row["body"] - 1, row["axis"] - 1)
        names = {"mass": "M_n", "static": "S", "inertia": "I", "axial": "J", "deviation": "D"}
        for name, key in names.items():
            assert close(getattr(ours, name)[-1], row[key], np.abs(row["I"]).max()), (row["body"], row["axis"], key)


def test_reactions_and_their_parts(case: Any) -> None:
    model, (q, u, ud), output = case
    parts = static_kinetic_applied_parts(model, pack_model(model), np.zeros(FRAMES), q, u, ud)
    carriers = carriers_at(model, q.T, u.T, ud.T)
    for k, joint in enumerate(output["joints"]):
        order = ("static", "kinetic", "applied")
        ours = ReactionFrames(*(parts[name][1][:, k] for name in order), *(parts[name][0][:, [k]] for name in order))
        expected = {
            "total": ("F_R", "M_R_about_O"),
            "static": ("F_static", "M_static"),
            "kinetic": ("F_kinetic", "M_kinetic"),
            "pressure": ("kinetic_pressure_F", "kinetic_pressure_M"),
        }
        scales = [np.abs(joint[key]).max() for key in ("F_total", "M_total")]
        for name, keys in expected.items():
            for half, key, scale in zip((slice(3), slice(3, 6)), keys, scales, strict=True):
                assert close(getattr(ours, name)[-1, half], joint[key], scale), (k, key)
        for name, key in (("effort", "Q_actuator"), ("static_effort", "Q_static"), ("kinetic_effort", "Q_kinetic")):
            along = scales[joint["type"] == "revolute"]
            assert close(getattr(ours, name)[-1, 0], joint[key], along), (k, key)
        for method in ("rodrigues", "rotators"):
            found = reactions_at(carriers, method, FRAMES)[-1, k]
            assert close(found[:3], joint["F_R"], scales[0])
            assert close(found[3:], joint["M_R_about_O"], scales[1])


def test_momenta_and_their_rates(case: Any) -> None:
    model, (q, u, ud), output = case
    for k, joint in enumerate(output["joints"]):
        ours = rotators_of(model, k, q, u, ud)
        for array, key in (
            (ours.force, "dK_dt"),
            (ours.moment, "dL_dt_plus_v_x_K"),
            (ours.moment - np.cross(joint["v_O"], ours.momentum), "dL_dt"),
            (ours.momentum, "K"),
            (ours.angular_momentum, "L_O"),
        ):
            assert close(array[-1], joint[key]), (k, key)

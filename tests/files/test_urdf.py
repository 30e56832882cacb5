"""URDF robots: the same poses, masses, mass matrix and gravity efforts as Pinocchio's own reader gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.errors import FileError
from mbwidgets.files import UrdfNote, dumps, load, loads, loads_urdf
from mbwidgets.files.urdf import Imported
from mbwidgets.files.urdf_parts import quaternion, rotation
from mbwidgets.model.model import Model
from mbwidgets.model.solids import Box, Composite, Cylinder, Sphere
from mbwidgets.model.tensors import rotation_matrix
from tests.files.robots import KINDS, Robot, random_robot

pin = pytest.importorskip("pinocchio")
ROBOTS = 60

HAND_WRITTEN = Path(__file__).with_name("arm.urdf").read_text(encoding="utf-8")


def poses(model: Model, q: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """O_i* and R_i for each body, straight from the definition of the joints' columns."""
    found: dict[int, tuple[np.ndarray, np.ndarray]] = {-1: (np.zeros(3), np.eye(3))}
    for index in model.order:
        joint = model.bodies[index].joint
        place, turn = found[model.parents[index]]
        shift, turned = np.array(joint.at, dtype=float), np.eye(3)
        at = model.q_offsets[index]
        for column in joint.columns():
            axis = np.array([float(x) for x in column.axis])
            if column.kind == "translation":
                shift = shift + q[at] * axis
            elif column.kind == "rotation":
                turned = turned @ about(axis, q[at])
            else:
                turned = turned @ np.array(rotation_matrix(q[at : at + 4].tolist()), dtype=float)
            at += 4 if column.kind == "ball" else 1
        found[index] = (place + turn @ shift, turn @ turned)
    return {body.name: found[index] for index, body in enumerate(model.bodies)}


def about(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    result: np.ndarray = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return result


def pinocchio(text: str) -> tuple[Any, Any]:
    model = pin.buildModelFromXML(text)
    return model, model.createData()


def translate(imported: Imported, model: Any, q: np.ndarray, robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """Pinocchio's q as ours, and the matrix B with u = B v for its velocities v."""
    ours = imported.model
    result, velocity = ours.q0.copy(), np.zeros((ours.nv, model.nv))
    for joint, kind in robot.joints.items():
        if kind == "fixed":
            continue
        number = model.getJointId(joint)
        theirs, rate = q[model.idx_qs[number] :], model.idx_vs[number]
        index = ours.index(imported.joints[joint])
        own, speed = ours.q_offsets[index], ours.u_offsets[index]
        body = ours.bodies[index]
        turned = imported.orientations[body.name]  # the link's frame at q = 0, which is the joint's
        if kind == "floating":
            local = np.array(rotation_matrix(theirs[3:7].tolist()), dtype=float)
            result[own : own + 3] = turned @ theirs[:3]
            result[own + 3 : own + 7] = quaternion(turned @ local @ turned.T)
            velocity[speed : speed + 3, rate : rate + 3] = turned @ local
            velocity[speed + 3 : speed + 6, rate + 3 : rate + 6] = turned
        elif kind == "planar":
            x, y, cosine, sine = theirs[:4]
            plane = np.array([[float(c) for c in column.axis] for column in body.joint.columns()[:2]])
            result[own : own + 2] = plane @ turned @ (x, y, 0)
            result[own + 2] = np.arctan2(sine, cosine)
            local = np.array([[cosine, -sine], [sine, cosine], [0, 0]])
            velocity[speed : speed + 2, rate : rate + 2] = plane @ turned @ local
            velocity[speed + 2, rate + 2] = 1
        else:
            result[own] = np.arctan2(theirs[1], theirs[0]) if kind == "continuous" else theirs[0]
            velocity[speed, rate] = 1
    return result, velocity


def compare_poses(text: str, robot: Robot, rng: np.random.Generator) -> None:
    imported = loads_urdf(text)
    model, data = pinocchio(text)
    q = pin.integrate(model, pin.neutral(model), rng.uniform(-1, 1, model.nv))
    pin.framesForwardKinematics(model, data, q)
    ours = poses(imported.model, translate(imported, model, q, robot)[0])
    for link, body in imported.links.items():
        frame = data.oMf[model.getFrameId(link, pin.FrameType.BODY)]
        place, turn = ours[body]
        assert place == pytest.approx(frame.translation, abs=1e-12)
        assert turn @ imported.orientations[body] == pytest.approx(frame.rotation, abs=1e-12)
    total = sum(float(body.mass) for body in imported.model.bodies)
    root = imported.model.bodies[0]
    assert total - float(root.mass) - fixed_mass(imported, robot) == pytest.approx(
        pin.computeTotalMass(model), rel=1e-13
    )


def fixed_mass(imported: Imported, robot: Robot) -> float:
    """Pinocchio does not count what is welded to the ground."""
    model, welded, mass = imported.model, {0}, 0.0
    for index in model.order[1:]:
        if model.parents[index] in welded and model.bodies[index].joint.type == "fixed":
            welded.add(index)
            mass += float(model.bodies[index].mass)
    return mass


def test_random_robots_have_pinocchios_poses_and_mass(rng: np.random.Generator) -> None:
    for _ in range(ROBOTS):
        robot = random_robot(rng)
        compare_poses(robot.text, robot, rng)


@pytest.mark.parametrize("kind", KINDS)
def test_every_joint_type_has_pinocchios_poses(kind: str, rng: np.random.Generator) -> None:
    robot = random_robot(rng, kinds=[kind] * 3)
    compare_poses(robot.text, robot, rng)


def test_random_robots_have_pinocchios_mass_matrix_and_gravity_efforts(rng: np.random.Generator) -> None:
    dynamics = pytest.importorskip("mbwidgets.numeric.states.dynamics").Dynamics
    for _ in range(ROBOTS):
        robot = random_robot(rng)
        imported = loads_urdf(robot.text)
        model, data = pinocchio(robot.text)
        if model.nv == 0:
            continue
        q = pin.integrate(model, pin.neutral(model), rng.uniform(-1, 1, model.nv))
        own, velocity = translate(imported, model, q, robot)
        compiled = dynamics(imported.model)
        mass = pin.crba(model, data, q)
        mass = np.triu(mass) + np.triu(mass, 1).T
        gravity = pin.computeGeneralizedGravity(model, data, q)
        ours = velocity.T @ compiled.mass_matrix(own) @ velocity
        efforts = velocity.T @ compiled.bias(own, np.zeros(imported.model.nv))
        assert ours == pytest.approx(mass, rel=1e-10, abs=1e-10 * abs(mass).max())
        assert efforts == pytest.approx(gravity, rel=1e-10, abs=1e-10 * max(1.0, abs(gravity).max()))


def test_the_hand_written_arm_is_re_expressed_in_zero_pose_axes(rng: np.random.Generator) -> None:
    imported = loads_urdf(HAND_WRITTEN)
    model = imported.model
    assert [body.name for body in model.bodies] == ["world", "base", "upper", "slide", "wheel"]
    assert model.parents == (-1, 0, 1, 2, 2)
    assert [body.joint.type for body in model.bodies] == [
        "fixed",
        "fixed",
        "revolute",
        "prismatic",
        "revolute",
    ]
    assert model.body("upper").joint.axis == pytest.approx((1, 0, 0))
    assert model.body("upper").joint.at == (0, 0, 0.2)
    assert model.body("upper").com == pytest.approx((0, 0.2, 0))
    assert model.body("upper").joint.limits == (-1.5, 2)
    assert model.body("wheel").joint.limits is None
    assert [(force.type, force.joint) for force in model.forces] == [
        ("joint_damper", "upper"),
        ("joint_friction", "upper"),
    ]
    assert model.forces[0].damping == 0.7
    assert model.forces[1].coulomb == 0.2
    shape = model.body("upper").shape
    assert isinstance(shape, Composite)
    assert [type(part) for part in shape.parts] == [Cylinder, Sphere]
    assert shape.parts[0].axis == pytest.approx((0, 1, 0))
    assert shape.parts[0].at == pytest.approx((0, 0.2, 0))
    box = model.body("slide").shape
    assert isinstance(box, Box)
    turned = np.array(rotation_matrix(box.rotation), dtype=float)
    assert turned == pytest.approx(imported.orientations["slide"] @ rotation(0, 0, 0.5), abs=1e-14)
    assert imported.notes == ("link 'upper': the mesh 'package://arm/upper.dae' is ignored",)
    assert imported.joints["lift"] == "slide"
    assert [body.joint.name for body in model.bodies] == [None, "mount", "shoulder", "lift", "spin"]
    assert model.index("lift") == model.index("slide") == 3
    assert (model.body("shoulder").joint.max_effort, model.body("shoulder").joint.max_speed) == (10, 3)
    assert mb.Dynamics(model).inverse(model.q0, model.u0, model.u0, actuated=["shoulder", "lift", "spin"]).shape == (3,)
    assert imported.limits == {"shoulder": (10, 3), "lift": (1, 1)}
    assert loads(dumps(model)) == model
    kinds = {"mount": "fixed", "shoulder": "revolute", "lift": "prismatic", "spin": "continuous"}
    compare_poses(HAND_WRITTEN, Robot(HAND_WRITTEN, kinds), rng)


def test_load_reads_urdf_by_suffix_and_tells_what_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(HAND_WRITTEN, encoding="utf-8")
    with pytest.warns(UrdfNote, match="mesh 'package://arm/upper.dae' is ignored"):
        model = load(path)
    assert model == loads_urdf(HAND_WRITTEN).model


def test_what_a_joint_loses_is_told(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    kept = '<limit lower="-1.5" upper="2" effort="10" velocity="3"/>'
    lost = f'{kept}<safety_controller k_velocity="1"/><calibration rising="0"/>'
    path.write_text(HAND_WRITTEN.replace(kept, lost), encoding="utf-8")
    with pytest.warns(UrdfNote) as told:
        load(path)
    text = str(told[0].message)
    for words in ("<calibration>, <safety_controller>",):
        assert words in text
    imported = loads_urdf(HAND_WRITTEN.replace('effort="10"', 'effort="much"'))
    assert "joint 'shoulder': limit effort: 'much' is not a finite number" in imported.notes
    assert imported.limits["shoulder"] == (None, 3)


def test_a_number_too_small_for_a_float_is_refused_in_urdf_too() -> None:
    with pytest.raises(FileError, match="mass value: '1e-400' is too small"):
        loads_urdf(HAND_WRITTEN.replace('mass value="3"', 'mass value="1e-400"'))


def test_a_quaternion_is_that_of_its_matrix(rng: np.random.Generator) -> None:
    for angles in (
        *rng.uniform(-4, 4, (200, 3)),
        *np.pi * np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]),
    ):
        matrix = rotation(*angles)
        assert np.array(rotation_matrix(quaternion(matrix)), dtype=float) == pytest.approx(matrix, abs=1e-14)
    assert quaternion(np.eye(3)) == (0, 0, 0, 1)
    assert rotation(np.pi / 2, 0, 0).tolist() == [[1, 0, 0], [0, 0, -1], [0, 1, 0]]


def test_names_become_valid_unique_body_names_with_a_note() -> None:
    links = ["a/b", "a b", "a:b", "a_b", "1", "лапа", "", "x" * 80]
    text = "".join(f'<link name="{name}"/>' for name in links if name)
    joints = "".join(
        f'<joint name="j{i}" type="fixed"><parent link="a/b"/><child link="{name}"/></joint>'
        for i, name in enumerate(links[1:])
        if name
    )
    imported = loads_urdf(f'<robot name="r">{text}{joints}</robot>')
    assert imported.links["a b"] == "a b"
    assert imported.links["a_b"] == "a_b"
    assert imported.links["лапа"] == "лапа"
    assert len(set(imported.links.values())) == 7
    assert "link 'a/b' is the body 'a_b 2'" in imported.notes
    assert sum("is the body" in note for note in imported.notes) == 4


def test_a_mimic_joint_is_kept_as_an_equation_with_a_note() -> None:
    text = HAND_WRITTEN.replace(
        '<joint name="spin" type="continuous">',
        '<joint name="spin" type="continuous"><mimic joint="shoulder" multiplier="-2" offset="0.5"/>',
    )
    imported = loads_urdf(text)
    assert str(imported.model.constraints[0].expression) == "q[2] + 2.0*q[0] - 0.5"
    assert any("mimic" in note for note in imported.notes)
    with pytest.raises(FileError, match="joint 'spin': mimic: it cannot follow 'mount'; name a joint with one axis"):
        loads_urdf(text.replace('mimic joint="shoulder"', 'mimic joint="mount"'))


LINKS = '<link name="a"/><link name="b"/>'
JOINT = '<joint name="j" type="{}"><parent link="a"/><child link="b"/>{}</joint>'
WELD = JOINT.format("fixed", "")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "r.urdf: no links"),
        (LINKS, "2 root links: 'a', 'b'; give exactly one link that no joint carries"),
        ("<link/>", "link 0: it has no name"),
        ('<link name="a"/><link name="a"/>', "link 'a': two links have this name"),
        (LINKS + JOINT.format("screw", ""), "joint 'j': type 'screw' is not known; use revolute"),
        (LINKS + '<joint name="j" type="fixed"><parent link="a"/></joint>', "child link None does not exist"),
        (LINKS + WELD * 2, "joint 'j': two joints have this name"),
        (LINKS + WELD + WELD.replace('"j"', '"k"'), "'j' and 'k' both carry it"),
        (
            '<link name="r"/>' + LINKS + WELD
            + '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>',
            "joint 'j': it is part of a cycle",
        ),
        (LINKS + JOINT.format("revolute", '<axis xyz="0 0 0"/>'), "joint 'j': its axis is the zero vector"),
        (LINKS + JOINT.format("revolute", '<axis xyz="0 0"/>'), "joint 'j': axis xyz: '0 0' is not a vector"),
        (LINKS + JOINT.format("revolute", '<axis xyz="0 nan 1"/>'), "axis xyz: 'nan' is not a finite number"),
        (LINKS + JOINT.format("revolute", '<origin xyz="0 1_0 1"/>'), "xyz: '1_0' is not a finite number"),
        (LINKS + JOINT.format("revolute", '<limit lower="2" upper="1"/>'), "lower limit 2 is above upper 1"),
        (LINKS + JOINT.format("revolute", '<dynamics damping="-1"/>'), "damping or friction is negative"),
        ('<link name="a"><inertial><mass value="-1"/></inertial></link>', "link 'a': .* mass -1 is negative"),
        ('<link name="a"><inertial><mass/></inertial></link>', "<mass> lacks value"),
        (
            '<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3"/></inertial></link>',
            "r.urdf: link 'a': inertial: principal moments 1, 1, 3 break the triangle inequality",
        ),
        (
            '<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1"/></inertial></link>',
            "<inertia> lacks izz",
        ),
        ('<xacro:x xmlns:xacro="http://www.ros.org/wiki/xacro"/>', "xacro macros; expand it first"),
    ],
    ids=range(20),
)  # fmt: skip
def test_a_broken_robot_is_a_typed_error_that_names_the_link_or_joint(content: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        loads_urdf(f"<robot name='r'>{content}</robot>", "r.urdf")


def test_what_a_model_has_no_place_for_is_noted() -> None:
    text = (
        "<robot><link name='a'><visual><geometry><box size='0 1 1'/></geometry></visual><visual/></link>"
        "<gazebo/><transmission/></robot>"
    )
    imported = loads_urdf(text, "folder/my robot.urdf")
    assert imported.model.name == "my robot"
    assert imported.model.bodies[0].shape is None
    assert imported.notes == (
        "link 'a': a shape is ignored: size 0.0 is not positive",
        "link 'a': a shape without geometry is ignored",
        "ignored: <gazebo>, <transmission>",
    )

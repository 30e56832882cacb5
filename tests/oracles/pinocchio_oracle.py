"""Pinocchio as an oracle.

Compound joints become one-axis joints with massless bodies between them. Joints are added depth-first, which
Pinocchio's crba needs. A fixed joint is merged into its parent; to learn the wrench that it carries, a second
tree has a revolute joint in its place that never turns.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
import pytest

from mbwidgets.model.model import Model
from tests.oracles.applied import cross
from tests.oracles.oracle import Array, Kinematics, Oracle, numbers, unit

if sys.platform == "win32":
    pin = pytest.importorskip("pinocchio", reason="Pinocchio has no wheel for Windows")
else:
    import pinocchio as pin


class _Tree(NamedTuple):
    """A Pinocchio tree; ``q`` and ``v`` say where Pinocchio's coordinates are in ours, −1 for a locked
    joint."""

    model: pin.Model
    data: pin.Data
    joints: list[int]
    """The joint that moves each body."""
    first: list[int]
    """The joint next to the parent, for each body; 0 where there is none."""
    offsets: list[pin.SE3]
    """Each body's frame in the frame of its joint."""
    q: Array
    v: Array


class PinocchioOracle(Oracle):
    """Every quantity of a model by Pinocchio."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._tree = _build(model, locked=False)
        self._locked = _build(model, locked=True) if any(not b.joint.columns() for b in model.bodies) else self._tree
        self._inertias = [_inertia(model, i) for i in range(len(model.bodies))]

    def kinematics(self, q: Array) -> Kinematics:
        tree = self._tree
        pin.computeJointJacobians(tree.model, tree.data, q[tree.q])
        n, nv = len(self.model.bodies), self.model.nv
        positions, rotations, jacobians = np.zeros((n, 3)), np.zeros((n, 3, 3)), np.zeros((n, 6, nv))
        for i, (joint, offset) in enumerate(zip(tree.joints, tree.offsets, strict=True)):
            frame = tree.data.oMi[joint] * offset
            positions[i], rotations[i] = frame.translation, frame.rotation
            if joint > 0:
                at_joint = pin.getJointJacobian(tree.model, tree.data, joint, pin.LOCAL_WORLD_ALIGNED).reshape(6, nv)
                lever = frame.translation - tree.data.oMi[joint].translation
                jacobians[i][:, tree.v] = at_joint
                jacobians[i][:3, tree.v] += cross(at_joint[3:], lever)
        return Kinematics(positions, rotations, jacobians)

    def mass_matrix(self, q: Array) -> Array:
        tree = self._tree
        upper = np.triu(pin.crba(tree.model, tree.data, q[tree.q]))
        result = np.zeros_like(upper)
        result[np.ix_(tree.v, tree.v)] = upper + np.triu(upper, 1).T
        return result

    def inverse_free(self, q: Array, u: Array, ud: Array) -> Array:
        tree = self._tree
        result = np.zeros(self.model.nv)
        result[tree.v] = pin.rnea(tree.model, tree.data, q[tree.q], u[tree.v], ud[tree.v])
        return result

    def forward_free(self, q: Array, u: Array, tau: Array) -> Array:
        tree = self._tree
        result = np.zeros(self.model.nv)
        result[tree.v] = pin.aba(tree.model, tree.data, q[tree.q], u[tree.v], tau[tree.v])
        return result

    def joint_wrenches(self, q: Array, u: Array, ud: Array, external: Array) -> Array:
        tree = self._locked
        # index −1 of our arrays meets the zero that is appended here
        q, u, ud = (np.append(array, 0.0) for array in (q, u, ud))
        pin.forwardKinematics(tree.model, tree.data, q[tree.q])
        outside = [pin.Force.Zero() for _ in range(tree.model.njoints)]
        for i, joint in enumerate(tree.joints):
            rotation = tree.data.oMi[joint].rotation.T
            outside[joint] = pin.Force(rotation @ external[i, :3], rotation @ external[i, 3:])
        pin.rnea(tree.model, tree.data, q[tree.q], u[tree.v], ud[tree.v], outside)
        motion = self.kinematics(q[:-1])
        result = np.zeros((len(self.model.bodies), 6))
        for i, joint in enumerate(tree.first):
            placement = tree.data.oMi[joint]
            force = placement.rotation @ tree.data.f[joint].linear
            moment = placement.rotation @ tree.data.f[joint].angular
            lever = placement.translation - self.joint_point(i, motion)
            result[i] = np.concatenate([force, moment + cross(lever, force)])
        return result

    def energy_free(self, q: Array, u: Array) -> tuple[float, float]:
        tree = self._tree
        kinetic = pin.computeKineticEnergy(tree.model, tree.data, q[tree.q], u[tree.v])
        # Pinocchio leaves out what is welded to the ground
        gravity = numbers(self.model, self.model.gravity)
        ground = sum(
            -self._inertias[i].mass * gravity @ offset.act(self._inertias[i].lever)
            for i, (joint, offset) in enumerate(zip(tree.joints, tree.offsets, strict=True))
            if joint == 0
        )
        return kinetic, pin.computePotentialEnergy(tree.model, tree.data, q[tree.q]) + ground

    def momentum(self, q: Array, u: Array) -> Array:
        """(6,): momentum K, then angular momentum about the world's origin, of all that moves."""
        tree = self._tree
        about_centre = pin.computeCentroidalMomentum(tree.model, tree.data, q[tree.q], u[tree.v])
        centre = tree.data.com[0]
        return np.concatenate([about_centre.linear, about_centre.angular + cross(centre, about_centre.linear)])


def _inertia(model: Model, i: int) -> pin.Inertia:
    body = model.bodies[i]
    return pin.Inertia(model.number(body.mass), numbers(model, body.com), numbers(model, body.inertia))


def _build(model: Model, *, locked: bool) -> _Tree:
    n = len(model.bodies)
    target = pin.Model()
    target.gravity = pin.Motion(numbers(model, model.gravity), np.zeros(3))
    joints, first, offsets = [0] * n, [0] * n, [pin.SE3.Identity() for _ in range(n)]
    q, v = [], []

    def visit(i: int) -> None:
        body, parent = model.bodies[i], model.parents[i]
        joint = joints[parent] if parent >= 0 else 0
        before = offsets[parent] if parent >= 0 else pin.SE3.Identity()
        place = before * pin.SE3(np.eye(3), numbers(model, body.joint.at))
        columns = body.joint.columns()
        q_next, v_next = model.q_offsets[i], model.u_offsets[i]
        made = []
        for number, column in enumerate(columns):
            kind, width = _joint_model(model, column)
            joint = target.addJoint(joint, kind, place, f"{body.name}.{number}")
            made.append(joint)
            q.extend(range(q_next, q_next + width[0]))
            v.extend(range(v_next, v_next + width[1]))
            q_next, v_next, place = q_next + width[0], v_next + width[1], pin.SE3.Identity()
        if not columns and locked:
            joint = target.addJoint(joint, pin.JointModelRevoluteUnaligned(np.array([0.0, 0.0, 1.0])), place, body.name)
            made.append(joint)
            q.append(-1)
            v.append(-1)
            place = pin.SE3.Identity()
        joints[i], first[i], offsets[i] = joint, (made[0] if made else 0), place
        target.appendBodyToJoint(joint, _inertia(model, i), place)
        for child in range(n):
            if model.parents[child] == i:
                visit(child)

    for root in range(n):
        if model.parents[root] < 0:
            visit(root)
    return _Tree(target, target.createData(), joints, first, offsets, np.array(q, dtype=int), np.array(v, dtype=int))


def _joint_model(model: Model, column: object) -> tuple[pin.JointModel, tuple[int, int]]:
    if column.kind == "ball":  # type: ignore[attr-defined]
        return pin.JointModelSpherical(), (4, 3)
    axis = unit(model, column.axis)  # type: ignore[attr-defined]
    if column.kind == "translation":  # type: ignore[attr-defined]
        return pin.JointModelPrismaticUnaligned(axis), (1, 1)
    return pin.JointModelRevoluteUnaligned(axis), (1, 1)

"""MuJoCo as an oracle.

A compound joint becomes several joints on one MuJoCo body, so that no moving body is massless: MuJoCo
refuses those, and moments of inertia that vanish (`supports`). Inertias are given as principal moments and
axes, which keeps all digits; contacts, limits and constraints are off.
"""

from __future__ import annotations

import mujoco
import numpy as np

from mbwidgets.model.model import Model
from tests.oracles.applied import cross
from tests.oracles.oracle import Array, Kinematics, Oracle, numbers, unit

SMALLEST = 1e-14
OFF = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT


def supports(model: Model) -> bool:
    """MuJoCo takes no massless body on a joint that moves, nor one with a vanishing principal moment."""
    for body in model.bodies:
        if body.joint.columns():
            moments = np.linalg.eigvalsh(numbers(model, body.inertia))
            if model.number(body.mass) <= SMALLEST or moments[0] <= SMALLEST:
                return False
    return True


class MujocoOracle(Oracle):
    """Every quantity of a model by MuJoCo."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.engine = compile_model(model)
        self.data = mujoco.MjData(self.engine)
        self._bodies = [self.engine.body(body.name).id for body in model.bodies]
        self._q, self._v = coordinate_maps(model, self.engine)

    def _set(self, q: Array, u: Array | None = None) -> None:
        self.data.qpos[:] = q[self._q]
        self.data.qvel[:] = 0.0 if u is None else u[self._v]
        mujoco.mj_fwdPosition(self.engine, self.data)
        if u is not None:
            mujoco.mj_fwdVelocity(self.engine, self.data)

    def _ours(self, values: Array) -> Array:
        result = np.zeros(self.model.nv)
        result[self._v] = values
        return result

    def kinematics(self, q: Array) -> Kinematics:
        self._set(q)
        positions = self.data.xpos[self._bodies].copy()
        rotations = self.data.xmat[self._bodies].reshape(-1, 3, 3).copy()
        jacobians = np.zeros((len(self._bodies), 6, self.model.nv))
        linear, angular = np.zeros((2, 3, self.engine.nv))
        for i, body in enumerate(self._bodies):
            mujoco.mj_jac(self.engine, self.data, linear, angular, positions[i], body)
            jacobians[i][:3, self._v], jacobians[i][3:, self._v] = linear, angular
        return Kinematics(positions, rotations, jacobians)

    def mass_matrix(self, q: Array) -> Array:
        self._set(q)
        full = np.zeros((self.engine.nv, self.engine.nv))
        mujoco.mj_fullM(self.engine, self.data, full)
        result = np.zeros_like(full)
        result[np.ix_(self._v, self._v)] = full
        return result

    def inverse_free(self, q: Array, u: Array, ud: Array) -> Array:
        self._set(q, u)
        self.data.qacc[:] = ud[self._v]
        result = np.zeros(self.engine.nv)
        mujoco.mj_rne(self.engine, self.data, 1, result)
        return self._ours(result)

    def forward_free(self, q: Array, u: Array, tau: Array) -> Array:
        self.data.qpos[:], self.data.qvel[:] = q[self._q], u[self._v]
        self.data.qfrc_applied[:] = tau[self._v]
        self.data.xfrc_applied[:] = 0.0
        mujoco.mj_forward(self.engine, self.data)
        self.data.qfrc_applied[:] = 0.0
        return self._ours(self.data.qacc)

    def joint_wrenches(self, q: Array, u: Array, ud: Array, external: Array) -> Array:
        motion = self.kinematics(q)
        self._set(q, u)
        self.data.qacc[:] = ud[self._v]
        self.data.xfrc_applied[:] = 0.0
        for i, body in enumerate(self._bodies):
            force, moment = external[i, :3], external[i, 3:]
            lever = self.data.xipos[body] - motion.positions[i]
            self.data.xfrc_applied[body] = np.concatenate([force, moment - cross(lever, force)])
        mujoco.mj_rnePostConstraint(self.engine, self.data)
        self.data.xfrc_applied[:] = 0.0
        result = np.zeros((len(self._bodies), 6))
        for i, body in enumerate(self._bodies):
            moment, force = self.data.cfrc_int[body, :3], self.data.cfrc_int[body, 3:]
            lever = self.data.subtree_com[self.engine.body_rootid[body]] - self.joint_point(i, motion)
            result[i] = np.concatenate([force, moment + cross(lever, force)])
        return result

    def energy_free(self, q: Array, u: Array) -> tuple[float, float]:
        self._set(q, u)
        mujoco.mj_energyPos(self.engine, self.data)
        mujoco.mj_energyVel(self.engine, self.data)
        return float(self.data.energy[1]), float(self.data.energy[0])


def compile_model(model: Model, *, timestep: float = 1e-3, integrator: str = "mjINT_RK4") -> mujoco.MjModel:
    """The mechanism, without the model's forces, for MuJoCo."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.compiler.boundmass = spec.compiler.boundinertia = 0.0
    spec.compiler.balanceinertia = False
    spec.compiler.fusestatic = False
    spec.option.gravity = numbers(model, model.gravity)
    spec.option.timestep = timestep
    spec.option.integrator = getattr(mujoco.mjtIntegrator, integrator)
    spec.option.disableflags = OFF
    made = {-1: spec.worldbody}
    for i in model.order:
        body = model.bodies[i]
        moments, axes = np.linalg.eigh(numbers(model, body.inertia))
        axes[:, 2] *= np.sign(np.linalg.det(axes))
        target = made[model.parents[i]].add_body(name=body.name, pos=numbers(model, body.joint.at))
        target.mass = model.number(body.mass)
        target.ipos, target.iquat, target.inertia = (
            numbers(model, body.com),
            _quaternion(axes),
            np.maximum(moments, 0.0),
        )
        target.explicitinertial = True
        for number, column in enumerate(body.joint.columns()):
            joint = target.add_joint(name=f"{body.name}.{number}", type=_KINDS[column.kind])
            if column.kind != "ball":
                joint.axis = unit(model, column.axis)
        made[i] = target
    return spec.compile()


_KINDS = {
    "translation": mujoco.mjtJoint.mjJNT_SLIDE,
    "rotation": mujoco.mjtJoint.mjJNT_HINGE,
    "ball": mujoco.mjtJoint.mjJNT_BALL,
}


def coordinate_maps(model: Model, engine: mujoco.MjModel) -> tuple[Array, Array]:
    """Where each of MuJoCo's qpos and qvel is in our q and u; a quaternion w, x, y, z is ours in another
    order."""
    q, v = np.zeros(engine.nq, dtype=int), np.zeros(engine.nv, dtype=int)
    for i, body in enumerate(model.bodies):
        q_ours, v_ours = model.q_offsets[i], model.u_offsets[i]
        for number, column in enumerate(body.joint.columns()):
            joint = engine.joint(f"{body.name}.{number}")
            q_theirs, v_theirs = int(joint.qposadr[0]), int(joint.dofadr[0])
            if column.kind == "ball":
                q[q_theirs : q_theirs + 4] = q_ours + np.array([3, 0, 1, 2])
                v[v_theirs : v_theirs + 3] = v_ours + np.arange(3)
            else:
                q[q_theirs], v[v_theirs] = q_ours, v_ours
                q_ours, v_ours = q_ours + 1, v_ours + 1
    return q, v


def _quaternion(rotation: Array) -> Array:
    result = np.zeros(4)
    mujoco.mju_mat2Quat(result, rotation.flatten())
    return result

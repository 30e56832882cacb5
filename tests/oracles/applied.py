"""The model's forces in plain NumPy: an independent reading of what `mbwidgets.model.forces` promises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mbwidgets.expressions import Expression, Variable, evaluate
from mbwidgets.model import forces as f
from mbwidgets.model.model import Model

Array = np.ndarray


def cross(a: Array, b: Array) -> Array:
    """a × b; NumPy's own is many times slower on single vectors."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


@dataclass
class Applied:
    """Wrenches (n, 6) on the bodies at O_i* in world axes and efforts (nv,): ``held`` have a potential,
    ``other`` not."""

    held: Array
    other: Array
    held_efforts: Array
    other_efforts: Array
    potential: float = 0.0


def applied(model: Model, q: Array, u: Array, t: float, position: Array, rotation: Array, twist: Array) -> Applied:
    """All forces in one state; ``twist`` (n, 6) holds v_Oi* and ω_i in world axes."""
    n, nv = len(model.bodies), model.nv
    result = Applied(np.zeros((n, 6)), np.zeros((n, 6)), np.zeros(nv), np.zeros(nv))
    scene = _Scene(model, q, u, t, position, rotation, twist)
    for load in model.forces:
        _RULES[type(load)](load, scene, result)
    return result


@dataclass
class _Scene:
    model: Model
    q: Array
    u: Array
    t: float
    position: Array
    rotation: Array
    twist: Array

    def number(self, scalar: Any) -> float:
        def state(variable: Variable) -> float:
            return (
                self.t if variable.kind == "t" else float((self.q if variable.kind == "q" else self.u)[variable.index])
            )

        if not isinstance(scalar, Expression):
            return float(scalar)
        return evaluate(scalar, self.model.values, state)

    def vector(self, scalars: Any) -> Array:
        return np.array([self.number(scalar) for scalar in scalars])

    def axis(self, scalars: Any) -> Array:
        vector = self.vector(scalars)
        return vector / np.linalg.norm(vector)

    def point(self, anchor: f.Anchor) -> tuple[int, Array, Array, Array]:
        """Body (−1 the ground), lever from O*, place and velocity of an anchor in the world."""
        at = self.vector(anchor.at)
        if anchor.body is None:
            return -1, at, at, np.zeros(3)
        i = self.model.index(anchor.body)
        lever = self.rotation[i] @ at
        return i, lever, self.position[i] + lever, self.twist[i, :3] + cross(self.twist[i, 3:], lever)


def _push(wrenches: Array, body: int, lever: Array, force: Array) -> None:
    if body >= 0:
        wrenches[body] += np.concatenate([force, cross(lever, force)])


def _spring(load: f.Spring, scene: _Scene, result: Applied) -> None:
    a, lever_a, place_a, _ = scene.point(load.start)
    b, lever_b, place_b, _ = scene.point(load.end)
    line = place_b - place_a
    distance = float(np.linalg.norm(line))
    stretch = distance - scene.number(load.length)
    k = scene.number(load.stiffness)
    if distance > 0:
        pull = k * stretch * line / distance
        _push(result.held, a, lever_a, pull)
        _push(result.held, b, lever_b, -pull)
    result.potential += 0.5 * k * stretch**2


def _damper(load: f.Damper, scene: _Scene, result: Applied) -> None:
    a, lever_a, place_a, speed_a = scene.point(load.start)
    b, lever_b, place_b, speed_b = scene.point(load.end)
    line = place_b - place_a
    distance = np.linalg.norm(line)
    if distance > 0:
        along = line / distance
        pull = scene.number(load.damping) * (along @ (speed_b - speed_a)) * along
        _push(result.other, a, lever_a, pull)
        _push(result.other, b, lever_b, -pull)


def _joint(load: Any, scene: _Scene) -> tuple[int, slice]:
    k = scene.model.index(load.joint)
    offsets = scene.model.u_offsets
    return k, slice(offsets[k], offsets[k + 1])


def _joint_spring(load: f.JointSpring, scene: _Scene, result: Applied) -> None:
    k, part = _joint(load, scene)
    stretch = scene.q[scene.model.q_offsets[k] + load.coordinate] - scene.number(load.rest)
    stiffness = scene.number(load.stiffness)
    result.held_efforts[part.start + load.coordinate] -= stiffness * stretch
    result.potential += 0.5 * stiffness * stretch**2


def _joint_damper(load: f.JointDamper, scene: _Scene, result: Applied) -> None:
    _, part = _joint(load, scene)
    result.other_efforts[part] -= scene.number(load.damping) * scene.u[part]


def _joint_friction(load: f.JointFriction, scene: _Scene, result: Applied) -> None:
    _, part = _joint(load, scene)
    speed = scene.u[part]
    dry = scene.number(load.coulomb) * np.tanh(speed / scene.number(load.smoothing))
    result.other_efforts[part] -= scene.number(load.viscous) * speed + dry


def _effort(load: f.Effort, scene: _Scene, result: Applied) -> None:
    _, part = _joint(load, scene)
    result.other_efforts[part.start + load.coordinate] += scene.number(load.value)


def _force(load: f.Force, scene: _Scene, result: Applied) -> None:
    i, lever, _, _ = scene.point(f.Anchor(load.body, load.at))
    value = scene.vector(load.value)
    _push(result.other, i, lever, scene.rotation[i] @ value if load.axes == "body" else value)


def _torque(load: f.Torque, scene: _Scene, result: Applied) -> None:
    i = scene.model.index(load.body)
    value = scene.vector(load.value)
    result.other[i, 3:] += scene.rotation[i] @ value if load.axes == "body" else value


def _gravity(load: f.Gravity, scene: _Scene, result: Applied) -> None:
    for i, body in enumerate(scene.model.bodies):
        lever = scene.rotation[i] @ scene.vector(body.com)
        _push(result.other, i, lever, scene.number(body.mass) * scene.vector(load.value))


def _alignment(load: f.ElasticAlignment, scene: _Scene, result: Applied) -> None:
    k = scene.model.index(load.joint)
    parent = scene.model.parents[k]
    outer = scene.axis(load.axis_parent)
    if parent >= 0:
        outer = scene.rotation[parent] @ outer
    inner = scene.rotation[k] @ scene.axis(load.axis_child)
    stiffness = scene.number(load.stiffness)
    # V = κ²(1 − a·b) with b carried by ω: V̇ = −κ² a·(ω × b) = −ω·κ²(b × a), so the moment on the body is
    # κ² b × a
    moment = stiffness * cross(inner, outer)
    result.held[k, 3:] += moment
    if parent >= 0:
        result.held[parent, 3:] -= moment
    result.potential += stiffness * (1 - outer @ inner)


_RULES: dict[type, Any] = {
    f.Spring: _spring,
    f.Damper: _damper,
    f.JointSpring: _joint_spring,
    f.JointDamper: _joint_damper,
    f.JointFriction: _joint_friction,
    f.Effort: _effort,
    f.Force: _force,
    f.Torque: _torque,
    f.Gravity: _gravity,
    f.ElasticAlignment: _alignment,
}

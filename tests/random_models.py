"""Random mechanisms and states, from a seed: for the oracles, the benchmarks and anyone who wants many
models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mbwidgets.model import forces as f
from mbwidgets.model import joints as j
from mbwidgets.model.bodies import Body, ground
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter

Generator = np.random.Generator

KINDS = {
    "revolute": 0.25,
    "prismatic": 0.12,
    "spherical": 0.13,
    "free": 0.06,
    "fixed": 0.10,
    "cylindrical": 0.11,
    "universal": 0.12,
    "planar": 0.11,
}


class State(NamedTuple):
    """A state, with an acceleration, an effort and a time to go with it."""

    q: np.ndarray
    u: np.ndarray
    ud: np.ndarray
    tau: np.ndarray
    t: float


def random_tree(rng: Generator, *, most: int = 12, forces: bool = True, massless: bool = True) -> Model:
    """A tree of 1 to ``most`` bodies with all kinds of joints, at least one of which moves.

    Half of the trees list children before their parents, half carry forces (where ``forces``); a few bodies
    inside the tree are massless (where ``massless``), and some masses are parameters.
    """
    n = int(rng.integers(1, most + 1))
    parents = [_random_parent(rng, i) for i in range(n)]
    names = [f"body{i}" for i in range(n)]
    kinds = [str(rng.choice(list(KINDS), p=list(KINDS.values()))) for _ in range(n)]
    if all(kind == "fixed" for kind in kinds):
        kinds[-1] = "revolute"
    bodies = []
    for i in range(n):
        parent = ground if parents[i] < 0 else names[parents[i]]
        joint = random_joint(rng, kinds[i])
        if massless and i in parents and kinds[i] != "free" and rng.random() < 0.08:
            bodies.append(Body(names[i], joint, parent=parent))
        else:
            bodies.append(_random_body(rng, names[i], joint, parent))
    if rng.random() < 0.5:
        bodies = [bodies[i] for i in rng.permutation(n)]
    model = Model(bodies, gravity=rng.normal(size=3) * 6, name="random tree")
    return with_random_forces(rng, model) if forces and rng.random() < 0.5 else model


def random_chain(rng: Generator, n: int, *, kinds: tuple[str, ...] = ("revolute",)) -> Model:
    """A chain of n bodies on one-axis joints under gravity (0, 0, −9.81), with a moving initial state."""
    bodies = [
        _random_body(rng, f"body{i}", random_joint(rng, str(rng.choice(kinds))), ground if i == 0 else f"body{i - 1}")
        for i in range(n)
    ]
    state = {"q": list(rng.uniform(-1, 1, n)), "u": list(rng.uniform(-1, 1, n))}
    return Model(bodies, state=state, name=f"random chain of {n}")


def random_joint(rng: Generator, kind: str) -> j.Joint:
    """A joint of the kind given, at a random place, along a random axis."""
    at = tuple(rng.uniform(-0.6, 0.6, 3))
    if kind in ("spherical", "free", "fixed"):
        return j.JOINTS[kind](at=at)  # type: ignore[call-arg]
    if kind == "universal":
        return j.Universal(axis=_axis(rng), second=tuple(rng.normal(size=3)), at=at)
    return j.JOINTS[kind](axis=_axis(rng), at=at)  # type: ignore[call-arg]


def random_inertia(rng: Generator, mass: float) -> np.ndarray:
    """The inertia tensor of a cloud of six points: physical, with products of inertia."""
    points = rng.normal(size=(6, 3)) * rng.uniform(0.1, 0.4)
    points -= points.mean(axis=0)
    square = (points**2).sum()
    tensor = mass / 6 * (square * np.eye(3) - points.T @ points)
    return np.asarray((tensor + tensor.T) / 2)


def random_state(rng: Generator, model: Model) -> State:
    """Any pose (balls anywhere on the sphere of quaternions), with velocities of order one."""
    q: list[float] = []
    for body in model.bodies:
        for column in body.joint.columns():
            if column.kind == "ball":
                ball = rng.normal(size=4)
                q += list(ball / np.linalg.norm(ball))
            else:
                q.append(rng.uniform(-0.7, 0.7) if column.kind == "translation" else rng.uniform(-np.pi, np.pi))
    u, ud, tau = rng.normal(size=(3, model.nv))
    return State(np.array(q), u, ud, tau, float(rng.uniform(0, 2)))


def with_random_forces(rng: Generator, model: Model, count: int | None = None) -> Model:
    """The same model with one to five random forces of all types."""
    kinds = list(_FORCES)
    forces = []
    for _ in range(int(rng.integers(1, 6)) if count is None else count):
        force = _FORCES[kinds[rng.integers(len(kinds))]](rng, model)
        if force is not None:
            forces.append(force)
    return model.replace(forces=forces)


def _random_parent(rng: Generator, i: int) -> int:
    if i == 0 or rng.random() < 0.08:
        return -1
    return i - 1 if rng.random() < 0.6 else int(rng.integers(0, i))


def _random_body(rng: Generator, name: str, joint: j.Joint, parent: Any) -> Body:
    mass = float(rng.uniform(0.5, 3.0))
    given: Any = Parameter(f"m_{name}", mass, min=0) if rng.random() < 0.1 else mass
    inertia = random_inertia(rng, mass)
    return Body(name, joint, mass=given, com=rng.uniform(-0.4, 0.4, 3), inertia=inertia.tolist(), parent=parent)


def _axis(rng: Generator) -> Any:
    if rng.random() < 0.3:
        return str(rng.choice(["x", "y", "z", "-x", "-y", "-z"]))
    return tuple(rng.normal(size=3))


def _pick(rng: Generator, model: Model) -> str:
    return str(model.bodies[rng.integers(len(model.bodies))].name)


def _anchor(rng: Generator, model: Model) -> f.Anchor:
    body = None if rng.random() < 0.2 else _pick(rng, model)
    return f.Anchor(body, tuple(rng.uniform(-0.5, 0.5, 3)))


def _expression(rng: Generator, model: Model) -> str:
    a, b, c = rng.uniform(0.5, 2.0, 3).round(3)
    terms = [f"{a}*sin({b}*t)", f"{a}*cos({b}*t) - {c}", f"{c}", f"{a}*t**2/3"]
    i, k = rng.integers(model.nq), rng.integers(model.nv)
    terms += [f"{a}*q[{i}] - {b}*u[{k}]", f"{a}*sin(q[{i}])*u[{k}]"]
    return str(rng.choice(terms))


def _spring(rng: Generator, model: Model) -> f.Load:
    ends = _anchor(rng, model), _anchor(rng, model)
    return f.Spring(*ends, stiffness=rng.uniform(1, 20), length=rng.uniform(0, 0.5))


def _damper(rng: Generator, model: Model) -> f.Load:
    return f.Damper(_anchor(rng, model), _anchor(rng, model), damping=rng.uniform(0.1, 2))


def _joint_spring(rng: Generator, model: Model) -> f.Load | None:
    joint = _pick(rng, model)
    plain = sum(column.kind != "ball" for column in model.body(joint).joint.columns())
    if plain == 0:
        return None
    coordinate = int(rng.integers(plain))
    return f.JointSpring(joint, stiffness=rng.uniform(1, 10), rest=rng.uniform(-1, 1), coordinate=coordinate)


def _joint_damper(rng: Generator, model: Model) -> f.Load:
    return f.JointDamper(_pick(rng, model), damping=rng.uniform(0.1, 1))


def _joint_friction(rng: Generator, model: Model) -> f.Load:
    viscous, coulomb, smoothing = rng.uniform(0.1, 1, 3)
    return f.JointFriction(_pick(rng, model), viscous=viscous, coulomb=coulomb, smoothing=smoothing)


def _effort(rng: Generator, model: Model) -> f.Load | None:
    joint = _pick(rng, model)
    nv = model.body(joint).joint.nv
    return f.Effort(joint, _expression(rng, model), coordinate=int(rng.integers(nv))) if nv else None


def _force(rng: Generator, model: Model) -> f.Load:
    value = [_expression(rng, model) for _ in range(3)]
    return f.Force(_pick(rng, model), value, at=rng.uniform(-0.5, 0.5, 3), axes=str(rng.choice(["world", "body"])))


def _torque(rng: Generator, model: Model) -> f.Load:
    value = [_expression(rng, model) for _ in range(3)]
    return f.Torque(_pick(rng, model), value, axes=str(rng.choice(["world", "body"])))


def _alignment(rng: Generator, model: Model) -> f.Load:
    return f.ElasticAlignment(_pick(rng, model), _axis(rng), _axis(rng), stiffness=rng.uniform(1, 10))


_FORCES: dict[str, Callable[[Generator, Model], f.Load | None]] = {
    "spring": _spring,
    "damper": _damper,
    "joint_spring": _joint_spring,
    "joint_damper": _joint_damper,
    "joint_friction": _joint_friction,
    "effort": _effort,
    "force": _force,
    "torque": _torque,
    "elastic_alignment": _alignment,
}

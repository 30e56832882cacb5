"""A model is what no kernel writes to; a data is all that a state needs, and a used one is as good as a new one."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.model import force_primitives as parts_of
from mbwidgets.numeric.engines.kernel import ENTRY_POINTS, EntryPoint, current_engine, set_engine
from mbwidgets.numeric.engines.product import read_product
from mbwidgets.numeric.engines.translate.entries import import_kernels
from mbwidgets.numeric.kernels import body_frames, cone_growth, entry_points, project_frames
from mbwidgets.numeric.kernels import memory_layout as layout
from mbwidgets.numeric.kernels.constrained_derivative import constrained_derivative
from mbwidgets.numeric.kernels.constrained_reactions import constrained_reactions
from mbwidgets.numeric.kernels.opened_joint import allocate_work_space, opened_joint_equations
from mbwidgets.numeric.kernels.staude_cone import CONE_ROWS, nearest_cone_axis
from mbwidgets.numeric.motion.release import release_at
from mbwidgets.numeric.packing import pack
from mbwidgets.numeric.packing.pack import Packed, pack_model
from mbwidgets.numeric.permanent.rotation_states import with_nearest_permanent_rotation
from mbwidgets.numeric.simulation.pulling import Grip, pull_pose
from mbwidgets.numeric.states.constraint_system import Constraints
from mbwidgets.numeric.steps.stepper import read_signals

import_kernels()
SLIDERS = [mb.Body(name, mb.Prismatic(name), mass=1, inertia=(1, 1, 1)) for name in ("x", "y", "z")]
BEAD = mb.Model(
    SLIDERS, gravity=(0, 0, -9.81), constraints=[mb.OnCurve("z", ["s", 0, "s**2"])], state={"q": [0.3, 0, 0.09]}
)
SCREW = mb.Model(SLIDERS, constraints=[mb.EquationConstraint("q[0] - 0.2*sin(q[2]) - 0.1*t")])
DRIVEN = mb.Model(SLIDERS, forces=[mb.Effort("y", "sin(t) - q[0]*u[1]"), mb.Force("z", ("t", 0, "q[1]"))])
LAW = parts_of.Law(parts_of.MEASURE**4, parts_of.MEASURE**2 * parts_of.RATE**3)
MODELS = {name: getattr(mb.library, name)() for name in mb.library.names()}
MODELS |= {"bead": BEAD, "screw": SCREW, "driven": DRIVEN}


@pytest.fixture(params=[*MODELS, "laws"])
def model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> mb.Model:
    """The library, a curve, an expression, programs of forces, and laws, which no force has yet."""
    if request.param != "laws":
        return MODELS[request.param]
    line = parts_of.LineForce(0, "law", (0, 2), ((0, 0, 1), (0.1, 0, 0)), LAW)
    joint = parts_of.JointForce(0, "law", 1, 1, 1, LAW)
    monkeypatch.setattr(pack, "force_primitives", lambda model, extra=(): (line, joint) if model.forces else ())
    return mb.Model(SLIDERS, forces=[mb.Effort("x", 0)])


def place_of_model(entry: EntryPoint) -> int | None:
    """Where among its arguments an entry point takes a model, its data after it; None where it takes none."""
    names = list(inspect.signature(entry.source).parameters)
    return names.index("model") if "model" in names else None


def taking_models() -> set[str]:
    """The entry points that take a model."""
    assert project_frames.settle_frames.name in ENTRY_POINTS
    return {entry.name for entry in ENTRY_POINTS.values() if place_of_model(entry) is not None}


@pytest.mark.parametrize("product", ["kernels", "tangents"])
def test_the_translation_finds_no_kernel_that_writes_to_a_model(product: str) -> None:
    _, table = read_product(name=product)
    found = set()
    for name, signature in table.exports.items():
        entry = ENTRY_POINTS[name.rstrip("'").partition(":")[0]]
        place = place_of_model(entry)
        if place is not None:
            found.add(entry.name)
            place -= entry.kinds.count("Kernel")  # they stand first, and are no arguments of an export
            assert place not in signature.written, name
            if "data" in inspect.signature(entry.source).parameters:
                assert place + 1 in signature.written, name
    assert found == (taking_models() if product == "kernels" else {"state_derivative"})


class Guard:
    """An engine that sees to it that models stay as they are: here, and in the memory of the module."""

    def __init__(self) -> None:
        self._engine: Any = current_engine()
        self.name = self._engine.name
        self.seen: set[str] = set()

    def run(self, entry: EntryPoint, arguments: tuple[Any, ...]) -> Any:
        """Call an entry point with a model that nothing can be written to."""
        place = place_of_model(entry)
        if place is None:
            return self._engine.run(entry, arguments)
        model = arguments[place]
        before = model.tobytes()
        model.flags.writeable = False
        result = self._engine.run(entry, arguments)
        model.flags.writeable = True
        assert model.tobytes() == before, entry.name
        if self.name == "wasm":  # a call lays its arrays one after the other, the model first
            instance = self._engine.instance
            assert instance.floats[instance.top : instance.top + model.size].tobytes() == before, entry.name
        self.seen.add(entry.name)
        return result


def use(model: mb.Model) -> None:
    """Call the kernels by what users do."""
    dynamics, q, u = mb.Dynamics(model), model.q0, model.u0
    for method in ("auto", "radau"):
        motion = mb.simulate(model, duration=0.01, rate=300, method=method, events=[mb.Event("q[0] - 0.01 - t")])
    dynamics.poses(q)
    dynamics.energy(q, u)
    dynamics.mass_matrix(q)
    dynamics.mass_matrix(q[None])
    dynamics.frame(q, u, 0 * u, 0)
    dynamics.jacobian(q, 0)
    motion.point(str(model.bodies[0].name), (0, 0, 0))
    motion.reactions(0)
    motion.mass_moments(0)
    pull_pose(model, q, Grip(0, (0.0, 0.0, 0.1)), (1.0, 0.0, 0.0))
    if model.constraints:
        Constraints(model, motion.packed).close(0.0, q)
        Constraints(model, motion.packed).rank(0.0, q)
        _ = motion.closure.forces
        return
    dynamics.inverse(q, u, dynamics.forward(q, u))
    mb.simulate(model, duration=0.01, rate=300, tau=lambda t, q, u: 0 * u, events=[mb.Event("q[0] - 0.01 - t")])
    release_at(model, 0, q, u)


def use_cone(model: mb.Model) -> None:
    """Call those of rotations about the vertical."""
    with_nearest_permanent_rotation(model)
    array, axis, rooms = (
        pack_model(model).model,
        np.array([0.0, 0.0, 1.0]),
        (np.zeros((CONE_ROWS, 3)), np.zeros((3, 3))),
    )
    nearest_cone_axis(array, axis, *rooms)
    cone_growth.cone_growth(array, axis, 1.0, *rooms)
    cone_growth.cone_arcs(array, np.zeros((4, 3, 3)), np.zeros((4, 3)), np.zeros((4, 3)), *rooms)


@pytest.mark.parametrize("engine", ["python", "wasm"])
def test_no_kernel_writes_to_the_model_that_it_is_given(engine: str) -> None:
    before = mb.engine()
    try:
        mb.engine(engine)
        guard = Guard()
        set_engine(guard)
        for model in (mb.library.pendulum(2), DRIVEN, mb.library.four_bar(), SCREW, BEAD):
            use(model)
        use_cone(mb.library.carousel())
    finally:
        mb.engine(before)
    assert guard.seen == taking_models()


def tables(packed: Packed, data: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """All parts of a model's array and of a data's, by the functions that kernels read them with."""
    header = packed.model[: layout.HEADER]
    programs = packed.model[int(header[layout.AT_STARTS]) : int(header[layout.AT_ROWS])]
    m, d = layout.tables_of(packed.model, data)
    given = [header, m.body, m.column, layout.force_table(m), programs, layout.constraint_table(m)]
    given += [layout.elimination_order(m), layout.equation_groups(m)]
    work = [data[: layout.DATA_HEADER], d.body, d.column, layout.law_table(m, d), layout.program_stack(m, d)]
    work += [layout.curve_feet(m, d), *(layout.constraint_workspace(m, d) if header[layout.EQUATIONS] else ())]
    return given, work


def test_the_tables_of_both_arrays_fill_them_and_do_not_overlap(model: mb.Model) -> None:
    packed = pack_model(model)
    data = packed.new_data()
    assert data.size == packed.model[layout.DATA_SIZE]
    for array, parts in zip((packed.model, data), tables(packed, data), strict=True):
        assert sum(part.size for part in parts) == array.size
        begins = [part.__array_interface__["data"][0] for part in parts if part.size]
        assert begins == sorted(set(begins))
        assert all(np.shares_memory(part, array) for part in parts if part.size)


def states(model: mb.Model, rng: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """What kernels compute at random states, as functions of the two arrays; each returns all that it tells."""
    n, nv = len(model.bodies), model.nv
    q, u, ud, tau = (rng.normal(size=(1, size)) for size in (model.nq, nv, nv, nv))
    t, out = rng.normal(size=1), np.zeros
    state = np.concatenate([q[0], u[0], [0.0]])

    def told(entry: Any, *given: Any) -> Any:
        def call(*arrays: np.ndarray) -> list[bytes]:
            arguments = [item.copy() if isinstance(item, np.ndarray) else item for item in given]
            handed = [arguments.pop(0)] if callable(given[0]) else []
            status = entry(*handed, *arrays, *arguments)
            return [repr(status).encode(), *(item.tobytes() for item in arguments if isinstance(item, np.ndarray))]

        return call

    yield "forward", told(entry_points.forward_dynamics, 0.3, q[0], u[0], tau[0], out(nv))
    yield "frames", told(entry_points.forward_dynamics_frames, t, q, u, tau, out((1, nv)))
    yield "inverse", told(entry_points.inverse_dynamics, t, q, u, ud, out((1, nv)), out((1, n, 6)))
    yield "mass", told(entry_points.fill_mass_matrix, q[0], out((nv, nv)))
    yield "masses", told(entry_points.mass_matrix_frames, q, out((1, nv, nv)))
    point = n - 1, 0.1, 0.2, 0.3
    yield "frame", told(body_frames.frame_motion, *point, q, u, ud, out((1, body_frames.FRAME_COLUMNS)))
    yield "jacobian", told(body_frames.frame_jacobians, *point, q, out((1, 6, nv)))
    yield "poses", told(entry_points.body_poses, q, out((1, n, 3)), out((1, n, 4)))
    yield "energy", told(entry_points.energy_and_momenta, q, u, out((1, 8)))
    yield "point", told(entry_points.point_kinematics, *point, q, u, ud, out((1, 9)))
    size = nv + 6
    opened = out((1, size, size)), out((1, size)), out((1, size)), out((1, 3)), out((1, nv, 3))
    yield "opened", told(opened_joint_equations, n - 1, t, q, u, *opened, *allocate_work_space(nv))
    yield "tree", told(entry_points.state_derivative, entry_points.tree_derivative, tau[0], 0.3, state, out(len(state)))
    if model.constraints:
        packed = pack_model(model)
        m, rows = int(packed.model[layout.EQUATIONS]), int(packed.model[layout.ROWS])
        given = t, q, u, ud, tau, rng.normal(size=(1, m)), rng.normal(size=(1, rows)), out((1, nv)), out((1, n, 6))
        yield "reactions", told(constrained_reactions, *given)
        yield "held", told(entry_points.state_derivative, constrained_derivative, tau[0], 0.3, state, out(len(state)))
    else:
        yield "signals", told(read_signals, 0.3, state, int(pack_model(model).model[layout.PROGRAMS]), out(99))


def observing(packed: Packed) -> np.ndarray:
    """A new data that asks for what is kept to no state but its own."""
    data = packed.new_data()
    data[layout.TASK] = layout.OBSERVE
    return data


def test_what_is_computed_does_not_depend_on_what_a_data_was_used_for(
    model: mb.Model, rng: np.random.Generator
) -> None:
    packed = pack_model(model)
    used = observing(packed)
    calls = [call for _ in range(4) for call in states(model, rng)]
    guided = (layout.constraint_table(packed.tables)[:, layout.C_KIND] >= layout.CURVE).any()
    for k in rng.permutation(len(calls)):
        name, call = calls[k]
        if guided and name == "held":
            layout.reset_data(packed.model, used)  # the search for a curve's foot begins at the last one
            used[layout.TASK] = layout.OBSERVE
        assert call(packed.model, used) == call(packed.model, observing(packed)), name


def test_a_motion_leaves_nothing_behind_that_a_reset_does_not_take_away(model: mb.Model) -> None:
    packed = pack_model(model)
    data, state = packed.new_data(), np.concatenate([model.q0, model.u0, [0.0]])
    function = constrained_derivative if model.constraints else entry_points.tree_derivative
    entry_points.state_derivative(function, packed.model, data, np.ones(model.nv), 0.2, state, np.zeros_like(state))
    assert data.tobytes() != packed.new_data().tobytes()
    layout.reset_data(packed.model, data)
    assert data.tobytes() == packed.new_data().tobytes()


def test_threads_share_a_model_with_a_data_each(rng: np.random.Generator) -> None:
    model, frames = mb.library.six_axis_arm(), 2000
    packed, t = pack_model(model), np.zeros(frames)
    packed.model.flags.writeable = False
    q, u, tau = (rng.normal(size=(frames, model.nv)) for _ in range(3))

    def accelerations(_: int) -> bytes:
        out = np.zeros((frames, model.nv))
        entry_points.forward_dynamics_frames(packed.model, packed.new_data(), t, q, u, tau, out)
        return out.tobytes()

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(accelerations, range(8))) == {accelerations(0)}

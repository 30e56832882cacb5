"""What `Dynamics` takes: any sequence of numbers."""

from __future__ import annotations

import numpy as np
import pytest

from mbwidgets.errors import MbwidgetsError, StateError
from mbwidgets.model import library
from mbwidgets.model.bodies import Body
from mbwidgets.model.joints import Prismatic
from mbwidgets.model.model import Model
from mbwidgets.numeric.simulation.simulate import simulate
from mbwidgets.numeric.states.dynamics import Dynamics

Q, U, TAU = np.array([0.4, -0.6, 1.1]), np.array([2.0, -1.5, 3.0]), np.array([1.0, 2.0, 3.0])


def read_only(values: np.ndarray) -> np.ndarray:
    copy = values.copy()
    copy.flags.writeable = False
    return copy


@pytest.mark.parametrize(
    "form",
    [list, tuple, read_only, lambda x: np.repeat(x, 2)[::2], lambda x: x.astype(object)],
    ids=["list", "tuple", "read-only", "strided", "objects"],
)
def test_every_form_of_numbers_gives_the_same(form) -> None:
    dynamics = Dynamics(library.three_body_arm())
    expected = dynamics.forward(Q, U, TAU), dynamics.reactions(Q, U, TAU)
    assert np.array_equal(dynamics.forward(form(Q), form(U), form(TAU)), expected[0])
    assert np.array_equal(dynamics.reactions(form(Q), form(U), form(TAU)), expected[1])


@pytest.mark.parametrize(
    "state",
    [(Q[:2], U), (Q, U[:2]), (Q, U, TAU[:2]), (Q[None, :2], U), ("abc", U), (Q * np.nan, U), (Q, U * np.nan)],
    ids=["short q", "short u", "short tau", "short q of many", "text", "NaN in q", "NaN in u"],
)
def test_a_state_of_the_wrong_shape_is_refused(state) -> None:
    with pytest.raises(StateError):
        Dynamics(library.three_body_arm()).forward(*state)


@pytest.mark.parametrize("values", [[1j, 0, 0], np.array([1j, 0, 0]), np.zeros(3, dtype=complex)])
def test_complex_numbers_are_refused_not_cut(values) -> None:
    dynamics = Dynamics(library.three_body_arm())
    calls = (
        lambda: dynamics.forward(values, U),
        lambda: dynamics.forward(Q, values),
        lambda: dynamics.mass_matrix(values),
        lambda: dynamics.inverse(Q, U, values),
        lambda: simulate(library.three_body_arm(), q=values, duration=0.1),
    )
    for call in calls:
        with pytest.raises(StateError):
            call()


@pytest.mark.parametrize("time", ["x", None, 1j, [1.0, 2.0], float("nan")])
def test_a_time_that_is_no_number_is_refused(time) -> None:
    motion = simulate(library.pendulum(), duration=0.1)
    with pytest.raises(MbwidgetsError):
        motion.index(time)
    closed = library.four_bar()
    refuse_time(Dynamics(library.pendulum()), [0.0], [0.0], time)
    refuse_time(Dynamics(closed), closed.q0, closed.u0, time)


def refuse_time(dynamics: Dynamics, q, u, time) -> None:
    calls = (
        lambda: dynamics.forward(q, u, t=time),
        lambda: dynamics.inverse(q, u, u, t=time),
        lambda: dynamics.reactions(q, u, u, t=time),
        lambda: dynamics.bias(q, u, t=time),
        lambda: dynamics.mass_matrix(q, t=time),
        lambda: dynamics.poses(q, t=time),
        lambda: dynamics.energy(q, u, t=time),
        lambda: dynamics.momentum(q, u, t=time),
    )
    for call in calls:
        with pytest.raises(StateError, match="t = "):
            call()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_coordinate_that_is_no_number_is_refused_where_nothing_depends_on_it(value) -> None:
    """The mass matrix of a slide, and the poses of a body on a hinge, are the same everywhere."""
    for model in (library.pendulum(), Model([Body("mass", Prismatic("x"), mass=1)])):
        dynamics = Dynamics(model)
        for call in (dynamics.poses, dynamics.mass_matrix):
            with pytest.raises(StateError, match="give finite numbers"):
                call([value])
        for call in (dynamics.forward, dynamics.energy):
            with pytest.raises(StateError, match="give finite numbers"):
                call([value], [0.0])


@pytest.mark.parametrize("method", ["auto", "radau"])
def test_what_a_function_does_to_its_arguments_does_not_reach_the_motion(method) -> None:
    def spoil(t, q, u) -> list[float]:
        result = [-q[0]]
        q[:], u[:] = 7.0, 9.0
        return result

    def signal(t, q, u) -> float:
        result = q[0] - 0.2
        q[:], u[:] = 7.0, 9.0
        return result

    start = {"q": [0.5], "duration": 1, "rtol": 1e-9, "method": method}
    spoilt = simulate(library.pendulum(), tau=spoil, events=[signal], **start)
    plain = simulate(library.pendulum(), tau=lambda t, q, u: [-q[0]], events=[lambda t, q, u: q[0] - 0.2], **start)
    assert np.array_equal(spoilt.q, plain.q)
    assert np.array_equal(spoilt.u, plain.u)
    assert np.array_equal(spoilt.efforts, plain.efforts)
    assert [found.time for found in spoilt.events] == [found.time for found in plain.events] != []


@pytest.mark.parametrize("wrong", [0.5, [0.5], np.ones((1, 2)), np.ones(3, dtype=complex), "abc"])
def test_after_a_state_that_is_refused_the_next_one_is_right(wrong) -> None:
    dynamics = Dynamics(library.three_body_arm())
    expected, free = dynamics.forward(Q, U, TAU), dynamics.forward(Q, U)
    for state in ((wrong, U, TAU), (Q, wrong, TAU), (Q, U, wrong)):
        for ask in (dynamics.forward, dynamics.reactions):
            with pytest.raises(StateError):
                ask(*state)
        assert (dynamics.forward(Q, U) == free).all()
        assert (dynamics.forward(Q, U, TAU) == expected).all()

"""Linear equations beside a route of their own with 120 digits, closed forms, formulae in letters, and motions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import mbwidgets as mb
from mbwidgets.numeric.linear.state_slopes import Slopes, moved_coordinates
from tests.numeric.linear.exact_slopes import linear_reference
from tests.random_models import random_chain, random_inertia, random_joint, random_state
from tests.thorough import THOROUGH


def assert_slopes(model: mb.Model, small: mb.Linear, t: float = 0.0, prescribed: tuple[float, ...] = ()) -> None:
    """A to 1e-10 of its largest entry, and B with an input at every velocity."""
    A, B = linear_reference(model, small.q, small.u, list(small.independent), t, prescribed)
    assert abs(small.A - A).max() <= 1e-10 * max(1.0, abs(A).max())
    assert abs(small.B - B).max() <= 1e-10 * max(1.0, abs(B).max())


def random_mechanism(rng: np.random.Generator, n: int, kinds: tuple[str, ...], closed: int = 0) -> mb.Model:
    """A tree in a random state; the last ``closed`` bodies are pinned to the ground at the point where they are."""
    bodies = []
    for k in range(n):
        parent = mb.ground if k == 0 else f"body{int(rng.integers(max(0, k - 2), k))}"
        mass = float(rng.uniform(0.5, 3.0))
        joint = random_joint(rng, str(rng.choice(kinds)))
        inertia = random_inertia(rng, mass).tolist()
        bodies.append(
            mb.Body(f"body{k}", joint, mass=mass, com=rng.uniform(-0.4, 0.4, 3), inertia=inertia, parent=parent)
        )
    model = mb.Model(bodies, gravity=rng.normal(size=3) * 6, name="random mechanism")
    state = random_state(rng, model)
    model = model.replace(state=mb.State(q=state.q.tolist(), u=state.u.tolist()))
    constraints = []
    for k in range(n - closed, n):
        at = rng.uniform(-0.5, 0.5, 3)
        frame = mb.Dynamics(model).frame(state.q, 0 * state.u, 0 * state.u, k, at)
        constraints.append(mb.PointConstraint((f"body{k}", tuple(at)), (None, tuple(frame.position))))
    return model.replace(constraints=constraints)


@pytest.mark.parametrize("number", range(100 if THOROUGH else 8))
def test_slopes_of_random_trees_are_those_of_long_differences(number: int, rng: np.random.Generator) -> None:
    model = random_chain(rng, 1 + number % 5, kinds=("revolute", "prismatic"))
    joints = [body.name for body in model.bodies]
    loads = [mb.JointSpring(joints[0], stiffness=3.0, rest=0.2), mb.JointDamper(joints[-1], damping=0.4)]
    model = model.replace(forces=loads if number % 2 else ())
    assert_slopes(model, mb.linearise(model, inputs=model.velocity_names))


@pytest.mark.parametrize("number", range(50 if THOROUGH else 5))
def test_slopes_of_trees_with_balls_are_those_of_long_differences(number: int, rng: np.random.Generator) -> None:
    kinds = ("spherical", "free", "universal", "revolute", "planar", "cylindrical")
    model = random_mechanism(rng, 1 + number % 3, kinds if number % 2 else ("spherical",))
    assert_slopes(model, mb.linearise(model, inputs=model.velocity_names))


@pytest.mark.parametrize("number", range(30 if THOROUGH else 5))
def test_slopes_of_closed_loops_are_those_of_long_differences(number: int, rng: np.random.Generator) -> None:
    kinds = ("revolute", "spherical", "prismatic") if number % 2 else ("revolute", "prismatic")
    model = random_mechanism(rng, 4 + number % 2, kinds, closed=1)
    small = mb.linearise(model, inputs=model.velocity_names)
    assert len(small.coordinates) == model.nv - 3
    assert_slopes(model, small)


@pytest.mark.parametrize("number", range(10 if THOROUGH else 3))
def test_slopes_beside_prescribed_motions_are_those_of_long_differences(number: int, rng: np.random.Generator) -> None:
    model = random_mechanism(rng, 3 + number % 2, ("revolute", "prismatic"))
    joint = model.bodies[int(rng.integers(len(model.bodies)))].name
    b, c = (float(x) for x in rng.normal(size=2))
    a = float(model.q0[model.q_offsets[model.index(joint)]])
    model = model.replace(constraints=[mb.Prescribed(joint, f"{a!r} + {b!r}*t + {c!r}*t**2")])
    small = mb.linearise(model, inputs=model.velocity_names)
    assert joint not in small.coordinates
    assert_slopes(model, small, 0.0, (a, b, c))


def test_redundant_loops_are_linearised_as_others_are() -> None:
    for model in (mb.library.four_bar(), mb.library.andrews_squeezer().replace(forces=())):
        small = mb.linearise(model, inputs=model.velocity_names)
        assert len(small.coordinates) == 1
        assert_slopes(model, small)


def test_an_inverted_pendulum_on_a_cart_has_the_books_matrices() -> None:
    M, m, half, g = 2.0, 0.5, 0.4, 9.81
    J = m * half**2 / 3
    rod = mb.Body("rod", mb.Revolute("y"), mass=m, com=(0, 0, half), inertia=(J, J, 0))
    model = mb.Model([mb.Body("cart", mb.Prismatic("x"), mass=M), rod], gravity=(0, 0, -g))
    small = mb.linearise(model, inputs=["cart"], outputs=["q[0]", ("position", "rod", (0, 0, 2 * half))])
    # Åström and Murray, Feedback Systems, example 6.7, upright, no friction; their θ leans the other way
    below = (M + m) * (J + m * half**2) - (m * half) ** 2
    A = np.zeros((4, 4))
    A[:2, 2:] = np.eye(2)
    A[2, 1], A[3, 1] = -((m * half) ** 2) * g / below, (M + m) * m * g * half / below
    assert pytest.approx(A, abs=1e-13) == small.A
    assert small.B[:, 0] == pytest.approx([0, 0, (J + m * half**2) / below, -m * half / below], abs=1e-13)
    assert (
        pytest.approx(np.array([[1, 0, 0, 0], [1, 2 * half, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]), abs=1e-15) == small.G
    )
    assert small.inputs == ("cart",)
    assert small.outputs == ("q[0]", "position of rod: x", "position of rod: y", "position of rod: z")
    assert small.stable is False


def test_letters_and_numbers_agree() -> None:
    model = mb.library.three_body_arm()
    small = mb.linearise(model)
    letters = small.formulae
    for numbers, formula in ((small.M, letters.mass), (small.C, letters.damping), (small.K, letters.stiffness)):
        assert numbers == pytest.approx(formula.evaluate(), rel=1e-10, abs=1e-10 * abs(numbers).max())


AT_REST = ["pendulum", "cart_pendulum", "four_bar", "slider_crank", "carousel", "six_axis_arm"]


@pytest.mark.parametrize("name", AT_REST)
def test_a_small_push_goes_as_the_linear_equations_say(name: str) -> None:
    """A motion from beside an equilibrium, over half a second, beside exp(A t) x₀: quadratic terms are left."""
    model = mb.equilibrium(getattr(mb.library, name)())
    small = mb.linearise(model)
    k, size = len(small.coordinates), 1e-5
    x0 = size * np.random.default_rng(3).normal(size=2 * k)
    x0[:k] = 0.0  # a push: its start meets the constraints without more
    motion = mb.simulate(model, u=small.u + small.null_space @ x0[k:], duration=0.5, rate=20, rtol=1e-12)
    for q, u, t in zip(motion.q, motion.u, motion.t, strict=True):
        x = expm(small.A * t) @ x0
        assert u[list(small.independent)] == pytest.approx(
            x[k:], abs=1e-4 * size * max(1.0, abs(expm(small.A * t)).max())
        )
        if model.nq == model.nv:
            assert (q - small.q)[list(small.independent)] == pytest.approx(x[:k], abs=1e-4 * size)


@pytest.mark.parametrize("name", ["pendulum", "four_bar", "carousel"])
def test_a_mode_that_is_played_has_its_frequency_and_meets_the_constraints(name: str) -> None:
    model = getattr(mb.library, name)()
    hanging = {"pendulum": [0.2], "four_bar": mb.assemble(model, crank=4.5).q0 if name == "four_bar" else None}
    small = mb.linearise(mb.equilibrium(model, hanging.get(name)))
    number = int(abs(small.eigenvalues.imag).argmax())
    motion = small.play(number, amplitude=0.01)
    assert motion.constraint_residual.max() < 1e-12
    assert motion.outcome.ok
    assert "linear" in repr(motion)
    ends = motion.q[[0, len(motion) // 2, -1]]
    assert abs(ends - ends[0]).max() < 1e-4  # after each whole period, but for what is quadratic
    assert abs(motion.q - motion.q[0]).max() > 0.005
    assert mb.linearise(small.model).modes.shape == (2 * len(small.coordinates),) * 2


@pytest.mark.parametrize("name", ["three_body_arm", "four_bar", "spinning_top", "bricard"])
def test_outputs_are_what_differences_tend_to(name: str) -> None:
    model = getattr(mb.library, name)()
    body = model.bodies[-1].name
    at = (0.1, -0.2, 0.3)
    outputs = ["sin(q[0])*u[0]", ("position", body, at), ("velocity", body, at)]
    small = mb.linearise(model, outputs=outputs)
    dynamics, h = mb.Dynamics(model), 1e-6
    k = len(small.coordinates)

    def values(x: np.ndarray) -> np.ndarray:
        # to first order: what the constraints ask of the others is their least change
        q = moved_coordinates(model, small.q, small.null_space @ x[:k])
        u = small.u + follow @ x[:k] + small.null_space @ x[k:]
        frame = dynamics.frame(q, u, 0 * u, body, at)
        return np.array([np.sin(q[0]) * u[0], *frame.position, *frame.velocity[:3]])

    slopes = Slopes(model, small.q, small.u, np.zeros(model.nv), 0.0)
    follow = slopes.dependent_velocities(np.array(small.independent), small.null_space)
    for j in range(2 * k):
        x = np.zeros(2 * k)
        x[j] = h
        expected = (values(x) - values(-x)) / (2 * h)
        assert small.G[:, j] == pytest.approx(expected, abs=1e-7 * max(1.0, abs(expected).max()))


def test_outputs_go_by_the_names_of_joints_and_points() -> None:
    model = mb.library.cart_pendulum()
    named = mb.linearise(model, outputs=["q[rod]", "u[cart]**2", "x[rod, 0, 0, -1]"])
    numbered = mb.linearise(model, outputs=["q[1]", "u[0]**2", ("position", "rod", (0, 0, -1))])
    assert np.allclose(named.G, numbered.G[:3], atol=1e-15)
    with pytest.raises(mb.UnknownNameError, match=r"output 0: .*'foo' is not a parameter"):
        mb.linearise(model, outputs=["foo"])


def test_a_cart_and_a_pendulum_are_linear_as_drake_says() -> None:
    """pydrake 1.51.1, ``Linearize`` of the same bodies read from a URDF, about the upright pose; its θ is ours."""
    upright = mb.equilibrium(mb.library.cart_pendulum(), q={"cart": 0, "rod": 3.0})
    small = mb.linearise(upright, inputs=["cart"])
    A = np.zeros((4, 4))
    A[:2, 2:], A[2, 1], A[3, 1] = np.eye(2), -2.2630105807086616, 18.104084645669293
    assert pytest.approx(A, abs=1e-12) == small.A
    assert small.B[:, 0] == pytest.approx([0, 0, 0.3076710137795276, -0.46136811023622054], abs=1e-14)


@pytest.mark.thorough
def test_a_four_bar_is_linear_as_sympys_reduction_to_its_crank_says() -> None:
    """T = ½ μ(a) ȧ², V(a); D = ∂_a + b′ ∂_b + c′ ∂_c along the closed loop: ä = (τ − V′ − ½ μ′ ȧ²)/μ, by SymPy."""
    import sympy

    model = mb.library.four_bar()
    a, b, c, w = sympy.symbols("a b c w")  # the bars' angles with x, and ȧ
    l1, l2, l3, l4, g = (sympy.Rational(str(model.values[name])) for name in ("l1", "l2", "l3", "l4", "g"))
    loop = sympy.Matrix(
        [l1 * sympy.cos(a) + l2 * sympy.cos(b) - l4 - l3 * sympy.cos(c), l1 * sympy.sin(a) + l2 * sympy.sin(b)]
    ) - sympy.Matrix([0, l3 * sympy.sin(c)])
    slope = -loop.jacobian([b, c]).LUsolve(loop.diff(a))

    def along(value: sympy.Expr) -> sympy.Expr:
        return value.diff(a) + slope[0] * value.diff(b) + slope[1] * value.diff(c)

    mu, V = sympy.Integer(0), sympy.Integer(0)
    ends = {"crank": (0, 0, a), "coupler": (l1 * sympy.cos(a), l1 * sympy.sin(a), b), "rocker": (l4, 0, c)}
    for name, (x, y, angle) in ends.items():
        body = model.body(name)
        m, reach, J = (sympy.Float(model.number(item), 40) for item in (body.mass, body.com[0], body.inertia[2][2]))
        place = x + reach * sympy.cos(angle), y + reach * sympy.sin(angle)
        mu += m * sum(along(item) ** 2 for item in place) + J * along(angle) ** 2
        V += m * g * place[1]
    speedup = (-along(V) - along(mu) * w**2 / 2) / mu
    small = mb.linearise(model, inputs=["crank"])
    q, u = small.q, small.u[0]
    here = dict(zip((a, b, c, w), map(sympy.Float, (q[0], q[0] + q[1], q[2], u)), strict=True))
    found = [[along(speedup), speedup.diff(w)], [1 / mu]]
    expected = [[float(item.evalf(30, subs=here)) for item in row] for row in found]
    assert small.A[1] == pytest.approx(expected[0], rel=1e-10)
    assert small.B[1, 0] == pytest.approx(expected[1][0], rel=1e-12)


def test_a_state_that_does_not_stay_is_told() -> None:
    """u̇ ≠ 0, or a swing through the lowest place; silence at equilibrium, by hand or found, and in steady motion."""
    model = mb.library.pendulum(1)
    away = mb.linearise(model, q=[1.0])
    assert "u̇ ≠ 0 here: u̇ of rod 1 = -12.4" in repr(away)  # −(3/2) g/l sin 1
    assert not away.steady
    passing = mb.linearise(model, q=[0.0], u=[2.0])  # u̇ = 0 now, ü = −(3/2) g/l u
    assert "u̇ of rod 1 changes by -29.4 a second" in repr(passing)
    still = [
        mb.linearise(model, q=[0.0]),
        mb.linearise(model, q=[3.14159]),
        mb.linearise(mb.equilibrium(mb.library.cart_pendulum(), q=[0, np.pi])),
        mb.linearise(mb.equilibrium(mb.library.four_bar())),
        mb.linearise(mb.library.rotor().replace(gravity=(0, 0, 0))),
        mb.linearise(mb.Model([mb.Body("top", mb.Spherical(), mass=1, com=(0, 0, 1), inertia=(2, 2, 1))]), u=[0, 0, 9]),
    ]
    cone = mb.Model(  # a rod that leans and is turned steadily: cos θ = 3 g / (2 l ω²)
        [
            mb.Body("hub", mb.Revolute("z"), mass=1, inertia=(1, 1, 1)),
            mb.Body("rod", mb.Revolute("y"), inertia=mb.Rod(1, axis="z", at=(0, 0, -0.5), mass=1)),
        ],
        constraints=[mb.Prescribed("hub", "6*t")],
    )
    lean = float(np.arccos(3 * 9.81 / (2 * 36)))
    still.append(mb.linearise(cone, q=[0, lean], u=[6, 0]))
    for small in still:
        assert small.steady, small
        assert "here" not in repr(small)
    assert not mb.linearise(mb.library.rotor()).steady  # its axis is level: gravity speeds it up and down
    assert not mb.linearise(cone, q=[0, lean + 0.05], u=[6, 0]).steady


def test_formulae_of_an_equilibrium_are_those_of_its_exact_pose() -> None:
    """A rod stands at π, which a float only nears: no digit of it is left in the letters, and no rounding of u̇."""
    cart = mb.equilibrium(mb.library.cart_pendulum(), q=[0, 3.0])
    assert str(mb.linearise(cart).formulae.stiffness) == "[[0, 0], [0, -g*l*m/2]]"
    assert str(mb.linearise(mb.library.pendulum(1), q=[np.pi / 2]).formulae.stiffness) == "[[0]]"
    away = mb.linearise(mb.library.pendulum(1), q=[np.pi + 1e-6]).formulae.stiffness
    assert "cos(" in str(away), "a state beside it is itself"

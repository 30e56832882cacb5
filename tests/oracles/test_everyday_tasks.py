"""Everyday tasks beside the numbers that other engines gave for them, written as their users would.

Pinocchio 4.1.0 with SciPy 1.17.1, MuJoCo 4.0.0 (RK4, 0.1 ms), Drake 1.51.1 (Runge-Kutta 5, accuracy 1e-11) and SymPy
1.14.0. Ours agrees to 1e-6 or better, which the peers' tolerances allow.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import solve_continuous_are

import mbwidgets as mb

pytestmark = pytest.mark.oracle
CLOSE = {"rel": 1e-6, "abs": 1e-9}
PIN_FORCE, PIN_FORCE_TIME = 213.16831745529552, 2.3809949725214823  # N, s
PRECESSION = 0.8234655995970115  # rad/s
CRANK_TORQUES = (13.301871793256607, 13.047543452429716, 8.618598086947966)  # N m: largest, frames 100 and 200
STUDY = [
    *(162.48600555629227, 223.86645746235354, 507.08513348965204, 401.5604047450153),
    *(127.67667943500196, 183.5486754312339, 223.87515408553372, 393.00171081135653),
    *(89.7386850285957, 218.98750942967268, 186.75960432310214, 367.43122107885574),
    *(137.79561959266744, 185.1342300084676, 227.87360882486246, 317.30545588248066),
]  # N


def test_the_largest_pin_force_of_a_double_pendulum_is_pinocchios() -> None:
    peak = mb.simulate(mb.library.pendulum(2), q={"rod 1": 2.0, "rod 2": 0.5}, duration=5).maximum(("force", "rod 2"))
    assert (peak.value, peak.time) == pytest.approx((PIN_FORCE, PIN_FORCE_TIME), **CLOSE)


def test_a_cart_under_an_lqr_controller_goes_where_drakes_does() -> None:
    """Sampled every 10 ms, held, saturated; 6 s from a lean of 0.3 rad."""
    upright = mb.equilibrium(mb.library.cart_pendulum(), q={"cart": 0, "rod": 3.0})
    linear = mb.linearise(upright, inputs=["cart"])
    gain = (linear.B.T @ solve_continuous_are(linear.A, linear.B, np.diag([10, 100, 1, 1]), np.eye(1)))[0]
    assert gain == pytest.approx(
        [-3.1622776601683853, -107.14157908177494, -6.6915231817149134, -25.834174695895243], rel=1e-10
    )
    force = mb.Controller(lambda t, q, u: -gain @ np.concatenate([q - upright.q0, u]), sample=0.01, limit=60)
    start = {"cart": 0, "rod": upright.q0[1] + 0.3}
    motion = mb.simulate(upright, q=start, tau={"cart": force}, duration=6)
    assert motion.q[-1] - upright.q0 == pytest.approx([-0.026745754562949912, 0.005876244874178482], **CLOSE)


def test_a_gyroscope_precesses_as_mujocos() -> None:
    spin, lean = 300.0, 0.5
    top = mb.Body("top", mb.Spherical(), mass=1, com=(0, 0, 0.1), inertia=(0.002, 0.002, 0.004))
    steady = [0, 9.81 * 0.1 / (0.004 * spin) * np.sin(lean), spin]
    start = [np.sin(lean / 2), 0, 0, np.cos(lean / 2)]
    motion = mb.simulate(mb.Model([top]), q=start, u=steady, duration=4, rate=200)
    x, y = motion.point("top", (0, 0, 1)).position[:, :2].T
    turned = np.unwrap(np.arctan2(y, x))
    assert (turned[-1] - turned[0]) / 4 == pytest.approx(PRECESSION, **CLOSE)


def test_the_torque_of_a_driven_slider_crank_is_sympys() -> None:
    engine = mb.library.slider_crank()
    driven = engine.replace(constraints=[*engine.constraints, mb.Prescribed("crank", "10*t")])
    motion = mb.simulate(mb.assemble(driven), duration=np.pi / 20, rate=2000)
    torque = motion.drive("crank")
    found = motion.maximum(("drive", "crank")).value, torque[100], torque[200]
    assert found == pytest.approx(CRANK_TORQUES, **CLOSE)


def test_a_study_of_pin_forces_is_pinocchios() -> None:
    """The largest force in the shoulder of the three-body arm over m3 and l2."""
    arm = mb.library.three_body_arm()
    found = [
        mb.simulate(arm.with_values(m3=m, l2=b), duration=1).maximum(("force", "upper")).value
        for b in np.linspace(0.4, 1.2, 4)
        for m in np.linspace(1, 8, 4)
    ]
    assert found == pytest.approx(STUDY, **CLOSE)

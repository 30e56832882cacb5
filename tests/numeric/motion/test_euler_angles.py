"""The 3-1-3 angles of Tătaru (37)-(40) as a display of the quaternion."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mbwidgets as mb
from mbwidgets.numeric.motion.euler_angles import euler_angles, quaternion_of_angles


def test_the_angles_are_the_quaternion_there_and_back(rng: np.random.Generator) -> None:
    quaternions = Rotation.random(500, rng=rng).as_quat()
    psi, theta, phi, singular = euler_angles(quaternions)
    assert not singular.any()
    back = Rotation.from_quat(quaternion_of_angles(psi, theta, phi))
    assert (back * Rotation.from_quat(quaternions).inv()).magnitude().max() < 1e-12
    assert (
        np.abs(back.as_matrix() - Rotation.from_euler("ZXZ", np.stack([psi, theta, phi], axis=1)).as_matrix()).max()
        < 1e-12
    )


def test_the_angles_are_those_of_scipy(rng: np.random.Generator) -> None:
    turn = Rotation.random(200, rng=rng)
    psi, theta, phi, _ = euler_angles(turn.as_quat())
    expected = turn.as_euler("ZXZ")
    for found, column in zip((psi, theta, phi), expected.T, strict=True):
        assert np.abs(np.exp(1j * found) - np.exp(1j * column)).max() < 1e-10


@pytest.mark.parametrize(("theta", "known"), [(0.0, "Ψ + φ"), (np.pi, "Ψ − φ")])
def test_the_singularity_is_named(theta: float, known: str) -> None:
    found = euler_angles(quaternion_of_angles(0.4, theta, 0.3))
    assert bool(found.singular)
    assert found.precession == 0.0
    total = 0.7 if theta == 0 else -0.1
    assert abs(found.rotation - total) < 1e-12
    assert known in found.words
    assert "singular" in found.words
    assert "singular" not in euler_angles(quaternion_of_angles(0.4, 1.0, 0.3)).words


def test_plane_motion_is_all_rotation() -> None:
    """(61) holds because Ψ = θ = 0, where the angles are singular."""
    phi = np.linspace(-3, 3, 13)
    found = euler_angles(np.stack([0 * phi, 0 * phi, np.sin(phi / 2), np.cos(phi / 2)], axis=1))
    assert found.singular.all()
    assert np.abs(found.rotation - phi).max() < 1e-12
    assert "Ψ + φ" in found.words


@pytest.mark.parametrize("bad", [[0, 0, 0, 0], [np.nan, 0, 0, 1], [1, 0, 0]])
def test_what_is_no_quaternion_is_refused(bad: list[float]) -> None:
    with pytest.raises(mb.StateError, match="quaternion"):
        euler_angles(bad)

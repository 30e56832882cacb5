"""Quaternions and matrices of the picture, against SciPy."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from mbwidgets.numeric.base.rotations import (
    continuous_quaternions,
    cross_rows,
    farthest_axis,
    parallel_axes,
    quaternion_from_y,
    quaternion_of_matrix,
    quaternion_product,
    rotate_vectors,
    rotation_matrices,
    skew_matrix,
    unit_vector,
)

# a dozen multiplications of numbers of order one
TOLERANCE = 1e-14


def test_matrices_and_quaternions_are_those_of_scipy(rng: np.random.Generator) -> None:
    expected = Rotation.random(200, rng=rng)
    found = rotation_matrices(expected.as_quat())
    assert np.allclose(found, expected.as_matrix(), rtol=0, atol=TOLERANCE)
    for matrix in found:
        assert np.allclose(
            rotation_matrices(np.array(quaternion_of_matrix(matrix))), matrix, rtol=0, atol=10 * TOLERANCE
        )


def test_half_turns_have_a_quaternion() -> None:
    for axis in (*np.eye(3), np.array([1, 1, 0]) / np.sqrt(2)):
        matrix = 2 * np.outer(axis, axis) - np.eye(3)
        assert np.allclose(rotation_matrices(np.array(quaternion_of_matrix(matrix))), matrix, rtol=0, atol=TOLERANCE)


def test_turn_to_takes_y_to_any_direction(rng: np.random.Generator) -> None:
    for direction in (*rng.normal(size=(100, 3)), [0, -1, 0], [0, 1, 0], [1e-9, -1, 0]):
        unit = np.array(direction) / np.linalg.norm(direction)
        turned = rotate_vectors(rotation_matrices(np.array(quaternion_from_y(direction))), (0, 1, 0))
        # near the half turn the axis itself is only known to about 1e-8
        assert np.allclose(turned, unit, rtol=0, atol=2e-8)


def test_signs_of_quaternions_do_not_jump(rng: np.random.Generator) -> None:
    smooth = Rotation.from_rotvec(np.linspace(0, 20, 400)[:, None] * [[0.3, 0.5, 0.8]]).as_quat()
    signs = rng.choice([-1.0, 1.0], size=(400, 1))
    found = continuous_quaternions((smooth * signs)[:, None])[:, 0]
    assert (np.einsum("fi,fi->f", found[1:], found[:-1]) > 0).all()
    assert np.allclose(rotation_matrices(found), rotation_matrices(smooth), rtol=0, atol=TOLERANCE)


def test_the_product_of_quaternions_is_that_of_their_matrices(rng: np.random.Generator) -> None:
    first, second = Rotation.random(200, rng=rng), Rotation.random(200, rng=rng)
    found = rotation_matrices(quaternion_product(first.as_quat(), second.as_quat()))
    assert np.allclose(found, (first * second).as_matrix(), rtol=0, atol=TOLERANCE)


def test_the_skew_matrix_and_the_rows_are_the_cross_product(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 50, 3))
    assert np.array_equal(cross_rows(a, b), np.cross(a, b))
    assert np.allclose(rotate_vectors(skew_matrix(a), b), np.cross(a, b), rtol=0, atol=TOLERANCE)


def test_inertia_about_a_pole_is_that_of_the_points_about_it(rng: np.random.Generator) -> None:
    """Steiner: J = J_C + m (d·d I − d dᵀ), against the sum over points."""
    masses, points, pole = rng.uniform(0.1, 1, size=6), rng.normal(size=(6, 3)), rng.normal(size=3)
    centre = masses @ points / masses.sum()

    def inertia(about: np.ndarray) -> np.ndarray:
        r = points - about
        return np.einsum(
            "k,kij->ij", masses, (r * r).sum(axis=1)[:, None, None] * np.eye(3) - r[:, :, None] * r[:, None]
        )

    found = parallel_axes(inertia(centre), masses.sum(), centre - pole)
    # sums of six products of order ten
    assert np.allclose(found, inertia(pole), rtol=0, atol=100 * TOLERANCE)


def test_a_unit_vector_and_the_axis_farthest_from_it_are_never_parallel(rng: np.random.Generator) -> None:
    for vector in (*rng.normal(size=(50, 3)), *np.eye(3)):
        unit = unit_vector(vector)
        assert abs(np.linalg.norm(unit) - 1) < TOLERANCE
        # the least of three squares that sum to one is at most a third
        assert np.linalg.norm(np.cross(unit, farthest_axis(unit))) > 0.8

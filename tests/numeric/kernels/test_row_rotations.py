"""Singular values, least changes and assembled loops by kernels, against LAPACK and against the equations."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.model.displacement import displaced_coordinates
from mbwidgets.numeric.kernels import assembly
from mbwidgets.numeric.kernels import memory_layout as layout
from mbwidgets.numeric.kernels.constraint_frames import shortest_multipliers
from mbwidgets.numeric.kernels.constraint_metric import solve_least
from mbwidgets.numeric.kernels.row_rotations import orthogonalise_rows
from mbwidgets.numeric.packing.pack import pack_model
from mbwidgets.numeric.states.constraint_system import Constraints

LOOPS = [name for name in mb.library.names() if getattr(mb.library, name)().constraints]


def _matrix(random: np.random.Generator) -> np.ndarray:
    """Any shape and rank, rows from 1e-5 to 1 long."""
    m, n = random.integers(1, 9, size=2)
    rank = int(random.integers(1, min(m, n) + 1))
    rows = random.normal(size=(m, rank)) @ random.normal(size=(rank, n))
    return np.asarray(rows * 10.0 ** random.uniform(-5, 0, size=(m, 1)))


def test_rotated_rows_are_singular_values_times_directions(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(200):
        A = _matrix(random)
        m, n = A.shape
        room = np.hstack([A, np.eye(m)])
        largest = orthogonalise_rows(room, m, n, n + m)
        rows, turned = room[:, :n], room[:, n:]
        wanted = np.zeros(m)
        sizes = np.linalg.svd(A, compute_uv=False)
        wanted[: len(sizes)] = sizes
        # rotations keep lengths; rounding of a dozen sweeps is relative to the longest row
        assert np.allclose(np.sort(np.linalg.norm(rows, axis=1))[::-1], wanted, rtol=0, atol=1e-14 * sizes[0])
        assert np.allclose(turned @ A, rows, rtol=0, atol=1e-14 * sizes[0])
        assert np.allclose(turned @ turned.T, np.eye(m), rtol=0, atol=1e-14)
        assert np.isclose(largest, sizes[0] ** 2, rtol=1e-13)


@pytest.mark.parametrize("name", LOOPS)
def test_the_least_change_meets_the_right_side_and_is_shortest(name: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    model = getattr(mb.library, name)()
    packed = pack_model(model)
    system = Constraints(model, packed)
    tables, data = layout.tables_of(packed.model, system.data)
    work = layout.constraint_workspace(tables, data)
    for _ in range(10):
        q = displaced_coordinates(model, model.q0, 0.1 * random.normal(size=model.nv))
        system.observe(0.0, q, model.u0)
        J, M = system.jacobian.copy(), system.mass.copy()
        wanted = J @ random.normal(size=model.nv)  # can be met, however redundant the rows are
        change = np.zeros(model.nv)
        solve_least(tables, work, wanted, change)
        assert np.allclose(J @ change, wanted, rtol=0, atol=1e-11 * max(1.0, abs(wanted).max()))
        # no part of it lies along what is free: M x is a combination of the rows of J
        rest = M @ change - J.T @ np.linalg.lstsq(J.T, M @ change, rcond=1e-12)[0]
        assert abs(rest).max() <= 1e-9 * max(1.0, abs(M @ change).max())


@pytest.mark.parametrize("name", LOOPS)
def test_a_displaced_loop_closes_with_the_rank_of_its_jacobian(name: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    model = getattr(mb.library, name)()
    system = Constraints(model, pack_model(model))
    for _ in range(5):
        q = system.close(0.0, displaced_coordinates(model, model.q0, 0.02 * random.normal(size=model.nv)))
        assert system.off().max() < 1e-13
        rank = system.rank(0.0, q)
        rows = system.jacobian / np.sqrt(system.mass.diagonal())
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        sizes = np.linalg.svd(rows / np.where(lengths > 1e-9, lengths, np.inf), compute_uv=False)
        assert rank == (sizes > 1e-6 * sizes.max()).sum()


def test_multipliers_of_redundant_equations_are_the_shortest(seed: int) -> None:
    random = np.random.default_rng(seed)
    model = mb.library.bricard()
    motion = mb.simulate(model, duration=0.2)
    J, rank, m, nv = motion.closure.jacobian, motion.closure.rank, motion.closure.equations, model.nv
    given = random.normal(size=(len(motion), m))
    found = given.copy()
    room = np.zeros((m, nv + m)), np.zeros(nv + 2 * m)
    shortest_multipliers(motion.packed.model, found, np.ascontiguousarray(J), rank, *room)
    for rows, one, other in zip(J, given, found, strict=True):
        wanted = np.linalg.pinv(rows.T, rcond=1e-9) @ (rows.T @ one)
        assert np.allclose(other, wanted, rtol=0, atol=1e-9 * abs(wanted).max())
        assert np.allclose(rows.T @ other, rows.T @ one, rtol=0, atol=1e-9 * abs(rows.T @ one).max())


def test_a_residual_that_is_no_number_is_never_met() -> None:
    model = mb.library.four_bar()
    packed = pack_model(model)
    data, q, u = packed.new_data(), model.q0, model.u0
    q[1] = np.nan
    spare = np.zeros((assembly.SPARE_ROWS, model.nq + model.nv + 10))
    off = assembly.close_loops(packed.model, data, 0.0, q, spare)
    assert not off < 1.0
    assert assembly.assemble(packed.model, data, q, u, spare, np.zeros(4)) == assembly.UNKNOWN

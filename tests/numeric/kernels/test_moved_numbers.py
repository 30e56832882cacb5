"""What sliders do to numbers that belong together: the same bits on every engine, and right ones."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.model.tensors import principal_values
from mbwidgets.numeric.kernels import moved_numbers
from mbwidgets.numeric.steps.intervals import machine_of_lines

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def _tensor(components: np.ndarray) -> np.ndarray:
    tensor = np.empty((3, 3))
    for (i, j), value in zip(PAIRS, components, strict=True):
        tensor[i, j] = tensor[j, i] = value
    return tensor


def _physical(random: np.random.Generator) -> np.ndarray:
    """The inertia of some points of random masses."""
    points, masses = random.normal(size=(5, 3)), random.uniform(0.1, 1, 5)
    tensor = sum(m * ((x @ x) * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, points, strict=True))
    return np.array([tensor[i, j] for i, j in PAIRS])


def test_principal_moments_are_those_of_lapack_and_to_the_bit_those_of_models(rng: np.random.Generator) -> None:
    for _ in range(200):
        components = rng.normal(size=6) * 10.0 ** rng.integers(-3, 4, 6)
        moments = np.empty(3)
        moved_numbers.principal_moments(components, moments)
        assert tuple(moments) == principal_values(*components.tolist())
        wanted = np.linalg.eigvalsh(_tensor(components))
        # both are backward stable: some roundings of the largest
        assert moments == pytest.approx(wanted, rel=0, abs=1e-14 * abs(wanted).max())


def test_an_inertia_goes_to_the_value_or_to_the_border_of_bodies(rng: np.random.Generator) -> None:
    stopped = 0
    for _ in range(200):
        components, place = _physical(rng), int(rng.integers(6))
        value = float(components[place] + rng.normal() * components[:3].max())
        found = moved_numbers.inertia_component_within_reach(components, place, value)
        changed = components.copy()
        changed[place] = found
        least = np.linalg.eigvalsh(0.5 * changed[:3].sum() * np.eye(3) - _tensor(changed))[0]
        assert least >= 0.0
        if found != value:
            # the border is 1e-9 of the trace short of that of bodies, and halving ends at 1e-12 of the way
            assert least <= 2e-9 * changed[:3].sum()
            stopped += 1
    assert 20 < stopped < 180


def test_angles_and_components_have_the_same_bits_on_both_engines(rng: np.random.Generator) -> None:
    found: dict[str, list[np.ndarray]] = {"wasm": [], "python": []}
    given = [(*rng.uniform(-180, 180, 2), rng.normal(size=4), _physical(rng), rng.uniform(-1, 1)) for _ in range(50)]
    before = mb.engine()
    try:
        for name, results in found.items():
            mb.engine(name)
            for azimuth, elevation, vector, inertia, value in given:
                results += [np.empty(3), np.empty(2), np.empty(4), np.empty(3)]
                machine, data = machine_of_lines(())
                moved_numbers.unit_vector_at_angles(machine, data, np.array([azimuth, elevation / 2]), results[-4])
                moved_numbers.azimuth_and_elevation(machine, data, results[-4], 12.0, results[-3])
                moved_numbers.unit_vector_with_component(vector, 1, value, results[-2])
                moved_numbers.principal_moments(inertia, results[-1])
                results.append(np.array([moved_numbers.inertia_component_within_reach(inertia, 3, value)]))
                assert results[-4].round(9).tolist() == pytest.approx([azimuth, elevation / 2], abs=1e-8)
    finally:
        mb.engine(before)
    for one, other in zip(found["wasm"], found["python"], strict=True):
        assert one.tobytes() == other.tobytes()

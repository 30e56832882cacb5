"""What a page says of a motion that it has solved is what Python says of it: energy drift, residual, spectra."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.model.model import Model
from mbwidgets.numeric.kernels import memory_layout as layout
from mbwidgets.numeric.packing.formula_programs import formula_program
from mbwidgets.numeric.simulation.page_problem import page_problem
from mbwidgets.widgets.parts.plots import CURVES, page_curves
from tests.numeric.page.solving import FRAMES, NODE, duration_of, solve

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node")
SPECTRA = ("reaction spectrum", "pressure spectrum", "pressure moment spectrum")


def case(model: Model, duration: float, frames: int, curves: dict[str, Any] | None = None) -> dict[str, Any]:
    document = page_problem(model, duration, frames)
    return {"document": document, "values": document["values"], "wanted": "told", "curves": curves}


def test_a_page_measures_the_energy_drift_and_the_residual_as_python_does() -> None:
    models = [getattr(mb.library, name)() for name in mb.library.names()]
    durations = [duration_of(model) for model in models]
    found = solve([case(model, time, FRAMES) for model, time in zip(models, durations, strict=True)])["answers"]
    compared = 0
    for model, time, answer in zip(models, durations, found, strict=True):
        motion = mb.simulate(model, duration=time, rate=FRAMES / time)
        if answer["outcome"]:
            continue
        compared += 1
        # the same energies to the bit; only the lengths that the scale is made of are rounded otherwise
        assert answer["sound"]["drift"] == pytest.approx(motion.drift, rel=1e-12, abs=0), model.name
        # single precision
        close = {"rtol": 1e-6, "atol": 1e-6 * motion.drift, "err_msg": model.name}
        np.testing.assert_allclose(answer["sound"]["errors"], motion.energy_error, **close)
        residual = abs(motion.constraint_residual).max() if model.constraints else None
        assert answer["sound"]["residual"] == (None if residual is None else pytest.approx(residual, rel=1e-12, abs=0))
    assert compared >= len(models) - 2


@pytest.mark.parametrize("kind", SPECTRA)
def test_a_page_finds_the_spectra_that_python_finds(kind: str) -> None:
    models = [mb.library.three_body_arm(), mb.library.spherical_chain(2), mb.library.pendulum(2)]
    for model in models:
        motion = mb.simulate(model, duration=4, rate=100)
        (answer,) = solve([case(model, 4.0, 400, page_curves(motion, 1, kind))])["answers"]
        curves = CURVES[kind]
        assert curves.across is not None
        across, (_, values) = curves.across(motion, 1), curves.values(motion, 1)
        assert answer["curves"]["note"] == ""
        # float32 keeps seven digits of the largest
        np.testing.assert_allclose(answer["curves"]["across"], across, rtol=1e-6)
        shown = np.reshape(answer["curves"]["values"], values.shape)
        np.testing.assert_allclose(shown, values, rtol=0, atol=1e-6 * abs(values).max())


def test_a_page_refuses_a_spectrum_whose_frames_miss_waves_in_the_words_of_python() -> None:
    model = mb.library.three_body_arm()
    motion = mb.simulate(model, duration=4, rate=5)
    answers = solve(
        [
            case(model, 4.0, 20, page_curves(motion, 2, "pressure spectrum")),
            case(model, 4.0, 3, page_curves(motion, 2, "reaction spectrum")),
        ]
    )["answers"]
    with pytest.raises(mb.ModelError, match="look like slower ones") as missed:
        motion.pressure_spectrum(2)
    assert answers[0]["curves"]["note"] == str(missed.value)
    with pytest.raises(mb.ModelError, match="4 frames") as short:
        mb.simulate(model, duration=4, rate=0.75).pressure_spectrum(2)
    assert answers[1]["curves"]["note"] == str(short.value)


def test_a_page_finds_the_numbers_of_formulae_that_python_finds_and_refuses_damaged_ones() -> None:
    model = mb.library.three_body_arm()
    exact = mb.covariant(model)
    programs = [formula_program(item, model.nq, model.nv) for item in (exact.kinetic_energy, exact.metric)]
    given = case(model, 1.0, 20)
    names = given["document"]["names"]
    given["formulae"] = [
        {
            "machine": program.machine.tolist(),
            "parameters": [names.index(name) for name in program.parameters],
            "results": list(program.results),
        }
        for program in programs
    ]
    damaged = []
    for place, value in ((layout.HEADER + 3, 1e6), (layout.PROGRAMS, 1e5)):
        machine = [*given["formulae"][0]["machine"]]
        machine[place] = value
        damaged.append({**given, "formulae": [{**given["formulae"][0], "machine": machine}]})
    damaged.append({**given, "formulae": [{**given["formulae"][0], "results": [10**6]}]})
    answers = solve([given, *damaged])["answers"]
    motion = mb.simulate(model, duration=1.0, rate=20)
    state = motion.q, motion.u, motion.ud, motion.t, model.values
    expected = np.hstack([program.evaluate(*state).reshape(len(motion), -1) for program in programs])
    found = np.reshape(answers[0]["lines"], expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6 * abs(expected).max())  # float32
    assert answers[0]["apart"] < 1e-13  # two ways to one number: rounding
    assert [answer["outcome"] for answer in answers[1:]] == ["refused"] * len(damaged)


def test_a_page_shows_zero_where_the_terms_of_a_formula_cancel() -> None:
    model = mb.library.pendulum(2)
    plain, sized = (formula_program(mb.covariant(model).equations(), 2, 2, sized=told) for told in (False, True))
    given = case(model, 1.0, 20)
    names = given["document"]["names"]
    told = [
        {
            "machine": program.machine.tolist(),
            "parameters": [names.index(name) for name in program.parameters],
            "results": list(program.results),
            "sizes": list(program.sizes),
        }
        for program in (plain, sized)
    ]
    spoilt = {**told[1], "sizes": told[1]["sizes"][:1]}
    given, spoilt = {**given, "formulae": told}, {**given, "formulae": [spoilt]}
    found, refused = solve([given, spoilt])["answers"]
    lines = np.reshape(found["lines"], (-1, 4))
    assert np.abs(lines[:, :2]).max() > 0, "nothing is left by rounding: there is nothing to be tested"
    assert np.abs(lines[:, :2]).max() < 1e-12
    assert not lines[:, 2:].any(), "free motion has no effort"
    assert refused["outcome"] == "refused"

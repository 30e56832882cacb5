"""What a public name says of numbers it says with their units."""

from __future__ import annotations

import inspect
import re
from functools import cached_property
from typing import Any

import pytest

import mbwidgets as mb

UNIT = re.compile(
    r"(?<![A-Za-z·/'’])(kg/m³|kg m²/s|kg m/s|kg m²|kg m|kg|N/m|N·?\s?m·?\s?s?|N·?\s?s|N|rad/s²|rad/s|rad|m/s²|m/s|m|s"
    r"|J|W|Hz|1/s|°|degrees|pixels|SI units)(?![A-Za-z/_])"
)
FORMULAE = """augmented constrained covariant Formula motion_vectors permanent_formulae kharlamov reactions
release rotators errata staude_cone"""
"""Letters have the units of the model that they are derived from."""
PURE = """exp ground log maximum minimum pi sign sqrt tanh where engine limited"""
TOPICS = """AssignmentView EquationsView MassMomentsView RotatorsView export figures library load save
load_motion join Event Fixed Result OrientationConstraint ParallelConstraint PointConstraint
WeldConstraint UndersampledWarning"""
"""They hold no number of their own, or a model's, whose fields tell their units."""
WITHOUT = {*FORMULAE.split(), *PURE.split(), *TOPICS.split()}
METHODS_WITHOUT = {
    # columns of many units, ratios, a matrix of rotation, a file
    mb.Motion: {"body_vectors", "drift", "energy_error", "rotations", "save"},
    mb.Dynamics: {"copy"},
    mb.Linear: {"formulae", "modes", "stable", "steady"},
}


def _has_unit(text: str | None) -> bool:
    return UNIT.search((text or "").split(">>>")[0]) is not None


@pytest.mark.parametrize("name", sorted(mb.__all__))
def test_a_public_name_tells_units(name: str) -> None:
    thing = getattr(mb, name)
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return
    assert _has_unit(thing.__doc__) != (name in WITHOUT), "say in which units its numbers are, or list it here"


@pytest.mark.parametrize("kind", METHODS_WITHOUT, ids=lambda kind: kind.__name__)
def test_what_can_be_asked_of_results_tells_units(kind: Any) -> None:
    silent = set()
    for name in dir(kind):
        thing = inspect.getattr_static(kind, name)
        asked = inspect.isfunction(thing) or isinstance(thing, property | cached_property)
        if asked and not name.startswith("_") and not _has_unit(thing.__doc__):
            silent.add(name)
    assert silent == METHODS_WITHOUT[kind]


@pytest.mark.parametrize("write", [mb.export.png, mb.export.gif, mb.export.mp4])
def test_pictures_and_films_name_their_options(write: Any) -> None:
    """Those that Film takes: the docstring is what a user sees."""
    from mbwidgets.export.pictures.film import Film

    text = f"{mb.export.png.__doc__} {write.__doc__}"
    if write is not mb.export.png:
        assert "`png`" in text or "`gif`" in text, "where the options are"
    for option in inspect.signature(Film).parameters:
        assert option in text


def test_units_are_seen_in_words() -> None:
    assert all(map(_has_unit, ("(m), world axes", "N, then N m", "τ (nv,), N m or N", "seconds: s.", "kg m² about C")))
    assert not any(map(_has_unit, ("a number", "sum of m_i r", "the system's", "Newton")))

"""A page is small enough to be sent by mail and opened on a phone: two megabytes, and some air for what comes next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mbwidgets as mb
from tests.thorough import THOROUGH

MOST = 1_900_000
"""Bytes: five per cent below the two megabytes that are promised."""
LARGEST = ("walking_figure", "opnchain_manipulator")
"""Of those that think the one with the most bodies; the one whose motions only Python computes, with its grid."""
MODELS = [name for name in mb.library.__all__ if name not in ("absolute_angles", "names")]
VIEWS = ("Reactions", "Rotators", "MassMoments", "Release", "Constrained", "Equations", "PermanentRotations")


def size_of(view: Any, folder: Path) -> int:
    try:
        return view.to_html(folder / "page.html").stat().st_size
    finally:
        view.close()


@pytest.mark.parametrize("name", MODELS if THOROUGH else LARGEST)
def test_a_page_of_an_explorer_is_below_two_megabytes(name: str, tmp_path: Path) -> None:
    assert size_of(mb.Explorer(getattr(mb.library, name)()), tmp_path) < MOST


@pytest.mark.parametrize("name", VIEWS if THOROUGH else ("Rotators",))
def test_so_is_that_of_any_other_view(name: str, tmp_path: Path) -> None:
    assert size_of(getattr(mb, f"{name}View")(), tmp_path) < MOST

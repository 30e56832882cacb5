"""The version stands in one place; what must repeat it is compared with it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import mbwidgets as mb

CLONE = Path(__file__).parents[2]


def test_the_package_is_built_with_its_own_version() -> None:
    project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    place = project["tool"]["hatch"]["version"]
    found = re.search(place["pattern"], (CLONE / place["path"]).read_text(encoding="utf-8"))
    assert found is not None
    assert found["version"] == mb.__version__


def test_the_citation_names_this_version() -> None:
    citation = (CLONE / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(rf"^version: {re.escape(mb.__version__)}$", citation, re.MULTILINE)


def test_the_changelog_tells_of_this_version_or_of_what_is_to_come() -> None:
    changelog = (CLONE / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{mb.__version__}]" in changelog or "## [Unreleased]" in changelog

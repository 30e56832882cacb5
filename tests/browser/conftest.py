"""Fixtures for tests in a real JupyterLab: `lab` is a page with a notebook and a kernel of its own.

The server and the browser start once for the whole run. Where there is no Chromium the tests are skipped with
the reason; with CI=true they fail.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.lab import FLAGS, Lab
from tests.browser.server import LabServer

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "artefacts" / "screenshots"

_failed = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    if report.failed:
        item.stash[_failed] = True
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("MBWIDGETS_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if path is None:
        reason = "no Chromium: install chromium, or set MBWIDGETS_CHROMIUM to a browser"
        if os.environ.get("CI", "").lower() in ("true", "1"):
            pytest.fail(f"{reason} (CI=true: the browser tests must run)", pytrace=False)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=60_000)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def lab_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    with LabServer(ROOT / "notebooks", tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture
def screenshots() -> Path:
    """Where pictures of pages are left."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


@pytest.fixture
def lab(browser: Browser, lab_server: LabServer, request: pytest.FixtureRequest) -> Iterator[Lab]:
    """A page on JupyterLab with nothing open; a failing test leaves a screenshot in artefacts/screenshots."""
    name = re.sub(r"[^\w.-]+", "-", request.node.name).strip("-")
    with Lab(browser, lab_server, name, SCREENSHOTS) as lab:
        yield lab
        if request.node.stash.get(_failed, False):
            lab.screenshot("failed")

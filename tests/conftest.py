"""One seed for everything random. It is printed at the end of each run and comes from the environment:

MBWIDGETS_SEED    an integer, or `random` for a fresh one (default 1: the same run for everybody)
MBWIDGETS_TREES   how many random trees the oracles compare (default 1000)
MBWIDGETS_THOROUGH  1 runs the tests marked `thorough`, too (`make thorough`)
"""

from __future__ import annotations

import gc
import os
import secrets
import zlib

import hypothesis
import numpy as np
import pytest

from tests.thorough import THOROUGH

hypothesis.settings.register_profile("mbwidgets", deadline=None, print_blob=True)
hypothesis.settings.load_profile("mbwidgets")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    value = os.environ.get("MBWIDGETS_SEED", "1")
    # written back, so that the workers of pytest-xdist share it
    os.environ["MBWIDGETS_SEED"] = str(secrets.randbelow(2**32)) if value == "random" else str(int(value))
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = os.environ["MBWIDGETS_SEED"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if THOROUGH:
        return
    left = [item for item in items if item.get_closest_marker("thorough")]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_collection_finish() -> None:
    # what the imports made stays for the whole run: looking through it again and again took a seventh of the time
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    # the last lines, not the header: `pytest -q` shows them too, next to the failures
    terminalreporter.write_line(f"MBWIDGETS_SEED={os.environ['MBWIDGETS_SEED']} MBWIDGETS_TREES={_trees()}")


def _trees() -> int:
    return int(os.environ.get("MBWIDGETS_TREES", "1000"))


@pytest.fixture(scope="session")
def seed() -> int:
    """The seed of this run."""
    return int(os.environ["MBWIDGETS_SEED"])


@pytest.fixture(scope="session")
def trees() -> int:
    """How many random trees to try."""
    return _trees()


@pytest.fixture
def rng(seed: int, request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator of this test's own: the same numbers whatever runs before it or beside it."""
    return np.random.default_rng([seed, zlib.crc32(request.node.nodeid.encode())])

"""Views empty what they cannot compute and go on; no test passes over an error that nobody foresaw."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def nothing_unforeseen(caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "on_purpose" not in request.keywords:
        assert not [record for record in caplog.get_records("call") if record.name == "mbwidgets"]

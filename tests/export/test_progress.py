"""The line of a long export: silent at first and where nobody reads, then one line that goes away."""

from __future__ import annotations

import io
import time

import pytest

import mbwidgets as mb
from mbwidgets.export import progress
from mbwidgets.export.progress import Line


def test_a_short_export_says_nothing() -> None:
    stream = io.StringIO()
    line = Line("writing", stream)
    line(0.5)
    line.end()
    assert stream.getvalue() == ""


def test_a_long_export_writes_one_line_and_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    stream = io.StringIO()
    line = Line("writing arm.html", stream)
    for share in (0.1, 0.101, 0.5):
        line(share)
    assert stream.getvalue() == "\rwriting arm.html … 10 %\rwriting arm.html … 50 %"
    line.end()
    assert stream.getvalue().endswith("\r" + " " * len("writing arm.html … 50 %") + "\r")


def test_a_film_tells_how_far_it_is(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_stream", lambda: stream)
    motion = mb.simulate(mb.library.pendulum(1), duration=0.2)
    mb.export.gif(motion, tmp_path / "pendulum.gif", rate=10, width=60, height=40)
    assert "writing pendulum.gif … 67 %" in stream.getvalue()


def test_progress_is_told_in_the_thread_that_asks(tmp_path) -> None:
    import threading

    view = mb.Explorer(mb.library.rotor(), duration=0.5)
    told: list[tuple[float, bool]] = []

    def note(share: float) -> None:
        told.append((share, threading.current_thread() is threading.main_thread()))
        time.sleep(0.01)

    view.to_html(tmp_path / "rotor.html", sliders={"e": 4}, progress=note)
    view.close()
    shares = [share for share, _ in told]
    assert all(main for _, main in told)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0

"""What an event is told: a number of passages would be taken for a yes."""

from __future__ import annotations

import pytest

import mbwidgets as mb


@pytest.mark.parametrize("terminal", [2, "yes", None, 0.5])
def test_terminal_is_yes_or_no(terminal: object) -> None:
    with pytest.raises(mb.StateError, match="the second passage is the second of the times that crossings gives"):
        mb.Event("q[0]", terminal=terminal)


def test_the_second_passage_is_found_so() -> None:
    motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=5)
    second = motion.crossings("q[0]")[1]
    assert second == pytest.approx(0.75 * motion.period("q[0]"), rel=1e-9)

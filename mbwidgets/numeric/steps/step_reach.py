"""How far a step may reach in a table of largest steps, see `step_limits`."""

from __future__ import annotations

from ..engines.kernel import Table, entry_point, kernel

ENDS, ACROSS = 1.0, 2.0
"""What the last column of the table says: a step has to end where the row begins; the row holds a jump besides."""
CUT_SHORT = 1e-6
"""Part of a wanted step: one that the table cuts shorter, as across a jump, says nothing about the next."""


@kernel
def next_row(limits, row, t):
    """The row of the table in which t lies; a border that is a rounding error ahead counts as reached."""
    while row + 1 < limits.shape[0] and limits[row + 1, 0] - t <= 1e-15 * max(abs(t), 1e-3):
        row += 1
    return row


@kernel
def largest_step(limits, row, t):
    """The largest step from t: no larger than any row that it enters allows, or up to where that row begins.

    ``row``: one at or before that in which t lies.
    """
    row = next_row(limits, row, t)
    h = limits[row, 1]
    for k in range(row + 1, limits.shape[0]):
        ahead = limits[k, 0] - t
        if ahead >= h:
            break
        if limits[k, 2] != 0.0:
            return ahead
        h = min(h, max(limits[k, 1], ahead))
    return h


@entry_point
def largest_step_from(limits: Table, t: float) -> float:
    """`largest_step` for Python."""
    return largest_step(limits, 0, t)

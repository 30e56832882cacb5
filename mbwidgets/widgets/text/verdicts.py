"""What is said of a rotation about the vertical: whether it is permanent, by which conditions, and whether it lasts."""

from __future__ import annotations

import math

import numpy as np

from ...numeric.permanent.ball_chain import Chain
from ...numeric.permanent.conditions import Condition
from ...numeric.permanent.growth_rates import Growth
from ...numeric.permanent.permanent import Permanent
from ...scene.look.palette import QUANTITY
from ..base.lifetime import escape
from .numerals import scientific
from .paragraphs import BAD, GOOD, MUTED, heading_html

__all__ = [
    "augmented_html",
    "augmented_table",
    "condition_checklist",
    "permanence_verdict",
    "stability_text",
    "verdict_html",
]

BADGE = "width:36px;height:36px;border-radius:18px;color:#fff;font-size:22px;line-height:36px;text-align:center"
LOUD = "font-size:30px;line-height:38px;font-weight:600"
"""A verdict is read before anything else, from the last row."""
CELLS = "display:grid;grid-template-columns:repeat(auto-fill,minmax(165px,1fr));gap:0 10px"
"""Columns for a name and a number: the longest, a barycentre's tilt of more than 100°, is 163 pixels wide."""
MEANING = {
    "stable": "no small motion grows: the energy in the turning axes has a minimum",
    "neutral": "no small motion grows at first order",
    "unstable": "small motions grow",
    "not permanent": "there is nothing to be near to",
}


def permanence_verdict(now: Permanent, tilt: float) -> str:
    """Whether the rotation holds, the case that it belongs to, and its numbers."""
    missing = f"{now.largest:.3g} N m"
    return verdict_html(
        now.holds,
        escape(now.case),
        "" if now.holds else missing,
        f"{math.degrees(tilt):.2f}",
        [(name, _signed(value)) for name, value in zip(now.chain.names, now.omega, strict=True)],
    )


def verdict_html(holds: bool, case: str, missing: str, tilt: str, speeds: list[tuple[str, str]]) -> str:
    """The same of numbers that are written already; ``case`` is HTML.

    It is as high whatever the numbers are: what stands below it, as the map, stays under the hand that moves them.
    """
    mark, colour, word = ("✓", GOOD, "permanent") if holds else ("✗", BAD, "not permanent")
    turning = [(f"ω of {escape(name)}", f"{value} rad/s") for name, value in speeds]
    cells = [("barycentre's tilt", f"{tilt}°"), *turning, ("left in (2.4)", missing or "nothing")]
    rows = "".join(f"<div><span style='{MUTED}'>{name}</span> <b>{value}</b></div>" for name, value in cells)
    return (
        "<div role='status' style='line-height:1.4'><div style='display:flex;gap:10px;align-items:center'>"
        f"<span aria-hidden='true' style='{BADGE};background:{colour}'>{mark}</span>"
        f"<span style='{LOUD};color:{colour}'>{word}</span></div>"
        f"<div style='{MUTED}'>{case}</div><div style='{CELLS}'>{rows}</div></div>"
    )


def stability_text(found: Growth) -> str:
    """Growth rate and stability, in words."""
    if found.stability == "not permanent":
        return heading_html("Small motions") + f"<div style='line-height:1.45;{MUTED}'>{MEANING[found.stability]}</div>"
    colour, mark = (BAD, "▲") if found.stability == "unstable" else (GOOD, "●")
    rate = f"λ = {found.largest:.4g} 1/s"
    if found.largest > 0.0:
        rate += f", doubled every {math.log(2.0) / found.largest:.2g} s"
    return (
        heading_html("Small motions")
        + f"<div style='line-height:1.5'><b style='color:{colour}'>{mark} {found.stability}</b>, {rate}"
        + f"<div style='{MUTED}'>{MEANING[found.stability]} ({escape(found.method)})</div></div>"
    )


def condition_checklist(now: Permanent) -> str:
    """The conditions of the case with ticks, and by how much each is missed."""
    rows = now.conditions if len(now.conditions) <= 8 else now.failures[:8] or now.conditions[:8]
    body = "".join(_row(item) for item in rows)
    left = len(now.conditions) - len(rows)
    more = f"<div style='{MUTED}'>and {left} more</div>" if left > 0 else ""
    cell = "padding:3px 10px 3px 0;text-align:left;font-weight:400"
    head = "".join(f"<th style='{cell};{MUTED}'>{text}</th>" for text in ("", "condition", "asks that", "missed by"))
    style = "border-collapse:collapse;line-height:1.4;white-space:normal"
    title = heading_html("What it takes", escape(now.case))
    return f"{title}<table style='{style}'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def augmented_table(chain: Chain) -> str:
    """Mass and barycentre of every augmented body, the balls of the picture."""
    rows = zip(chain.names, chain.mass + chain.below, chain.barycentre, strict=True)
    return augmented_html([(name, f"{mass:.4g}", [_signed(x) for x in place]) for name, mass, place in rows])


def augmented_html(rows: list[tuple[str, str, list[str]]]) -> str:
    """The same of numbers that are written already: names, masses, places."""
    cell = "padding:3px 14px 3px 0;text-align:left;font-weight:400"
    titles = ("augmented body", "m + m*, kg", "barycentre c* from O, m, body axes")
    head = "".join(f"<th style='{cell};{MUTED}'>{text}</th>" for text in titles)
    body = "".join(
        f"<tr><th scope='row' style='{cell}'><span style='color:{QUANTITY['static']}'>●</span> {escape(name)}</th>"
        f"<td style='{cell}'>{mass}</td><td style='{cell}'>({', '.join(place)})</td></tr>"
        for name, mass, place in rows
    )
    style = "border-collapse:collapse;line-height:1.4;font-variant-numeric:tabular-nums"
    return f"<table style='{style}'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _signed(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


def _row(item: Condition) -> str:
    mark, colour, word = ("✓", GOOD, "holds") if item.holds else ("✗", BAD, "fails")
    cell = "padding:3px 10px 3px 0;text-align:left;vertical-align:top"
    amount = f"{item.amount:.3g} {escape(item.unit)}" if not item.holds else f"{_tiny(item.amount)} {escape(item.unit)}"
    return (
        f"<tr><td style='{cell};color:{colour};font-weight:700' title='{word}'>{mark}</td>"
        f"<td style='{cell}'>({escape(item.name)})</td><td style='{cell}'>{escape(item.text)}</td>"
        f"<td style='{cell};font-variant-numeric:tabular-nums;white-space:nowrap'>{amount}</td></tr>"
    )


def _tiny(amount: float) -> str:
    return "0" if amount == 0.0 or not np.isfinite(amount) else scientific(amount, 0)

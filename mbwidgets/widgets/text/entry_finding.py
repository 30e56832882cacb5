"""What an entry of a tensor says of the mechanism, in a sentence with its number."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.model import Model
from ...numeric.motion.traced_motion import evaluated
from ...numeric.packing.traced_numbers import TracedNumber
from ...symbolic.papers.covariant import Covariant
from .components import TENSORS, prismatic_coordinates
from .sentences import Case, Sentences, small

__all__ = ["ENTRY_NUMBERS", "entry_numbers", "entry_sentences", "marked_symbol"]

Place = tuple[int, ...]
ENTRY_NUMBERS = 3
"""Numbers that `entry_sentences` are about."""
ROUNDING = 1e-12
"""A share of what an entry is compared with, below which it is told as zero."""
LEAST = 1e-300
"""Added before a division: a coordinate that moves no mass has no share."""


def entry_numbers(found: Covariant, key: str, place: Place, motion: Any) -> np.ndarray:
    """The entry, what it is compared with, and of the metric its share of √(a_αα a_ββ) in per cent (frames, 3).

    An entry of the metric off the diagonal is compared with √(a_αα a_ββ), which it never reaches; others with 1.
    """
    value = _along(TENSORS[key].derive(found)[place], motion)
    if key != "metric" or place[0] == place[1]:
        return np.stack([value, np.ones(len(motion)) + 0 * value, 0 * value], axis=1)
    first, second = (_along(found.metric[k, k], motion) for k in place)
    limit = np.sqrt(first * second)
    return np.stack([value, limit, 100.0 * value / (limit + LEAST)], axis=1)


def _along(formula: Any, motion: Any) -> np.ndarray:
    found = evaluated(formula, motion).reshape(len(motion))
    return found if isinstance(found[0], TracedNumber) else found.astype(float)


def entry_sentences(model: Model, key: str, place: Place) -> Sentences:
    """What the entry means, of `entry_numbers`."""
    tensor = TENSORS[key]
    unit = tensor.unit(prismatic_coordinates(model), place)
    names = tuple(model.velocity_names[k] for k in place)
    symbol = marked_symbol(tensor.symbol(place))
    none, some = _words(key, place, f"[{symbol}]", f"{{0:+{'' if unit == '1' else unit}}}")
    line = (Case(none, (small(0, ROUNDING, 1),)), Case(some))
    return Sentences((line,), {}, names, {symbol: tensor.colour})


def _words(key: str, place: Place, symbol: str, value: str) -> tuple[str, str]:
    """Words for where the entry is zero, and for where it is not."""
    if key == "metric" and place[0] == place[1]:
        return f"*{{@0}}* moves no mass: {symbol} = 0.", f"Alone, *{{@0}}* has the inertia *{value}*."
    if key == "metric":
        none = f"Now *{{@0}}* and *{{@1}}* do not feel each other's acceleration: {symbol} = 0."
        return none, f"{symbol} couples *{{@0}}* with *{{@1}}*: *{value}*, {{2:%}} of what it can be at most."
    if key == "gradient":
        none = f"Gravity asks nothing of *{{@0}}* now: {symbol} = 0."
        return none, f"To hold *{{@0}}* against gravity takes *{value}*."
    if key == "inverse":
        if place[0] == place[1]:
            return f"An effort does not move *{{@0}}*: {symbol} = 0.", f"An effort of 1 moves *{{@0}}* by *{value}*."
        none = f"An effort in *{{@1}}* leaves *{{@0}}* at rest now: {symbol} = 0."
        return none, f"An effort of 1 in *{{@1}}* accelerates *{{@0}}* by *{value}*."
    return _speeds(key, place, symbol, value)


def _speeds(key: str, place: Place, symbol: str, value: str) -> tuple[str, str]:
    """Of Christoffel's symbols: whose speeds ask for an effort of whom, or accelerate whom."""
    first = key == "christoffel"
    a, b, c = (0, 1, 2) if first else (1, 2, 0)
    who = f"the speed of *{{@{a}}}*" if place[a] == place[b] else f"the speeds of *{{@{a}}}* and *{{@{b}}}* together"
    verb = "asks" if place[a] == place[b] else "ask"
    none = f"{who.replace('the', 'The', 1)} {verb} nothing of *{{@{c}}}* now: {symbol} = 0."
    if first:
        return none, f"{who.replace('the', 'The', 1)} {verb} for *{value}* in the equation of *{{@{c}}}*."
    verb = verb.replace("ask", "accelerate")
    return none, f"{who.replace('the', 'The', 1)} {verb} *{{@{c}}}*: *{value}*."


def marked_symbol(symbol: str) -> str:
    """a₄₂ as a_{42}, Γ¹₂₃ as Γ^{1}_{23}: what symbols in sentences are written with."""
    low, high = "₀₁₂₃₄₅₆₇₈₉", "⁰¹²³⁴⁵⁶⁷⁸⁹"
    out, level = "", 0
    for letter in symbol:
        now = -1 if letter in low or (letter == "," and level < 0) else 1 if letter in high else 0
        plain = str((low + high).index(letter) % 10) if letter in low + high else letter
        if now != level:
            out += ("}" if level else "") + ("_{" if now < 0 else "^{" if now > 0 else "")
        out, level = out + plain, now
    return out + ("}" if level else "")

"""Names of the rotators: a systematic one everywhere, the paper's number where it has one.

``R12(3):r3`` is ℜ_12 of body 3, carried by M_3 [n_2, r_23] (``r3``: the lever to joint 3, ``q3`` its slide, ``S`` the
static moment, ``M`` the mass vector); ``R*2(3)`` is ℜ*_2 of body 3 on its deviation moment, ``J2(3)`` the axial term,
``R*12(3)`` the term of two axes. The paper's ℜ₁ … ℜ₃₈, ℜ* belong to a chain of three revolute joints (53), (56);
it uses ℜ₂₁ and ℜ₂₂ for two things, so the numbers stand beside the systematic names, never in their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from ...errors import UnknownNameError, shorten
from ...model.fields import suggest_name
from .carriers import Row
from .mechanism import Segment
from .rodrigues import Rodrigues

__all__ = ["Label", "LabelledRows", "label_rotator", "segment_numbers", "three_revolute_chain"]


class Label(NamedTuple):
    """``text`` R12(3):r3, ``latex``, and ``paper``: 32 or None."""

    text: str
    latex: str
    paper: str | None


class _Labelled(Protocol):
    @property
    def label(self) -> Label: ...


R = TypeVar("R", bound=_Labelled)


class LabelledRows(Generic[R]):
    """Rows of a joint's rotators, found by number or by name; formulae and frames share it."""

    joint: str

    @property
    def rows(self) -> tuple[R, ...]:
        """All rows, in their order."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: int | str) -> R:
        """A row by its number from 0, its systematic name ``"R12(3):r3"`` or the paper's ``"32"``, ``"22*"``."""
        if isinstance(key, str):
            for row in self.rows:
                if key in (row.label.text, row.label.paper):
                    return row
            known = (row.label.text for row in self.rows)
            raise UnknownNameError(
                f"no rotator {key!r}", where=f"joint {self.joint!r}", remedy=suggest_name(key, known)
            )
        try:
            return self.rows[key]
        except (IndexError, TypeError):
            raise UnknownNameError(
                f"no rotator {shorten(key)}",
                where=f"joint {self.joint!r}",
                remedy=f"count from 0 to {len(self.rows) - 1}, or give a name",
            ) from None


_PAPER = {
    (1, "S", 1, 1): "1",
    (2, "r2", 1, 1): "20",
    (2, "S", 1, 1): "2",
    (2, "S", 2, 2): "21",
    (2, "S", 1, 2): "22",
    (3, "r2", 1, 1): "30",
    (3, "r3", 1, 1): "3",
    (3, "r3", 2, 2): "31",
    (3, "r3", 1, 2): "32",
    (3, "S", 1, 1): "33",
    (3, "S", 2, 2): "34",
    (3, "S", 1, 2): "35",
    (3, "S", 3, 3): "36",
    (3, "S", 1, 3): "37",
    (3, "S", 2, 3): "38",
    (1, "D", 1, 1): "1*",
    (2, "D", 1, 1): "2*",
    (2, "D", 2, 2): "22*",
    (3, "D", 1, 1): "30*",
    (3, "D", 2, 2): "40*",
    (3, "D", 3, 3): "50*",
}


def segment_numbers(segments: Sequence[Segment]) -> tuple[str, ...]:
    """What each segment is called, counted from 1: its body, with a letter in a joint of several axes."""
    places: dict[int, list[int]] = {}
    for i, s in enumerate(segments):
        places.setdefault(s.body, []).append(i)
    several = {body for body, found in places.items() if len(found) > 1}
    return tuple(
        f"{s.body + 1}" + ("abcdef"[places[s.body].index(i)] if s.body in several else "")
        for i, s in enumerate(segments)
    )


def three_revolute_chain(r: Rodrigues) -> bool:
    """True for the paper's system: three bodies in a chain on revolute joints (Fig. 4)."""
    return [(s.parent, s.kind) for s in r.segments] == [(i - 1, "revolute") for i in range(3)]


def label_rotator(row: Row, numbers: tuple[str, ...], paper: bool) -> Label:
    """The names of a row; ``numbers``: what each segment is called, ``paper``: whether the paper's numbers apply."""
    a, b, i = numbers[row.a], numbers[row.b], numbers[row.body]
    between = "," if len(a + b) > 2 else ""
    pair = a if row.kind in ("own", "axial", "deviation") else f"{a}{between}{b}"
    on = row.carrier + (numbers[row.place] if row.place is not None else "")
    upper = {"r": f"r_{{{on[1:]}}}", "q": f"q_{{{on[1:]}}}"}.get(row.carrier, row.carrier)
    lever = row.carrier + (str(row.place + 1) if row.place is not None else "")
    number = _PAPER.get((row.body + 1, lever, row.a + 1, row.b + 1)) if paper else None
    if row.kind == "axial":
        return Label(f"J{pair}({i})", f"\\vec n_{{{a}}} \\dot\\omega_{{{a}}} J_{{{a}({i})}}", None)
    if row.force:
        return Label(f"R{pair}({i}):{on}", f"\\vec{{\\mathfrak R}}_{{{pair}({i})}}^{{\\,{upper}}}", number)
    return Label(f"R*{pair}({i})", f"\\vec{{\\mathfrak R}}^{{*}}_{{{pair}({i})}}", number)

"""What a page computes itself of the view of constrained motion: forces, matrices, the path and the paper's figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...errors import ModelError
from ...export.figures import tataru_values
from ...numeric.packing.traced_numbers import largest_size
from ...scene.look.palette import QUANTITY
from ...scene.page.strip import Strip
from ...scene.stage.own_arrows import OwnArrow
from ...scene.stage.upright import orient_plane_figure
from ..parts.finding import Finding
from ..parts.ledger import Ledger
from ..parts.matrices import Matrices
from .constrained_parts import (
    constraint_arrows,
    constraint_force_table,
    euler_angle_rows,
    held_numbers,
    held_sentences,
    held_sides,
    jacobian_and_complement_matrices,
    one_body,
)
from .constrained_ways import WAYS, way_arrows
from .page_tables import Fill, Stale
from .page_variants import Menu
from .page_words import Words, said
from .vector_view import VectorView

__all__ = ["ConstrainedPage"]

FORBIDDEN: Final = "What the constraints forbid, and what they leave; live"


class ConstrainedPage(VectorView):
    """The numbers of the view's parts as functions of a motion, which run on a traced one too."""

    finding: Finding
    strip: Strip
    table: Ledger
    matrices: Matrices
    product: Any
    rank: Any
    drift: Any
    energy: Any
    figures: dict[int, Any]
    form: Any
    ways: str
    thinks = True

    @property
    def exact(self) -> Any:
        """The exact constraints of the present model; None where there are none."""
        raise NotImplementedError

    def page_arrows(self, motion: Any) -> list[OwnArrow]:
        """Those of the constraints; of one free body what they forbid and what they leave."""
        return [*constraint_arrows(motion), *self._way_arrows(motion)]

    def _way_arrows(self, motion: Any) -> list[OwnArrow]:
        if not one_body(self.model) or self.exact is None:
            return []
        pair, present = (jacobian_and_complement_matrices(item, self.exact, "paper") for item in (motion, self.motion))
        return way_arrows(motion, pair, present, WAYS[self.ways])

    arrow_menus = ("ways",)

    def page_fills(self) -> list[Fill]:
        """Table, matrices, the path of the mass centre, and of one free body the paper's figures."""
        found = [*self.findings(), Fill(self.table, self._table_values)]
        found.append(Fill(self.matrices, self._matrix_values, ("form",), self._matrices_look))
        path = self.picture.path_line(0)
        if path is not None:
            found.append(Fill(path, self._centre, kind="path"))
        figures = self.figures.items() if one_body(self.model) else ()
        return [*found, *(Fill(part, self._figure(number)) for number, part in figures)]

    def findings(self) -> list[Fill]:
        """What is forbidden and what is left, who is held by it, the largest constraint force over the motion."""
        found = [Fill(self.finding, self._held_numbers, look=self._finding_look)]
        if held_sides(self.motion):
            strongest = int(np.argmax(self._held_numbers(self.motion)[:, 1:].max(axis=0))) + 1
            values = lambda motion: self._held_numbers(motion)[:, strongest]  # noqa: E731
            found.append(Fill(self.strip, values, look=lambda: self._strip_look(strongest)))
        return found

    def _held_numbers(self, motion: Any) -> np.ndarray:
        return held_numbers(motion)

    def _finding_look(self) -> dict[str, Any]:
        return Finding.look_of(
            "What is forbidden, and what is left", held_sentences(self.motion), 1 + len(held_sides(self.motion))
        )

    def _strip_look(self, strongest: int) -> dict[str, Any]:
        side = held_sides(self.motion)[strongest - 1]
        words = f"force of constraint {side.constraint + 1} on {side.body}"
        return Strip.look_of(f"R_{side.constraint + 1}", words, "N", QUANTITY["constraint force"])

    def page_never(self) -> list[Any]:
        """What three more motions tell of drift."""
        return [self.drift, self.energy]

    def page_stale(self) -> list[Stale]:
        """The rank, which is counted where loops are put together."""
        return [Stale(self.rank, said("rank and freedom: counted in the notebook"))]

    def page_menus(self) -> list[Menu]:
        """The form of the matrices, and what is drawn at the body."""
        ways = [Menu("ways", self._ways, tuple(WAYS))] if one_body(self.model) else []
        return [Menu("form", self._form, tuple(value for _, value in self._form.options)), *ways]

    def page_words(self) -> list[Words]:
        """What the product of both matrices leaves."""
        words = said("L<sub>λ</sub> L<sub>τ</sub> = 0: largest entry of all frames {0}")
        return [Words(self.product, self._product_sizes, (), words)]

    word_menus = ("form",)

    def _matrix_pair(self, motion: Any) -> list[Any]:
        return jacobian_and_complement_matrices(motion, self.exact, self.form)

    def _product_sizes(self, motion: Any) -> np.ndarray:
        across, along = (item.values for item in self._matrix_pair(motion))
        if across.dtype == object and along.dtype != object:
            raise ModelError("a page finds no basis of what the constraints leave")
        return largest_size((across @ along).reshape(len(motion), -1))[:, None]

    def _table_values(self, motion: Any) -> np.ndarray:
        return np.concatenate([constraint_force_table(motion)[2], euler_angle_rows(motion)[1]], axis=1)

    def _matrix_values(self, motion: Any) -> np.ndarray:
        flat = [np.reshape(item.values, (len(motion), -1)) for item in self._matrix_pair(motion)]
        return np.concatenate(flat, axis=1)

    def _matrices_look(self) -> dict[str, Any]:
        return Matrices.look_of(self._matrix_pair(self.motion), FORBIDDEN)

    def _centre(self, motion: Any) -> np.ndarray:
        """The path of the selected body's mass centre."""
        return np.asarray(motion.point(self.index, motion.model.bodies[self.index].com).position)

    def _figure(self, number: int) -> Callable[[Any], np.ndarray]:
        order = list(orient_plane_figure(self.picture.stage.setting.upright, 0, 1)[0])

        def values(motion: Any) -> np.ndarray:
            found = tataru_values(motion, [number])[number]
            return found[:, order] if number == 8 else found[:, None]

        return values

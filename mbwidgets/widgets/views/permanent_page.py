"""What a page computes itself of the view of permanent rotations: curves, verdict, barycentres; the cone by kernels.

The rotation itself, its speeds and the axis of its first body, is found in the page by the kernels that Python calls
(`live/rotation.js`); it gives the numbers of `own_rotation`. Which case of the theory a rotation is, and the growth
rates of the whole chain, are told in the notebook.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ...numeric.base.rotations import rotation_matrices
from ...numeric.kernels.cone_growth import cone_growth
from ...numeric.kernels.staude_cone import CONE_ROWS
from ...numeric.motion.traced_motion import parameters_of
from ...numeric.packing.pack import pack_model
from ...numeric.packing.traced_numbers import greater, largest_size, lengths_of, traced_where
from ...numeric.permanent.ball_chain import Chain
from ...numeric.permanent.permanent import (
    TOLERANCE,
    Permanent,
    condition_coefficients,
    condition_residual,
    moment_sizes,
)
from ...scene.look.cone_shape import SpeedScale
from ...scene.page.handles import Handles
from ..edit.speeds import all_turn_at_one_speed, speed_places
from ..parts.conemap import ConeMap
from ..parts.controls import Controls
from ..parts.plots import Plot
from ..text import verdicts
from ..text.paragraphs import BAD, GOOD, heading_html, note_html
from .exported import PageParts
from .page_tables import Fill, Stale, own_number, page_tables, reference_to
from .page_words import Case, Words
from .study import QUIET
from .view import View

__all__ = ["PermanentPage"]

BALANCE: Final = "Bodies that turn as one: only Python finds where they balance."
ELSEWHERE: Final = "<i>case and conditions: told in the notebook</i>"
CONDITIONS: Final = heading_html("What it takes") + note_html("The conditions one by one are told in the notebook.")
CHAIN: Final = "of the first body by itself; the rates of the whole chain are computed in the notebook"


class PermanentPage(View):
    """The numbers of the view's parts as functions of a motion, which run on a traced one too."""

    map: ConeMap
    speeds: Controls
    plot: Plot
    residual: Plot
    handles: Handles
    cone: Any
    barycentres: Any
    diagram: Any
    perturbation: Any
    snap: Any
    _snap: Any
    _push: Any
    _angle: Any
    _verdict: Any
    _lasting: Any
    _list: Any
    _bodies: Any
    thinks = True

    @property
    def rotation(self) -> Permanent:
        """The rotation that the model's state begins, judged."""
        raise NotImplementedError

    @property
    def scale(self) -> SpeedScale:
        """Colours of speeds."""
        raise NotImplementedError

    def tell_page(self) -> None:
        """Let the page answer, but where several bodies turn as one and their balance is looked for."""
        if self.snap and all_turn_at_one_speed(self.rotation):
            self.page_solver.rest(BALANCE)
        else:
            super().tell_page()

    def page_tables(self) -> dict[str, Any] | None:
        """The programs by which a page fills the view's parts, and how it moves the rotation."""
        own = self.own_rotation()
        fills = [Fill(self.plot, self._deviation), Fill(self.residual, self._residual), *self._balls()]
        words = [self._verdict_words(), self._growth_words(), self._augmented_words()]
        stale = [Stale(self._list, CONDITIONS)]
        names = parameters_of(self.model)
        found = page_tables(self.motion, fills, None, own, words, names, stale, [self.diagram])
        return {**found, "keys": [], "rotation": self._told_rotation(alone=False)}

    def _told_rotation(self, alone: bool) -> dict[str, Any]:
        """How the page moves the rotation: the parts that ask for it, and those that show it."""
        parts = {"snap": self._snap, "push": self._push, "angle": self._angle, "map": self.map}
        parts |= {"speeds": self.speeds, "handles": self.handles, "fan": self.cone.mesh}
        keys = [place.key for place in speed_places(self.rotation)]
        return {
            **{name: reference_to(part) for name, part in parts.items()},
            # bodies that turn as one balance elsewhere, which only Python finds
            "keys": ["axis", *(key for key in keys if not (self.snap and key == "speed of all"))],
            "tilt": self.perturbation,
            "scale": [self.scale.low, self.scale.high],
            "length": self.cone_length,
            "alone": alone,
        }

    @property
    def cone_length(self) -> float:
        """Of the cone on the stage, m."""
        raise NotImplementedError

    def fill_unseen(self) -> None:
        """The branches too, for a page."""
        raise NotImplementedError

    @contextlib.contextmanager
    def for_page(self) -> Iterator[PageParts]:
        """Nobody else answers there."""
        wanted = self.page_solver.wanted
        tables = {**wanted["tables"], "rotation": self._told_rotation(alone=True)}
        yield PageParts({self.page_solver.model_id: {"wanted": {**wanted, "tables": tables}}}, [])

    def menus_in_page(self) -> dict[str, str]:
        """The parts by which a rotation is moved."""
        parts = {"snap": self._snap, "push": self._push, "angle": self._angle, "map": self.map, "axis": self.handles}
        return {name: str(part.model_id) for name, part in parts.items()}

    # The rotation that a motion is about: its pose and speeds at the start, without a push.

    def own_rotation(self) -> dict[str, float]:
        """The numbers that the page finds of it: quaternions, speeds, the growth of the first body by itself."""
        now = self.rotation
        q, _ = now.state()
        axis = now.turns[0].T @ now.chain.basis[:, 2]
        rooms = np.zeros((CONE_ROWS, 3)), np.zeros((3, 3))
        growth = cone_growth(pack_model(self.model).model, axis, float(abs(now.omega[0])), *rooms)
        numbers = {f"pose {k}": float(value) for k, value in enumerate(q)}
        numbers |= {f"turning {i}": float(value) for i, value in enumerate(now.omega)}
        return {**numbers, "growth": float(growth)}

    def _own(self, motion: Any, name: str, count: int) -> np.ndarray:
        told = self.own_rotation()
        return np.array([own_number(motion, f"{name} {k}", told[f"{name} {k}"]) for k in range(count)])

    def _speeds(self, motion: Any) -> np.ndarray:
        return self._own(motion, "turning", len(self.model.bodies))

    def _turns(self, motion: Any) -> np.ndarray:
        """World rotations R_i (n, 3, 3) of the rotation at t = 0."""
        found = [np.eye(3)]
        for turn in rotation_matrices(self._own(motion, "pose", 4 * len(self.model.bodies)).reshape(-1, 4)):
            found.append(found[-1] @ turn)
        return np.array(found[1:])

    def _left(self, motion: Any) -> tuple[np.ndarray, np.ndarray]:
        """Left sides of (2.4) (frames, 3n), and the largest moment that they balance, (frames, 1); N m."""
        posed, speeds = Chain.read(motion.model).posed(self._turns(motion)), self._speeds(motion)
        left = condition_residual(speeds, *condition_coefficients(posed, speeds), motion.t)
        scale = largest_size(moment_sizes(posed, speeds)[None])
        return left.reshape(len(motion), -1), np.broadcast_to(scale, (len(motion),))[:, None]

    def _residual(self, motion: Any) -> np.ndarray:
        """What is zero within the tolerance is drawn as zero."""
        left, scale = self._left(motion)
        return np.asarray(traced_where(greater(np.abs(left), TOLERANCE * scale), left, 0.0))

    def _deviation(self, motion: Any) -> np.ndarray:
        """Degrees in each body between the vertical and the axis that should be vertical."""
        gravity = Chain.read(motion.model).gravity
        nu = gravity / lengths_of(gravity)[()]
        wanted = np.einsum("iba,b->ia", self._turns(motion), nu)
        seen = np.einsum("fiba,b->fia", motion.rotations, nu)
        across = lengths_of(np.cross(seen, np.broadcast_to(wanted, seen.shape)))
        away = np.degrees(np.arctan2(across, np.einsum("fia,ia->fi", seen, wanted)))
        away = traced_where(greater(away, QUIET), away, 0.0)
        more = len(self.plot.names) - away.shape[1]  # what the linear theory expects is told in the notebook
        nothing = [motion.tracer.nothing] * more if away.dtype == object else [np.nan] * more
        return np.concatenate([away, np.broadcast_to(nothing, (len(motion), more))], axis=1) if more > 0 else away

    def _balls(self) -> list[Fill]:
        """Where the barycentres are in their bodies."""

        def place(index: int) -> Any:
            def values(motion: Any) -> np.ndarray:
                return np.asarray(Chain.read(motion.model).barycentre[index][None])

            return values

        balls = self.barycentres.balls[: len(self.model.bodies)]
        return [Fill(ball, place(index), kind="mark") for index, ball in enumerate(balls)]

    # What is said.

    def _verdict_words(self) -> Words:
        names = [body.name for body in self.model.bodies]

        def numbers(motion: Any) -> np.ndarray:
            left, scale = self._left(motion)
            static = Chain.read(motion.model).posed(self._turns(motion)).static[0]
            tilt = np.asarray(np.degrees(np.arctan2(lengths_of(static[:2]), static[2])))
            told = np.array([traced_where(greater(tilt, QUIET), tilt, 0.0)[()], *self._speeds(motion)])
            frames = np.broadcast_to(told, (len(motion), len(told)))
            return np.concatenate([largest_size(left)[:, None], scale, frames], axis=1)

        speeds = [(name, f"{{{3 + k}:4}}") for k, name in enumerate(names)]
        holds = verdicts.verdict_html(True, ELSEWHERE, "", "{2:4}", speeds)
        fails = verdicts.verdict_html(False, ELSEWHERE, "up to {0:3} N m", "{2:4}", speeds)
        return Words(self._verdict, numbers, [Case(0, TOLERANCE, 1, holds)], fails, 2)

    def _growth_words(self) -> Words:
        def numbers(motion: Any) -> np.ndarray:
            left, scale = self._left(motion)
            fails = traced_where(greater(largest_size(left)[:, None], TOLERANCE * scale), 1.0, 0.0)
            told = np.array([0.5, 0.0, own_number(motion, "growth", self.own_rotation()["growth"])])
            return np.concatenate([fails, np.broadcast_to(told, (len(motion), 3))], axis=1)

        heading = heading_html("Small motions")
        none = heading + note_html(verdicts.MEANING["not permanent"])
        still = f"{heading}<b style='color:{GOOD}'>● none grows</b> {note_html(CHAIN)}"
        grows = f"{heading}<b style='color:{BAD}'>▲ unstable</b>, λ = {{3:4}} 1/s {note_html(CHAIN)}"
        # a rate that is no number, of a body without thickness, is neither
        cases = [Case(1, 1.0, 0, none), Case(3, 0.0, 3, still), Case(2, 1.0, 3, grows)]
        return Words(self._lasting, numbers, cases, heading + note_html("Computed in the notebook."), 3)

    def _augmented_words(self) -> Words:
        rows = []
        for k, body in enumerate(self.model.bodies):
            mass, *place = (f"{{{4 * k + j}:4}}" for j in range(4))
            rows.append((body.name, mass, place))

        def numbers(motion: Any) -> np.ndarray:
            chain = Chain.read(motion.model)
            masses = (chain.mass + chain.below)[:, None]
            told = np.concatenate([masses, chain.barycentre], axis=1).reshape(1, -1)
            return np.broadcast_to(told, (len(motion), told.shape[1]))

        return Words(self._bodies, numbers, (), verdicts.augmented_html(rows), 0)

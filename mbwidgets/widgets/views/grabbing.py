"""What a hand on a body does to a view: at rest it sets the pose of the start, while the motion plays a spring pulls.

The spring is a force of a model that lives as long as the hand holds: the view's own model never has it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...errors import MbwidgetsError
from ...model.model import Model
from ...model.number_keys import is_plain
from ...numeric.base.outcome import Budget
from ...numeric.motion.motion import Motion
from ...numeric.simulation.pulling import (
    FAR,
    FIXED,
    LIMITED,
    Grip,
    delayed,
    joint_limits,
    pull_pose,
    pulling_forces,
    with_pose,
)
from ...numeric.simulation.simulate import simulate
from ...scene.page.grab import Grab, Hand
from ..base.lifetime import close_tree, explain_error

__all__ = ["Grabbing"]

QUICK: Final = 0.4
"""Seconds that a pulled motion may take to compute: then it is shown as far as it got, and the hand asks again."""
PULLED: Final = "a hand pulls it by a spring that is no part of the model"
LET_GO: Final = "a hand has moved it: reset starts anew"
POSED: Final = "the pose of the start"
WORDS: Final = {"far": FAR, "limited": LIMITED, "fixed": FIXED, "posed": POSED, "pulled": PULLED, "let go": LET_GO}
"""What a page says that answers a hand itself."""


class Grabbing:
    """The hand of a view. ``model`` is that of the motion which it made, while that is shown; ``words`` tell of it."""

    def __init__(self, view: Any) -> None:
        self._view = view
        self.grab = Grab(view.picture, self._on_hand, still=not view.grabs)
        self.model: Model | None = None
        self.words = ""
        self._base: np.ndarray | None = None  # the pose that a drag has come to
        self._elapsed = 0.0  # s since the start of the model's own motion

    def forget(self) -> bool:
        """The motion is the model's own again; returns whether it was not."""
        was = bool(self.words)
        self.model, self.words, self._elapsed = None, "", 0.0
        return was

    def tell_page(self) -> None:
        """Let a page without a kernel answer the hand; not where what is drawn does not hang together as it moves."""
        view = self._view
        model: Model = view.model
        bounds = [getattr(body.joint, "limits", None) or () for body in model.bodies]
        if not view.grabs_in_page or not all(is_plain(item) for pair in bounds for item in pair):
            self.grab.rules = {}
            return
        found = joint_limits(model)
        self.grab.rules = {
            "limits": [[place, velocity, low, high] for place, velocity, _, low, high in found],
            "joints": [name for _, _, name, _, _ in found],
            "bodies": [body.name for body in model.bodies],
            "pulls": _stands_a_hand(view.page_solver.wanted.get("tables")) and delayed(model, 1.0)[0] is model,
            "words": WORDS,
        }

    def close(self) -> None:
        """Free the hand in the page."""
        close_tree(self.grab)

    def _on_hand(self, hand: Hand) -> None:
        try:
            if hand.pulls:
                self._pull(hand)
            else:
                self._set_pose(hand)
        except MbwidgetsError as error:
            self.grab.words = explain_error(error)

    def _set_pose(self, hand: Hand) -> None:
        view = self._view
        first = self._base is None
        start = view.motion.q[view.motion.index(hand.time)] if first else self._base
        found = pull_pose(view.model, start, Grip(hand.body, hand.at), hand.place)
        self._base = None if hand.last else found.q
        # the pose is that of the start: picture and clock go there in one message
        with view.picture.player.hold_sync():
            view.time = 0.0
            view.attempt(lambda model: with_pose(model, found.q), "pose")
        refused = view.trouble
        self.grab.words = "" if hand.last else refused or found.words or POSED

    def _pull(self, hand: Hand) -> None:
        view, motion = self._view, self._view.motion
        frame = int(np.searchsorted(motion.t, hand.time, side="right")) - 1
        frame = min(max(frame, 0), len(motion) - 1)
        q, u, passed = motion.q[frame], motion.u[frame], float(motion.t[frame])
        self._elapsed += passed
        options = view.options()
        model, tau = delayed(view.model, self._elapsed, options.get("tau"))
        if not hand.last:
            forces = pulling_forces(view.model, q, Grip(hand.body, hand.at), hand.place)
            model = model.replace(forces=(*model.forces, *forces))
            self.grab.stiffness = float(forces[0].stiffness)
        options = {**options, "q": q, "u": u} if tau is None else {**options, "q": q, "u": u, "tau": tau}
        pulled = simulate(model, budget=Budget(seconds=QUICK), **options)
        self._show(pulled, LET_GO if hand.last else PULLED, passed)

    def _show(self, motion: Motion, words: str, passed: float) -> None:
        view = self._view
        self.model, self.words, self.grab.words = motion.model, words, ""
        view.picture.shift = passed
        view.motion = motion
        view.picture.shift = 0.0


def _stands_a_hand(tables: dict[str, Any] | None) -> bool:
    """Whether the parts that are functions of the model alone, and know nothing of a hand's spring, are empty then."""
    return not tables or (not tables["words"] and all(fill["freely"] for fill in tables["fills"]))

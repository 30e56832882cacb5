"""The base of every view: a model, its motion, a picture that plays, and a life that ends cleanly."""

from __future__ import annotations

import base64
import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets
import traitlets

from ...errors import MbwidgetsError, StateError, UnknownNameError
from ...export.pictures.films import png_bytes
from ...model.arguments import as_model
from ...model.fields import suggest_name
from ...model.model import Model
from ...numeric.base.outcome import Result
from ...numeric.motion.motion import Motion
from ...numeric.simulation.simulate import simulate
from ...scene.look.palette import THEMES
from ...scene.stage.picture import Picture
from ...scene.stage.telling import telling_instant
from ...scene.stage.viewpoint import VIEWS
from ..base.history import History
from ..base.lifetime import (
    blank_on_error,
    blank_part,
    close_previous_run,
    close_tree,
    explain_error,
    finish_pending_work,
)
from ..base.pace import Paced
from ..base.solver import Solver
from ..parts.health import Health
from ..parts.live import Live
from ..parts.story import Story
from ..parts.toolbar import Toolbar
from .exported import Exported
from .grabbing import Grabbing
from .storied import Storied

__all__ = ["View"]

STILL = "A still. To make it live: run the notebook, or trust it (in JupyterLab: File, Trust Notebook)."
"""Beneath the picture that stands for a view where widgets are not shown."""
TEXTS = (ipywidgets.HTML, ipywidgets.HTMLMath)


class View(Paced, Exported, Storied, ipywidgets.VBox):
    """A model in three dimensions with its motion; `Explorer` and the papers' views are made of it.

    Parameters
    ----------
    model : what to show
    selected : name of the selected body; the last one unless told
    duration, rate : of the motion, s and frames per second; by default those of `simulate`
    width, height : of the stage, pixels
    theme : ``"light"`` or ``"dark"``; without one it is light, and dark where the page is

    The traits ``model``, ``motion``, ``time``, ``playing``, ``selected``, ``view`` (where the camera stands), ``theme``
    and ``held`` (whether drives hold a machine that would fall for ever) can be set and observed. ``picture`` is the
    stage with its player, ``scene`` the column of stage, timeline and health, ``toolbar`` the row of common buttons.
    `close` frees everything in the page.

    A new view is a subclass with two methods, and others where it is a special one:

    - `arrange` makes the view's parts and returns its children from top to bottom; it is called once;
    - `show` shows ``self.motion``, the picture first; it is called for each new motion and selection;
    - `options` gives the keywords of `simulate`; override it for efforts or an initial state;
    - `admit` refuses a model that the view cannot treat.

    A view shows one state. Whatever computes and fills a part does so in ``with self.filling(part)``: what cannot be
    computed leaves the part empty, and it says why. What fails in `show` outside of that, or in `admit`, or in the
    motion, refuses the model: the last one that was shown stays whole, and the reason stands under the picture.
    Parts that change the model do so with `attempt`. A subclass that must free more than its children overrides
    `close`, and calls it here.
    """

    model = traitlets.Instance(Model)
    motion: Any = traitlets.Instance(Motion, allow_none=True)
    time = traitlets.Float(0.0)
    playing = traitlets.Bool(False)
    selected = traitlets.Unicode()
    view = traitlets.Enum(list(VIEWS), "iso")
    theme = traitlets.Enum(list(THEMES), "light")
    held = traitlets.Bool(True)

    picture_type: type[Picture] = Picture
    """What draws; a view whose arrows are its own takes another."""
    grabs: bool = True
    """Whether bodies can be taken by hand; not where the motion is not that of the initial state."""
    grabs_in_page: bool = True
    """Whether they can in a page without a kernel, too; not where bodies are drawn elsewhere than they are."""

    def __init__(
        self,
        model: Model,
        selected: str | None = None,
        duration: float | None = None,
        rate: float | None = None,
        width: int = 748,
        height: int = 452,
        theme: str | None = None,
        **traits: Any,
    ) -> None:
        self._duration, self._rate = duration, rate
        self._history = History(as_model(model))
        self._trouble, self._lacking = "", list[str]()
        self._what, self._is_given = "", False
        self._good: dict[str, Any] | None = None
        self._restoring = False
        self._opens_from = 0.0 if self.opens_at_peak and "time" not in traits else None
        self._links: list[Any] = []
        follows, theme = theme is None, theme or "light"
        if theme not in THEMES:
            raise UnknownNameError(f"no theme {theme!r}", remedy=suggest_name(theme, THEMES))
        self.picture = self.picture_type(width, height, theme)
        self.picture.player.follows = follows
        self.health = Health()
        self.toolbar = Toolbar(self)
        self.page_solver = Live(self.picture.player, self.health)
        self.teller: Story | None = None
        self.scene = ipywidgets.VBox(
            [self.picture.stage.renderer, self.picture.player, self.health, self.page_solver],
            layout={"width": f"{width}px", "max_width": "100%", "flex": "0 0 auto"},
        )
        self.grabbing = Grabbing(self)
        self.page_solver.hand = self.grabbing.grab
        self._solver = Solver(self._arrived, self.health.progress)
        super().__init__(self.arrange())
        self.add_class("mbw-view")
        self.set_trait("theme", theme)
        self.set_trait("model", model)
        self.set_trait("selected", model.bodies[-1].name if selected is None else model.body(selected).name)
        for name, value in traits.items():
            self.set_trait(name, value)
        self._connect()
        self._pace = self.picture.player.speed = self.play_speed()
        try:
            self.admit(model)
            self._solver.solve(model, **self.options())
        except Exception:
            self.close()  # a model that cannot be shown leaves nothing in the page
            raise
        close_previous_run(self)

    # What a view is: to be overridden.

    def arrange(self) -> list[Any]:
        """Make the parts and return the children, from top to bottom."""
        return [self.toolbar, self.scene]

    def show(self) -> None:
        """Show ``self.motion`` and the selected body in every part, the picture first."""
        self.picture.show(self.motion, selected=self.index)

    def admit(self, model: Model) -> None:
        """Raise an error that says why, where this view cannot treat a model."""

    opens_at_peak = False
    """Whether it opens where the force in the selected joint is largest, and not at the start of the motion."""

    # What a view can ask for.

    @property
    def index(self) -> int:
        """Where the selected body stands in the model."""
        return self.model.index(self.selected)

    @property
    def origin(self) -> Model:
        """The model that reset comes back to: the given one that the present one was made of."""
        return self._history.origin

    @property
    def history(self) -> History:
        """What undo and redo go through."""
        return self._history

    def attempt(self, change: Callable[[Model], Model], what: str = "", given: bool = False) -> None:
        """Change the model; if that cannot be, say why and keep the last good one.

        ``what``: changes of the same thing in quick succession are one step of undo; ``given``: the new model is not
        made of the old one, and reset comes back to it.
        """
        self._what, self._is_given = what, given
        try:
            self.model = change(self.model)
        except Exception as error:
            self.show_error(explain_error(error))
        finally:
            self._what, self._is_given = "", False

    @contextlib.contextmanager
    def filling(self, *parts: Any, aloud: bool = False) -> Iterator[None]:
        """Around what computes and fills parts: where it fails they are emptied and say why.

        ``aloud``: the reason stands under the picture, for parts without words such as arrows.
        """
        with blank_on_error(*parts, *([_Aloud(self._lacking)] if aloud else ())):
            yield

    def show_error(self, trouble: Any) -> None:
        """Say under the picture what could not be done; the next change takes it away."""
        self._trouble = str(trouble)
        if self.motion is not None:
            self._tell()

    def refresh(self) -> None:
        """Show everything again."""
        if not self.is_current or self._restoring:
            return
        self._lacking.clear()
        try:
            self.show()
        except Exception as error:
            self._refuse(error)
            return
        self._good = self._state()
        if self.thinks:
            self.tell_page()
            self.grabbing.tell_page()
        self._tell(self.index)
        self.toolbar.refresh()

    def tell_page(self) -> None:
        """Let the page answer the next slider by itself."""
        try:
            tables = self.page_tables()
        except Exception as error:  # what it is stands in the parts that could not be filled
            self.page_solver.rest(explain_error(error))
            return
        shown = self.motion, self.origin, self.duration, self.picture
        self.page_solver.show(*shown, tables=tables, given=self.page_model)

    @property
    def is_current(self) -> bool:
        """Whether there is a motion, and of the present model; if not, nothing is shown of it."""
        return self.motion is not None and self._is_own(self.motion)

    def _is_own(self, motion: Motion) -> bool:
        """Whether a motion is of the present model, or of that by which a hand pulls it."""
        return motion.model is self.model or motion.model is self.grabbing.model

    @property
    def trouble(self) -> str:
        """Why the last change could not be, if so."""
        return self._trouble

    def _tell(self, joint: int | None = None) -> None:
        """What is to be said under the picture."""
        trouble = "; ".join(dict.fromkeys(filter(None, [self._trouble, *self._lacking, self.grabbing.words])))
        self.health.show(self.motion, trouble, joint)

    def _refuse(self, error: Exception) -> None:
        """Go back to what was last shown whole, and say why what came after it cannot be."""
        if self._good is None:
            raise error
        why, good = explain_error(error), self._good
        if all(value is good[name] for name, value in self._state().items()):  # it was shown, and cannot be any more
            for part in vars(self).values():
                if part is not self.health and (hasattr(part, "blank") or isinstance(part, TEXTS)):
                    blank_part(part, why)
        else:
            self._solver.cancel()
            if self._history.present is not good["model"]:
                self._history.forget()
            self._restore(good)
        self.show_error(why)

    def _state(self) -> dict[str, Any]:
        """What the view shows: its model, its motion and its choices."""
        own = [name for name, kind in self.traits().items() if issubclass(kind.this_class, View)]
        return {name: getattr(self, name) for name in own if name not in ("time", "playing", "view", "theme")}

    def _restore(self, state: dict[str, Any]) -> None:
        """Be as before, without solving anything."""
        self._restoring = True
        try:
            with self._deaf("model", "motion"), self.hold_trait_notifications():
                for name, value in state.items():
                    setattr(self, name, value)
        finally:
            self._restoring = False
        self.refresh()

    def fit(self) -> None:
        """Turn the camera back to the view."""
        self.picture.stage.look(self.view)

    def undo(self) -> None:
        """Take back the last change of the model."""
        self.model = self._history.undo()

    def redo(self) -> None:
        """Do again what was taken back."""
        self.model = self._history.redo()

    def reset(self) -> None:
        """Go back to the model that was given, and to its own motion; what was shown before is forgotten."""
        moved, before = self.grabbing.forget(), self.model
        self.picture.forget()
        self.model = self.origin
        if moved and self.model is before:
            self._solver.solve(before, **self.options())

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The widget, and for a PDF or a reader without widgets a still picture."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        with contextlib.suppress(MbwidgetsError):  # a motion that has no picture
            still = png_bytes(self, width=560, height=400, caption=STILL)
            bundle["image/png"] = base64.b64encode(still).decode("ascii")
        return bundle

    def finish(self) -> None:
        """Do now, in a thread without an event loop, what is still on its way: the motion, formulae, plots."""
        if self.motion.outcome.result is Result.BUDGET:
            self.motion = simulate(self.model, **self.options())
        finish_pending_work()

    @contextlib.contextmanager
    def without_history(self) -> Iterator[None]:
        """What is done meanwhile leaves no trace in undo and redo, nor on the stage."""
        before, self._history = self._history, History(self.model, self.origin)
        setting, self.picture.trying = self.picture.stage.setting, True
        try:
            yield
        finally:
            self._history, self.picture.trying = before, False
            if self.picture.stage.setting is not setting:  # a floor that was lowered for other values
                self.picture.stage.furnish(setting)
            self.toolbar.refresh()

    def close(self) -> None:
        """Free every widget of the view, in the kernel and in the page."""
        if not hasattr(self, "_solver"):  # refused before anything was made
            return
        self._solver.cancel()
        for link in self._links:
            link.unlink()
        self._links = []
        self.unobserve_all()
        self.picture.player.close()  # first: in the page it sees to it that the others are forgotten
        self.grabbing.close()
        for child in (*self.children, self.toolbar, self.scene):
            close_tree(child)
        self.picture.close()
        self.layout.close()
        super().close()

    def drop_parts(self) -> None:
        """Of a closed view keep the model and nothing else: Out[…] of a notebook holds it for ever."""
        self.__dict__["close"] = lambda: None  # it is called once more when the view is collected
        self.motion = None
        self.children = ()
        parts = (ipywidgets.Widget, Picture, Solver, Grabbing)
        for name in [name for name, value in vars(self).items() if isinstance(value, parts)]:
            delattr(self, name)

    def __repr__(self) -> str:
        """What a reader without the page sees."""
        return f"<{type(self).__name__} of {self.model.name!r}, body {self.selected!r}>"

    # From the traits and from the page.

    def _connect(self) -> None:
        player = self.picture.player
        self._links = [traitlets.link((self, name), (player, name)) for name in ("time", "playing")]
        self._heard = {"model": self._on_model, "motion": self._on_motion, "selected": lambda _: self.refresh()}
        for name, listener in self._heard.items():
            self.observe(listener, name)
        self.picture.stage.look(self.view)
        self.observe(lambda change: self.picture.stage.look(change.new), "view")
        self.observe(self._on_theme, "theme")
        self.observe(lambda _: self._solver.solve(self.model, **self.options()), "held")
        # the same thing can be clicked again, at another point
        self.picture.stage.picker.observe(lambda _: self._on_pick(), ["object", "point"])

    @traitlets.validate("model")
    def _check_model(self, proposal: Any) -> Model:
        # an equal model is no change: the one that the motion is of stays
        present = self._trait_values.get("model")
        return present if present == proposal.value else proposal.value  # type: ignore[no-any-return]

    @traitlets.validate("selected")
    def _check_selected(self, proposal: Any) -> str:
        return str(self.model.body(proposal.value).name)

    def _on_theme(self, change: Any) -> None:
        self.picture.player.follows = False
        self.picture.repaint(change.new)
        self.refresh()

    def _on_pick(self) -> None:
        """A body, or the joint that carries it, was clicked twice."""
        index = self.picture.body_of(self.picture.stage.picker.object)
        if index is not None:
            self.selected = self.model.bodies[index].name

    @traitlets.validate("time")
    def _check_time(self, proposal: Any) -> float:
        """Within the motion; the page asks for nothing else."""
        value = float(proposal.value)
        if not math.isfinite(value):
            raise StateError(f"time {value} s", where="time", remedy="give seconds of the motion")
        motion = self._trait_values.get("motion")
        return value if motion is None else min(max(value, float(motion.t[0])), float(motion.t[-1]))

    @contextlib.contextmanager
    def _deaf(self, *names: str) -> Iterator[None]:
        """What is done to these traits meanwhile is not acted on."""
        for name in names:
            self.unobserve(self._heard[name], name)
        try:
            yield
        finally:
            for name in names:
                self.observe(self._heard[name], name)

    def _origin_of(self, model: Model) -> Model | None:
        """A model that was given is its own origin: another mechanism, or one that was said to be."""
        return model if self._is_given or _mechanism(model) != _mechanism(self.origin) else None

    def _on_model(self, change: Any) -> None:
        self._trouble, model = "", change.new
        self.grabbing.forget()
        if self._history.present is not model:  # first: what is shown tells where reset goes to
            self._history.record(model, self._what, self._origin_of(model))
        try:
            self.admit(model)
            names = [body.name for body in model.bodies]
            if self.selected not in names:
                with self._deaf("selected"):  # no motion of the new model yet: the choice is only noted
                    self.selected = names[0]
            if self._pace != (pace := self.play_speed()):  # else the speed stays as it was chosen
                self._pace = self.picture.player.speed = pace
            self._solver.solve(model, **self.options())
        except Exception as error:
            self._refuse(error)
        self.toolbar.refresh()

    def _on_motion(self, change: Any) -> None:
        motion = change.new
        if motion is None:
            return
        if not self._is_own(motion):
            try:
                self.admit(motion.model)
            except Exception as error:
                self._refuse(error)
                return
            self._history.record(motion.model, origin=self._origin_of(motion.model))
            with self._deaf("model", "selected"):
                self.model = motion.model
                if self.selected not in {body.name for body in self.model.bodies}:
                    self.selected = self.model.bodies[0].name
        if self._opens_from == self.time:  # else the time is the user's
            with contextlib.suppress(MbwidgetsError):  # a joint whose force is not known
                self.time = telling_instant(motion, self.index)
            # of a first part of the motion the peak is not yet that of the whole
            self._opens_from = self.time if motion.outcome.result is Result.BUDGET else None
        self.refresh()

    def _arrived(self, motion: Motion) -> None:
        if motion.model is self.model:
            self.grabbing.forget()
            self.motion = motion


class _Aloud:
    """A part without words: why it is empty is told under the picture."""

    def __init__(self, words: list[str]) -> None:
        self._words = words

    def blank(self, why: str) -> None:
        self._words.append(why)


def _mechanism(model: Model) -> tuple[str, ...]:
    """What sliders leave as it is: another one is another mechanism."""
    return (model.name, *(body.name for body in model.bodies))

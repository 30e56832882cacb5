"""The base of every view: a model, its motion, a picture that plays, and a life that ends cleanly."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets
import traitlets

from ..errors import MbwidgetsError, UnknownNameError
from ..export.films import png_bytes
from ..export.html import html
from ..export.record import Choices
from ..model.fields import suggest
from ..model.model import Model
from ..numeric.integrate import simulate
from ..numeric.motion import Motion
from ..numeric.outcome import Result
from ..scene.palette import THEMES
from ..scene.picture import Picture
from ..scene.stage import VIEWS
from .base import close_tree, finish_work, replace_previous
from .health import Health
from .history import History
from .solver import Solver
from .toolbar import Toolbar

__all__ = ["View"]


class View(ipywidgets.VBox):
    """A model in three dimensions with its motion; `Explorer` and the papers' views are made of it.

    Parameters
    ----------
    model : what to show
    selected : name of the selected body; the last one unless told
    duration, rate : of the motion, s and frames per second
    width, height : of the stage, pixels
    theme : ``"light"`` or ``"dark"``

    The traits ``model``, ``motion``, ``time``, ``playing``, ``selected``, ``view`` (where the camera stands) and
    ``theme`` can be set and observed. ``picture`` is the stage with its player, ``scene`` the column of stage,
    timeline and health, ``toolbar`` the row of common buttons. `close` frees everything in the page.

    A new view is a subclass with two methods, and a third if its motion is a special one:

    - `arrange` makes the view's parts and returns its children from top to bottom; it is called once;
    - `show` shows ``self.motion``, the picture first; it is called for each new motion and selection;
    - `options` gives the keywords of `simulate`; override it for efforts or an initial state.

    Parts that change the model do so with `attempt`: what cannot be is refused in words under the picture and the
    last good state stays. A subclass that must free more than its children overrides `close`, and calls it here.
    """

    model = traitlets.Instance(Model)
    motion: Any = traitlets.Instance(Motion, allow_none=True)
    time = traitlets.Float(0.0)
    playing = traitlets.Bool(False)
    selected = traitlets.Unicode()
    view = traitlets.Enum(list(VIEWS), "iso")
    theme = traitlets.Enum(list(THEMES), "light")

    picture_type: type[Picture] = Picture
    """What draws; a view whose arrows are its own takes another."""

    def __init__(
        self,
        model: Model,
        selected: str | None = None,
        duration: float = 10.0,
        rate: float = 60.0,
        width: int = 640,
        height: int = 470,
        theme: str = "light",
        **traits: Any,
    ) -> None:
        self.duration, self.rate = duration, rate
        self._origin = model
        self._history = History(model)
        self._trouble = ""
        self._what = ""
        self._links: list[Any] = []
        if theme not in THEMES:
            raise UnknownNameError(f"no theme {theme!r}", remedy=suggest(theme, THEMES))
        self.picture = self.picture_type(width, height, theme)
        self.health = Health()
        self.toolbar = Toolbar(self)
        self.scene = ipywidgets.VBox(
            [self.picture.stage.renderer, self.picture.player, self.health],
            layout={"width": f"{width}px", "flex": "0 0 auto"},
        )
        self._solver = Solver(self._arrived, self.health.progress)
        super().__init__(self.arrange())
        self.add_class("mbw-view")
        self.set_trait("theme", theme)
        self.set_trait("model", model)
        self.set_trait("selected", model.bodies[-1].name if selected is None else model.body(selected).name)
        for name, value in traits.items():
            self.set_trait(name, value)
        self._connect()
        try:
            self._solver.solve(model, **self.options())
        except MbwidgetsError:
            self.close()  # a model that cannot move leaves nothing in the page
            raise
        replace_previous(self)

    # What a view is: to be overridden.

    def arrange(self) -> list[Any]:
        """Make the parts and return the children, from top to bottom."""
        return [self.toolbar, self.scene]

    def show(self) -> None:
        """Show ``self.motion`` and the selected body in every part, the picture first."""
        self.picture.show(self.motion, selected=self.index)

    def options(self) -> dict[str, Any]:
        """Keywords of `simulate` for the present model."""
        return {"duration": self.duration, "rate": self.rate}

    live: tuple[str, ...] = ()
    """Names of the parameters, and keys of the view's own sliders, that a page without a kernel keeps alive first."""

    fewest: int
    """How few choices leave room for sliders beside them; all of them unless a view says so."""

    def choices(self, most: int) -> Choices | None:
        """What else can be chosen in a page without a kernel: computed beforehand, one by one, ``most`` at most."""
        return None

    def camera_controls(self) -> dict[str, Any]:
        """What a page without a kernel needs to turn the camera back."""
        stage = self.picture.stage
        return {
            **self.toolbar.camera,
            "camera": stage.camera.model_id,
            "orbit": stage.orbit.model_id,
            "places": [stage.place_of(view) for view in VIEWS],
            "target": stage.orbit.target,
        }

    # What a view can ask for.

    @property
    def index(self) -> int:
        """Where the selected body stands in the model."""
        return self.model.index(self.selected)

    @property
    def origin(self) -> Model:
        """The model that reset comes back to."""
        return self._origin

    @property
    def history(self) -> History:
        """What undo and redo go through."""
        return self._history

    def attempt(self, change: Callable[[Model], Model], what: str = "") -> None:
        """Change the model; if that cannot be, say why and keep the last good one.

        ``what``: changes of the same thing in quick succession are one step of undo.
        """
        self._what = what
        try:
            self.model = change(self.model)
        except MbwidgetsError as error:
            self.complain(error)
        finally:
            self._what = ""

    def complain(self, trouble: Any) -> None:
        """Say under the picture what could not be done; the next change takes it away."""
        self._trouble = str(trouble)
        if self.motion is not None:
            self.health.show(self.motion, self._trouble)

    def refresh(self) -> None:
        """Show everything again."""
        if self.motion is None or self.motion.model is not self.model:
            return
        trouble = self._trouble
        try:
            self.show()
        except MbwidgetsError as error:
            trouble = str(error)
        self.health.show(self.motion, trouble, self.index)
        self.toolbar.refresh()

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
        """Go back to the model that was given."""
        self.model = self._origin

    to_html = html

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The widget, and for a PDF or a reader without widgets a still picture."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        with contextlib.suppress(MbwidgetsError):  # a motion that has no picture
            bundle["image/png"] = base64.b64encode(png_bytes(self, width=560, height=400)).decode("ascii")
        return bundle

    def finish(self) -> None:
        """Do now, in a thread without an event loop, what is still on its way: the motion, formulae, plots."""
        if self.motion.outcome.result is Result.BUDGET:
            self.motion = simulate(self.model, **self.options())
        finish_work()

    @contextlib.contextmanager
    def at_rest(self) -> Iterator[None]:
        """What is done meanwhile leaves no trace in undo and redo."""
        before, self._history = self._history, History(self.model)
        try:
            yield
        finally:
            self._history = before
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
        for child in (*self.children, self.toolbar, self.scene):
            close_tree(child)
        self.picture.close()
        self.layout.close()
        super().close()

    def let_go(self) -> None:
        """Of a closed view keep the model and nothing else: Out[…] of a notebook holds it for ever."""
        self.__dict__["close"] = lambda: None  # it is called once more when the view is collected
        self.motion = None
        self.children = ()
        parts = (ipywidgets.Widget, Picture, Solver)
        for name in [name for name, value in vars(self).items() if isinstance(value, parts)]:
            delattr(self, name)

    def __repr__(self) -> str:
        """What a reader without the page sees."""
        return f"<{type(self).__name__} of {self.model.name!r}, body {self.selected!r}>"

    # From the traits and from the page.

    def _connect(self) -> None:
        player = self.picture.player
        self._links = [traitlets.link((self, name), (player, name)) for name in ("time", "playing")]
        self.observe(self._on_model, "model")
        self.observe(self._on_motion, "motion")
        self.observe(lambda _: self.refresh(), "selected")
        self.picture.stage.look(self.view)
        self.observe(lambda change: self.picture.stage.look(change.new), "view")
        self.observe(self._on_theme, "theme")
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
        self.picture.repaint(change.new)
        self.refresh()

    def _on_pick(self) -> None:
        """A body, or the joint that carries it, was clicked twice."""
        index = self.picture.body_of(self.picture.stage.picker.object)
        if index is not None:
            self.selected = self.model.bodies[index].name

    def _on_model(self, change: Any) -> None:
        self._trouble = ""
        names = [body.name for body in change.new.bodies]
        if self.selected not in names:
            # no motion of the new model yet: the choice is only noted
            with self.hold_trait_notifications():
                self.selected = names[0]
        try:
            self._solver.solve(change.new, **self.options())
        except MbwidgetsError as error:
            self._take(self.motion.model)
            self.complain(error)
            return
        if self._history.present is not change.new:
            self._history.record(change.new, self._what)
        self.toolbar.refresh()
        if names != [body.name for body in self._origin.bodies]:
            self._origin = change.new  # another mechanism: reset comes back to it

    def _take(self, model: Model) -> None:
        """Set the model without solving it."""
        self.unobserve(self._on_model, "model")
        with contextlib.ExitStack() as stack:
            stack.callback(self.observe, self._on_model, "model")
            self.model = model
            if self.selected not in {body.name for body in model.bodies}:
                self.selected = model.bodies[0].name

    def _on_motion(self, change: Any) -> None:
        if change.new is None:
            return
        if change.new.model is not self.model:
            self._history.record(change.new.model)
            self._take(change.new.model)
        self.refresh()

    def _arrived(self, motion: Motion) -> None:
        if motion.model is self.model:
            self.motion = motion

"""What a view tells as a story: steps that are stored in it, with what is shown with each."""

from __future__ import annotations

from typing import Any

from ...model.model import Model
from ...scene.stage.picture import Picture
from ..parts.story import Step, Story, whole_steps

__all__ = ["Storied"]


class Storied:
    """A view that can hold a story; `teller` is the part that shows it, where one has been told."""

    picture: Picture
    model: Model
    scene: Any
    page_solver: Any
    teller: Story | None

    @property
    def camera(self) -> tuple[float, ...]:
        """Where the camera stands and what it looks at, six numbers in the picture's axes, m; for a `Step`."""
        stage = self.picture.stage
        return (*map(float, stage.camera.position), *map(float, stage.orbit.target))

    def vector_table(self) -> Any:
        """The table whose ticks choose the vectors, if there is one."""
        return None

    def tell_story(self, *steps: Step, title: str = "") -> None:
        """Store a story: sentences with what is shown with them, one after another; without steps there is none.

        >>> view = mb.Explorer(mb.library.pendulum(1), duration=1)
        >>> view.tell_story(mb.Step("It begins level.", time=0), mb.Step("It is fastest *below*.", time=0.5))
        >>> len(view.teller.steps)
        2
        >>> view.close()
        """
        if self.teller is None:
            parts = {"controls": self.page_solver.controls, "table": self.vector_table()}
            self.teller = Story(player=self.picture.player, **parts)
            self.scene.children = (*self.scene.children, self.teller)
        given = {name: float(value) for name, value in self.model.values.items()}
        with self.teller.hold_sync():
            self.teller.title = title or str(self.model.name or "")
            self.teller.steps = whole_steps(steps, given)
            self.teller.step = -1

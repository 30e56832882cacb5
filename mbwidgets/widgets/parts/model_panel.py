"""The model as text: its file and its Python code, to be copied, downloaded, or saved where the kernel runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ...errors import MbwidgetsError
from ...files import save
from ...model.model import Model
from ...numeric.motion.motion import table_names
from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["ModelPanel"]


class ModelPanel(anywidget.AnyWidget):
    """Shows a model as JSON or as Python."""

    _esm = join_modules(Path(__file__).parent / "model_panel.js")
    _css = read_stylesheet(Path(__file__).parent / "model_panel.css")

    json = traitlets.Unicode().tag(sync=True)
    code = traitlets.Unicode().tag(sync=True)
    form = traitlets.Enum(["json", "code"], "json").tag(sync=True)
    file = traitlets.Unicode("model.json").tag(sync=True)
    """Name of the file that is offered."""
    note = traitlets.Unicode().tag(sync=True)
    """What came of the last wish."""
    columns: Any = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Headings of the motion's table."""
    still = traitlets.Bool(False).tag(sync=True)
    """Whether nobody is there to save a file for."""
    wish = traitlets.Dict().tag(sync=True)
    """The newest wish of the page: path, number."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._model: Model | None = None
        self.observe(self._on_wish, "wish")

    def show(self, model: Model) -> None:
        """Show a model."""
        self._model = model
        with self.hold_sync():
            for name, value in self.state_of(model).items():
                setattr(self, name, value)

    @staticmethod
    def state_of(model: Model) -> dict[str, Any]:
        """The traits that show a model."""
        return {
            "json": json.dumps(model.to_dict(), indent=1, ensure_ascii=False),
            "code": model.to_code(),
            "file": f"{file_name(model.name)}.json",
            "columns": table_names(model),
            "note": "",
        }

    def blank(self, why: str) -> None:
        """No text, and why."""
        self._model = None
        with self.hold_sync():
            self.json = self.code = ""
            self.note = why

    def save(self, path: str) -> None:
        """Save the model that is shown, and say so."""
        if self._model is None:
            return
        try:
            save(self._model, path)
        except (MbwidgetsError, OSError) as error:
            self.note = str(error)
        else:
            self.note = f"saved as {Path(path).resolve()}"

    def _on_wish(self, change: Any) -> None:
        path = change.new.get("path")
        if isinstance(path, str) and path.strip():
            self.save(path.strip())


def file_name(name: str) -> str:
    """A model's name as the name of a file."""
    return re.sub(r"[^\w-]+", "-", name).strip("-") or "model"

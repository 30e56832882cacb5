"""One HTML file of a whole notebook: it is run, its widgets are taken in with their sliders, and all is in one page."""

from __future__ import annotations

import html as markup
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ...errors import FileError, MissingError, shorten
from ...files.whole import writable_path, write_whole
from .document import Page, html_document
from .states import open_widgets

__all__ = ["notebook"]

VIEW: Final = "application/vnd.jupyter.widget-view+json"
SECONDS: Final = 300
"""That a cell may take."""
START_SECONDS: Final = 600
"""That a kernel may take to answer first: a loaded machine needs more than the usual minute."""
GATHER: Final = "from mbwidgets.export.page.notebook import gather as _gather\n_gather({request!r})"
STYLE: Final = Path(__file__).parent / "notebook.css"


def notebook(
    path: str | Path,
    target: str | Path | None = None,
    *,
    sliders: bool = True,
    say: Callable[[str], None] = lambda text: None,
) -> Path:
    """Run a notebook and write it as one file that needs neither kernel nor network; returns the file's path.

    Parameters
    ----------
    path : the notebook; its code is run, in its own folder
    target : the file to write; beside the notebook unless told
    sliders : whether up to three parameters of each view stay alive
    say : told what is under way
    """
    source = Path(path)
    out = Path(target) if target is not None else source.with_suffix(".html")
    writable_path(out)
    content = _read(source)
    with tempfile.TemporaryDirectory(prefix="mbwidgets-") as folder:
        answer = _run(content, source.parent, Path(folder), sliders, say)
    say("writing the page")
    for output in _outputs(content):
        data = output.get("data", {})
        identity = data.get(VIEW, {}).get("model_id")
        if identity in answer["widgets"]:
            output["data"] = {"text/html": answer["widgets"][identity]}
            output["metadata"] = {}
        elif identity:  # closed since: its still picture, or its sentence
            del data[VIEW]
    title = _title(content, source)
    body, style = _body(content)
    write_whole(out, html_document(title, body, answer["data"], style))
    return out


def gather(request: str) -> None:
    """In the notebook's own kernel: take in the widgets that it shows, and write them where they are asked for."""
    wanted = json.loads(request)
    page = Page()
    widgets = open_widgets()
    shown = [identity for identity in wanted["widgets"] if identity in widgets]
    views = [identity for identity in shown if getattr(getattr(widgets[identity], "model", None), "parameters", ())]
    sliders, share = None if wanted["sliders"] else False, 1 / max(1, len(views))
    places = {identity: page.add(widgets[identity], sliders, share=share) for identity in shown}
    Path(wanted["answer"]).write_text(
        json.dumps({"widgets": places, "data": page.foot() + page.data()}), encoding="utf-8"
    )


def _read(source: Path) -> Any:
    try:
        import nbclient  # noqa: F401
        import nbconvert  # noqa: F401
        import nbformat
    except ImportError as error:
        raise MissingError(
            f"a notebook needs {error.name}", where=str(source), remedy="pip install 'mbwidgets[lab]'"
        ) from None
    try:
        return nbformat.read(source, as_version=4)
    except (OSError, ValueError, AttributeError, nbformat.reader.NotJSONError) as error:
        raise FileError(f"cannot be read as a notebook: {shorten(str(error))}", where=str(source)) from None


def _run(content: Any, home: Path, folder: Path, sliders: bool, say: Callable[[str], None]) -> dict[str, Any]:
    """Run every cell, then let the kernel gather its widgets; returns what it wrote."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    client = NotebookClient(
        content, timeout=SECONDS, startup_timeout=START_SECONDS, resources={"metadata": {"path": str(home)}}
    )
    content.metadata.pop("widgets", None)
    cells = [(index, cell) for index, cell in enumerate(content.cells) if cell.cell_type == "code"]
    answer = folder / "answer.json"
    try:
        with client.setup_kernel():
            for number, (index, cell) in enumerate(cells, 1):
                say(f"running cell {number} of {len(cells)}")
                client.execute_cell(cell, index)
            say("computing the motions for the sliders")
            request = json.dumps({"widgets": _shown(content), "sliders": sliders, "answer": str(answer)})
            last = nbformat.v4.new_code_cell(GATHER.format(request=request))
            content.cells.append(last)
            try:
                client.execute_cell(last, len(content.cells) - 1)
            finally:
                content.cells.remove(last)
    except (CellExecutionError, CellTimeoutError) as error:
        line = [part for part in re.sub(r"\x1b\[[0-9;]*m", "", str(error)).splitlines() if part.strip()][-1]
        raise FileError(f"a cell failed: {shorten(line, 200)}", remedy="run the notebook and mend it") from None
    found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
    return found


def _outputs(content: Any) -> list[Any]:
    return [output for cell in content.cells if cell.cell_type == "code" for output in cell.outputs]


def _shown(content: Any) -> list[str]:
    """Ids of the widgets that the notebook shows, each once."""
    found = [output.get("data", {}).get(VIEW, {}).get("model_id") for output in _outputs(content)]
    return list(dict.fromkeys(identity for identity in found if identity))


def _title(content: Any, source: Path) -> str:
    """The first heading, or the file's name."""
    for cell in content.cells:
        if cell.cell_type == "markdown":
            match = re.search(r"^#\s+(.+)$", cell.source, flags=re.MULTILINE)
            if match:
                return markup.unescape(re.sub(r"[*_`]", "", match[1])).strip()
    return source.stem


def _body(content: Any) -> tuple[str, str]:
    """The cells as HTML, and their style."""
    from nbconvert import HTMLExporter
    from pygments.formatters import HtmlFormatter

    exporter = HTMLExporter(
        template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True, exclude_anchor_links=True
    )
    body, _ = exporter.from_notebook_node(content)
    style = HtmlFormatter(style="default").get_style_defs(".highlight") + STYLE.read_text(encoding="utf-8")
    return f'<main class="mbw-notebook">{body}</main>', style

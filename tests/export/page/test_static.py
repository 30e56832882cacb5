"""What is vendored is what its record says, and asks for nothing from elsewhere."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import re
from pathlib import Path

import pytest

import mbwidgets as mb
import mbwidgets.export

STATIC = Path(mbwidgets.export.__file__).parent / "page" / "static"
ELSEWHERE = re.compile(r"cdn\.|cdnjs|jsdelivr|unpkg|googleapis", re.IGNORECASE)


UNPACKED = {".gz": gzip.decompress, ".lzma": lzma.decompress}


def test_all_that_the_record_names_is_there_once() -> None:
    record = json.loads((STATIC / "vendored.json").read_text())
    assert sorted(record["sha256"]) == sorted(path.stem for path in STATIC.iterdir() if path.suffix in UNPACKED)


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.[gl]z*")), ids=lambda path: path.name)
def test_vendored_files_match_their_record_and_name_no_server(path: Path) -> None:
    record = json.loads((STATIC / "vendored.json").read_text())
    content = UNPACKED[path.suffix](path.read_bytes())
    assert hashlib.sha256(content).hexdigest() == record["sha256"][path.stem]
    assert ELSEWHERE.findall(content.decode()) == []


def test_the_versions_are_those_that_python_speaks_to() -> None:
    import anywidget
    import pythreejs

    spoken = pythreejs.Group().get_state()["_model_module_version"].strip("^~").split(".")[0]
    packages = json.loads((STATIC / "vendored.json").read_text())["packages"]
    assert packages["anywidget"].split(".")[:2] == anywidget.__version__.split(".")[:2]
    assert packages["jupyter-threejs"].split(".")[0] == spoken


def test_the_licences_of_all_that_is_vendored_are_there() -> None:
    text = (STATIC / "LICENSES.txt").read_text()
    for holder in ("Project Jupyter Contributors", "Apache License", "Trevor Manz", "three.js authors"):
        assert holder in text


def test_a_page_refers_to_nothing_outside_itself(tmp_path: Path) -> None:
    view = mb.Explorer(mb.library.three_body_arm(), duration=1)
    text = view.to_html(tmp_path / "arm.html", sliders=False).read_text()
    view.close()
    assert ELSEWHERE.findall(re.sub(r'id="mbw-packed">.*?</script>', "", text)) == []
    assert re.findall(r"""(?:src|href)\s*=\s*["']?([^"'\s>]*)""", text) == ["data:,"]


def test_a_page_of_rotators_names_what_only_python_shows(tmp_path: Path) -> None:
    view = mb.RotatorsView(duration=1)
    text = view.to_html(tmp_path / "page.html").read_text()
    view.close()
    assert (
        "Only Python shows another model, another joint, some kinds of rotators alone and another row: <code>" in text
    )


def test_a_page_says_how_to_get_another_model(tmp_path: Path) -> None:
    """The menu that loads one is not there: it is Python's."""

    class Mine(mb.ReactionsView):
        """Of a user's own."""

    for view in (mb.Explorer(mb.library.pendulum(1), duration=1), Mine(mb.library.pendulum(1), duration=1)):
        text = view.to_html(tmp_path / "page.html").read_text()
        view.close()
        name = "Explorer" if isinstance(view, mb.Explorer) else "ReactionsView"
        assert f'<code>mb.{name}(model).to_html("page.html")</code>' in text

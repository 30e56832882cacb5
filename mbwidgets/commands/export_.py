"""write a notebook or a model as one HTML file that needs no Python, or a model's motion as PNG, GIF, MP4 or CSV

The notebook is run: export only notebooks that you would run.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..errors import FileError, ModelError, shorten
from ..files.whole import writable_path
from .shared import MAX_DIGITS, Bar, add_model_arguments, find_model, print_status

FORMS = (".html", ".png", ".gif", ".mp4", ".csv")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What to write, where, and for how long it moves."""
    add_model_arguments(parser, "a notebook .ipynb, ")
    parser.add_argument("-o", "--output", metavar="FILE", help=f"file to write; its ending chooses: {' '.join(FORMS)}")
    parser.add_argument(
        "--slider",
        action="append",
        default=[],
        metavar="NAME=COUNT",
        help="a parameter whose slider stays alive in the page, with so many values; at most three",
    )
    parser.add_argument("--no-sliders", action="store_true", help="no slider stays alive: a smaller page, sooner")
    parser.add_argument("--duration", type=float, help="of a model's motion, seconds (default: its own, or 10)")
    parser.add_argument("--time", type=float, default=0.0, help="of a PNG, seconds (default 0)")
    parser.add_argument("--vectors", default="force,weight", help="drawn with a model (default force,weight)")
    parser.add_argument("--body", help="the body whose vectors are drawn (default: the last)")


def run(options: argparse.Namespace) -> int:
    """Write the file and tell its size."""
    source = Path(options.model)
    is_notebook = source.suffix.lower() == ".ipynb"
    target = Path(options.output) if options.output else Path(source.name.replace(":", "-")).with_suffix(".html")
    if target.suffix.lower() not in (FORMS[:1] if is_notebook else FORMS):
        raise ModelError(f"{shorten(target.name)}", where="--output", remedy=f"end it with one of {' '.join(FORMS)}")
    writable_path(target)
    done = _notebook(source, target, options) if is_notebook else _model(target, options)
    print_status(f"wrote {done} ({done.stat().st_size / 1e6:.1f} MB)")
    return 0


def _notebook(source: Path, target: Path, options: argparse.Namespace) -> Path:
    from ..export.page.notebook import notebook

    if not source.is_file():
        raise FileError("there is no such notebook", where=str(source))
    return notebook(source, target, sliders=not options.no_sliders, say=print_status)


def _model(target: Path, options: argparse.Namespace) -> Path:
    from .. import export
    from ..numeric.simulation.holding import drives_of
    from ..numeric.simulation.simulate import simulate

    model = find_model(options.model, options.set)
    vectors = tuple(key.strip() for key in options.vectors.split(",") if key.strip())
    suffix = target.suffix.lower()
    with Bar(f"writing {target.name}") as bar:
        if suffix == ".html":
            return _page(model, vectors, target, options, bar)
        # pictures show a machine with its drives, as the views do; numbers are the model's own
        drives = None if suffix == ".csv" else drives_of(model)
        motion = simulate(model, duration=options.duration, tau=drives)
        if suffix == ".csv":
            return export.csv(motion, target, reactions=True)
        drawn: dict[str, Any] = {"vectors": vectors, "bodies": [options.body] if options.body else None}
        if suffix == ".png":
            return export.png(motion, target, time=options.time, **drawn)
        return (export.gif if suffix == ".gif" else export.mp4)(motion, target, progress=bar, **drawn)


def _page(model: Any, vectors: tuple[str, ...], target: Path, options: argparse.Namespace, bar: Bar) -> Path:
    from ..widgets.views.explorer import Explorer

    sliders = False if options.no_sliders else _sliders(options.slider) or None
    view = Explorer(model, vectors=vectors, selected=options.body, duration=options.duration)
    try:
        return view.to_html(target, sliders=sliders, progress=bar)
    finally:
        view.close()


def _sliders(given: list[str]) -> dict[str, int]:
    out = {}
    for text in given:
        name, _, count = text.partition("=")
        if not count.isdecimal() or len(count) > MAX_DIGITS or int(count) < 2:
            raise ModelError(f"{shorten(text)}", where="--slider", remedy="write it as m2=7")
        out[name] = int(count)
    return out

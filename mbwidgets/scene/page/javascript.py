"""JavaScript and styles of the widgets: small modules that import each other, joined into the one that a page loads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from .es_modules import Module, read_module
from .javascript_text import JavaScriptError

__all__ = ["JavaScriptError", "join_modules", "join_script", "read_stylesheet"]


def join_modules(entry: Path) -> str:
    """A widget's module and all that it imports, as the one module that anywidget asks for.

    A page keeps each module that it loads for ever, and loads one for each widget. So that they do not pile up when a
    cell is run again and again, the second widget of a kind takes what the first one made; its own text is never
    compiled.
    """
    *others, last = _ordered(entry)
    if last.default is None:
        raise JavaScriptError(f"{entry.name} must have one `export default`")
    made = last.body[: last.default], last.body[last.default :]
    body = "".join([*(module.body for module in others), made[0], "return ", made[1]])
    key = hashlib.sha256(body.encode()).hexdigest()[:16]
    return (
        f"const make = () => {{\n{body}\n}};\n"
        f'export default () => ((globalThis[Symbol.for("mbwidgets")] ??= {{}})["{key}"] ??= make());\n'
    )


def join_script(entry: Path) -> str:
    """A script of a page and all that it imports, as one text that runs by itself."""
    modules = _ordered(entry)
    if modules[-1].default is not None:
        raise JavaScriptError(f"{entry.name} is a script: nobody takes its `export default`")
    return "".join(module.body for module in modules)


def read_stylesheet(path: Path) -> str:
    """A stylesheet as text: anywidget would watch a file, and keep every widget that was ever made for it."""
    return path.read_text(encoding="utf-8")


def _ordered(entry: Path) -> list[Module]:
    """The modules that an entry needs, each once and after those that it imports, the entry last."""
    modules = list(_walk(read_module(entry.resolve()), (), set()))
    homes: dict[str, Path] = {}
    for module in modules:
        for name in module.names:
            if name in homes:
                where = "twice" if homes[name] == module.path else f"in {homes[name].name} too"
                raise JavaScriptError(f"{module.path.name} defines {name}, which is defined {where}")
            homes[name] = module.path
    return modules


def _walk(module: Module, importers: tuple[Path, ...], seen: set[Path]) -> Iterator[Module]:
    if module.path in importers:
        circle = [path.name for path in (*importers[importers.index(module.path) :], module.path)]
        raise JavaScriptError(f"modules import each other: {' → '.join(circle)}")
    if module.path in seen:
        return
    seen.add(module.path)
    for path, names in module.imports:
        other = read_module(path)
        if other.default is not None:
            raise JavaScriptError(
                f"{module.path.name} imports {path.name}, which is a widget's own: it has `export default`"
            )
        if missing := [name for name in names if name not in other.exports]:
            raise JavaScriptError(f"{module.path.name} imports {', '.join(missing)}: {path.name} does not export it")
        yield from _walk(other, (*importers, module.path), seen)
    yield module

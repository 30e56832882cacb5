"""Which module calls which while something is done, and the cycles among them.

    python tools/call_graph.py                  # simulate, reactions, to_html, a slider
    python tools/call_graph.py simulate --edges

Calls are seen by `sys.setprofile`: what really happens, methods included. A call counts where the caller knows whom it
calls, because its module imports the other one, lazily or not. What was handed over does not count: a function that
is given as an argument, an observer, a method of a class that the caller knows by its base alone.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final

import mbwidgets as mb

PACKAGE: Final = Path(mb.__file__).parent
LAYERS: Final = [
    "errors",
    "expressions",
    "model",
    "files",
    "symbolic",
    "numeric",
    "scene",
    "assignments",
    "export",
    "widgets",
    "commands",
]
Edges = dict[tuple[str, str], set[str]]


def watch(work: Callable[[], Any]) -> Edges:
    """Calls from module to module while ``work`` runs: for each pair, the functions that were called."""
    found: Edges = defaultdict(set)
    names: dict[str, str | None] = {}

    def module_of(file: str) -> str | None:
        if file not in names:
            path = Path(file)
            inside = path.is_relative_to(PACKAGE)
            names[file] = ".".join(path.relative_to(PACKAGE).with_suffix("").parts) if inside else None
        return names[file]

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or frame.f_back is None:
            return
        code = frame.f_code
        if "<" in code.co_qualname:  # handed over, or a comprehension
            return
        callee, caller = module_of(code.co_filename), module_of(frame.f_back.f_code.co_filename)
        if callee and caller and callee != caller:
            found[caller, callee].add(code.co_qualname)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    imports = {module: known(module) for module, _ in found}
    return {pair: called for pair, called in found.items() if pair[1] in imports[pair[0]]}


def known(module: str) -> set[str]:
    """The modules of the package that a module imports, those for type checkers alone left out."""
    file = PACKAGE / Path(*module.split(".")).with_suffix(".py")
    here = module.split(".")[:-1]
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*here[: len(here) - node.level + 1], *(node.module or "").split(".")]
            target = ".".join(part for part in base if part)
            found.update([target, *(f"{target}.{alias.name}".lstrip(".") for alias in node.names)])
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(file.read_text(encoding="utf-8")))
    return found


def cycles(edges: Edges) -> list[list[str]]:
    """Strongly connected groups of more than one module (Tarjan)."""
    graph: dict[str, list[str]] = defaultdict(list)
    for a, b in edges:
        graph[a].append(b)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(node: str) -> Iterator[str]:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, []):
            if other not in index:
                yield other
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            cut = stack.index(node)
            groups.append(stack[cut:])
            del stack[cut:]

    for start in list(graph):
        if start in index:
            continue
        walk = [visit(start)]
        while walk:
            other = next(walk[-1], None)
            if other is None:
                walk.pop()
            else:
                walk.append(visit(other))
    return [group for group in groups if len(group) > 1]


def upward(edges: Edges) -> list[tuple[str, str, set[str]]]:
    """Calls into a higher layer of the package."""
    return [
        (a, b, names)
        for (a, b), names in edges.items()
        if _layer(a) is not None and _layer(b) is not None and _layer(a) < _layer(b)  # type: ignore[operator]
    ]


def _layer(module: str) -> int | None:
    head = module.split(".")[0]
    return LAYERS.index(head) if head in LAYERS else None


def _simulate() -> None:
    motion = mb.simulate(mb.library.four_bar(), duration=1)
    motion.reactions("crank")
    repr(motion)


def _reactions() -> None:
    for method in ("rodrigues", "rotators", "release"):
        str(mb.reactions(mb.library.three_body_arm(), "fore", method=method).force.static)


def _page() -> None:
    view = mb.Explorer(mb.library.pendulum(1), duration=0.5)
    with tempfile.TemporaryDirectory() as folder:
        view.to_html(Path(folder) / "page.html", sliders={"m": 2})
    view.close()


def _slider() -> None:
    view = mb.Explorer(mb.library.three_body_arm(), duration=0.5)
    view.controls.edit = {"key": "parameter:m2", "value": 7.0}
    view.finish()
    view.close()


SCENES: Final[dict[str, Callable[[], None]]] = {
    "simulate": _simulate,
    "reactions": _reactions,
    "to_html": _page,
    "slider": _slider,
}


def main() -> int:
    """Print the graph's size and its cycles; returns how many there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", nargs="*", choices=[*SCENES, []], help="what to watch; all unless told")
    parser.add_argument("--edges", action="store_true", help="list the calls, too")
    given = parser.parse_args()
    count = 0
    for name in given.scene or SCENES:
        SCENES[name]()  # compile first
        edges = watch(SCENES[name])
        groups = cycles(edges)
        print(f"{name}: {len({m for pair in edges for m in pair})} modules, {len(edges)} edges, {len(groups)} cycles")
        for group in groups:
            print("   cycle:", " ".join(group))
            for (a, b), called in sorted(edges.items()):
                if a in group and b in group:
                    print(f"      {a} -> {b}: {', '.join(sorted(called)[:4])}")
        for a, b, called in upward(edges):
            print(f"   upward: {a} -> {b}: {', '.join(sorted(called)[:4])}")
        if given.edges:
            for (a, b), called in sorted(edges.items()):
                print(f"   {a} -> {b}: {', '.join(sorted(called))}")
        count += len(groups)
    return count


if __name__ == "__main__":
    raise SystemExit(main())

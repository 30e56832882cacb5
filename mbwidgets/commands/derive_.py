"""print the exact equations of motion, or a part of them, as text, LaTeX or code"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from .shared import add_model_arguments, find_model, print_status

PARTS = ("equations", "metric", "potential", "christoffel", "kinetic", "code")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, the part, and how it is written."""
    add_model_arguments(parser)
    parser.add_argument(
        "--part", choices=PARTS[:-1], default="equations", help="what to print (default: the equations of motion)"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="as LaTeX; with -o FILE.tex a whole document")
    form.add_argument(
        "--code",
        metavar="LANGUAGE",
        help="as a function in c, python, javascript, mathematica or modelica; of the equations: mass matrix and bias",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file instead of the terminal")
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of the derivation (default 60)")


def run(options: argparse.Namespace) -> int:
    """Derive and print."""
    from ..export.texts import tex
    from ..files.whole import writable_path, write_whole
    from ..symbolic import covariant, limited

    if options.output:
        writable_path(options.output)
    model = find_model(options.model, options.set)
    with limited(seconds=options.seconds):  # all of it: the derivation, its forms and its code
        found = covariant(model, seconds=options.seconds)
        if options.latex and options.output and options.output.endswith(".tex"):
            tex({options.part: _part(found, options.part)}, options.output, title=model.name)
            print_status(f"wrote {options.output}")
            return 0
        text = _text(found, options)
    if options.output:
        write_whole(options.output, text + "\n")
        print_status(f"wrote {options.output}")
    else:
        sys.stdout.write(text.rstrip("\n") + "\n")
    return 0


def _part(found: Any, part: str) -> Any:
    match part:
        case "metric":
            return found.metric
        case "potential":
            return found.potential_gradient
        case "christoffel":
            return found.christoffel()
        case "kinetic":
            return found.kinetic_energy
    return found.equations()


def _text(found: Any, options: argparse.Namespace) -> str:
    if options.code:
        whole = options.part == "equations"
        return str(found.code(options.code) if whole else _part(found, options.part).code(options.code, options.part))
    formula = _part(found, options.part)
    return str(formula.latex() if options.latex else formula)

"""Stills of every library model, and of ten mechanisms that nobody drew for, on one sheet a size: ``make sheet``.

Each is shown as an Explorer opens it: with the forces on its last body, at the most telling instant. Look at the sheets
after a change of anything that is seen.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image, ImageDraw

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import mbwidgets as mb  # noqa: E402
from mbwidgets.export.pictures.film import Film  # noqa: E402
from mbwidgets.numeric.simulation.holding import drives_of  # noqa: E402
from mbwidgets.scene.quantities.free_body_quantities import free_body_vectors  # noqa: E402
from mbwidgets.scene.stage.telling import telling_instant  # noqa: E402
from tests.random_models import random_chain, random_tree  # noqa: E402

SIZES: Final = {"1280x800": "light", "1024x768": "dark", "390x844": "light"}
"""Width and height of the stills, pixels, and their theme."""
CELL: Final = 470
"""Width of a still on the sheet, at most."""
COLUMNS: Final = 5
SEED: Final = 7
DURATION: Final = 4.0
"""Of the motions, s, where a model has none of its own."""


@dataclass(frozen=True)
class Subject:
    """A model, its name on the sheet, and keywords of `simulate`; ``freedoms``: what joints do is told."""

    name: str
    model: mb.Model
    options: dict[str, Any]
    freedoms: bool = False


def library() -> Iterator[Subject]:
    """Every mechanism of the library."""
    for name in mb.library.names():
        model = getattr(mb.library, name)()
        yield Subject(name, model, {"tau": drives_of(model)})


def strangers(seed: int) -> Iterator[Subject]:
    """Ten mechanisms that nobody drew for: random trees and chains, a URDF arm, loops out of plane."""
    rng = np.random.default_rng(seed)
    for k in range(4):
        yield Subject(f"random tree {k} (seed {seed})", random_tree(rng, most=7, forces=k % 2 == 1), {"duration": 1.0})
    for count in (3, 5):
        yield Subject(f"random chain of {count} (seed {seed})", random_chain(rng, count), {"duration": 1.0})
    with warnings.catch_warnings():  # a mesh of the file is not read
        warnings.simplefilter("ignore")
        yield Subject("URDF arm", mb.load(ROOT / "tests" / "files" / "arm.urdf"), {"duration": 1.0})
    yield Subject("planar chain without solids", planar_chain(), {})
    yield Subject("spatial four-bar", spatial_loop(), {"duration": 2.0})
    yield Subject("joints of every kind", every_joint(), {"duration": 1.5}, freedoms=True)


def planar_chain() -> mb.Model:
    """Three bodies given by their numbers alone, with a spring and a damper to the ground."""
    bodies = [
        mb.Body(name, mb.Revolute("y", at=at), mass=1, com=(0.25, 0, 0.05), inertia=(0.01, 0.03, 0.03))
        for name, at in (("a", (0, 0, 0)), ("b", (0.5, 0, 0)), ("c", (0.5, 0, 0.1)))
    ]
    forces = [
        mb.Spring((None, (1.2, 0, 0.6)), ("c", (0.4, 0, 0)), stiffness=30, length=0.4),
        mb.Damper((None, (0.4, 0, 0.7)), ("a", (0.4, 0, 0)), damping=1),
    ]
    return mb.Model(bodies, forces=forces, state={"q": [0.3, -0.4, 0.5]}, name="planar chain")


def spatial_loop() -> mb.Model:
    """An RSSR linkage: crank and rocker about different axes, with a rod on balls between them."""
    crank = mb.Body("crank", mb.Revolute("x"), mass=1, com=(0, 0, 0.1), inertia=(0.01, 0.01, 0.005))
    rod = mb.Body("rod", mb.Spherical(at=(0, 0, 0.2)), mass=0.5, com=(0.4, 0.2, 0), inertia=(0.01, 0.03, 0.03))
    rocker = mb.Body(
        "rocker", mb.Revolute("y", at=(0.8, 0.4, -0.3)), parent=mb.ground, mass=1, com=(0, 0, 0.25), inertia=(0.02,) * 3
    )
    loop = mb.PointConstraint(("rod", (0.8, 0.4, 0)), ("rocker", (0, 0, 0.5)))
    return mb.Model([crank, rod, rocker], constraints=[loop], state={"u": [5.0, 0, 0, 0, 0]}, name="RSSR")


def every_joint() -> mb.Model:
    """Seven kinds of joints side by side, near the ground: without weight, on springs about where they stand."""
    shapes = {
        "fixed": mb.Cylinder(0.016, 0.07, axis="z", at=(0, 0, 0.035), mass=1),
        "pin": None,
        "slider": mb.Box((0.05, 0.04, 0.035), mass=1),
        "cylindrical": None,
        "universal": None,
        "ball": None,
        "planar": mb.Composite(
            [
                mb.Cylinder(0.022, 0.014, axis="z", mass=0.7),
                mb.Cylinder(0.009, 0.04, axis="z", at=(0, 0, 0.02), mass=0.3),
            ]
        ),
    }
    kinds = (mb.Fixed(), mb.Revolute("y"), mb.Prismatic("x"), mb.Cylindrical("z"), mb.Universal("x", "y"))
    kinds = dict(zip(shapes, (*kinds, mb.Spherical(), mb.Planar("z")), strict=True))
    ends = {"pin": (0.04, 0, 0.05), "cylindrical": (0.06, 0, 0), "universal": (0, 0.02, 0.06), "ball": (0.025, 0, 0.06)}
    bodies = []
    for k, (name, shape) in enumerate(shapes.items()):
        own = {"shape": shape} if shape is not None else {"mass": 1, "com": ends[name], "inertia": (0.004,) * 3}
        joint = kinds[name].replace(at=(0.115 * k, 0, 0.07))
        bodies.append(mb.Body(name, joint, parent=mb.ground, **own))
    springs = [("pin", 0), ("slider", 0), ("cylindrical", 0), ("cylindrical", 1), ("universal", 0), ("universal", 1)]
    forces = [mb.JointSpring(name, 3 if name != "slider" else 40, coordinate=c) for name, c in springs]
    start = {"pin": [1.5], "slider": [0.15], "cylindrical": [0.02, 2.0], "universal": [1.0, 2.0], "ball": [0, 0, 1.0]}
    speeds = [part for body in bodies for part in start.get(body.name, [0.0] * len(body.joint.columns()))]
    return mb.Model(bodies, forces=forces, gravity=(0, 0, 0), state={"u": speeds}, name="seven joints")


def still(item: Subject, motion: mb.Motion, width: int, height: int, theme: str) -> Image.Image:
    """The picture at the most telling instant, with the forces on the last body, or with what the joints do."""
    if item.freedoms:
        view = mb.Explorer(item.model, vectors=(), freedoms=True, theme=theme, **item.options)
        told: Image.Image = Film(view, width=width, height=height, theme=theme).frame(0)
        view.close()
        return told
    body = motion.model.bodies[-1].name
    film = Film(motion, free_body_vectors(motion.model), [body], width=width, height=height, theme=theme)
    picture: Image.Image = film.frame(telling_instant(motion, len(motion.model.bodies) - 1))
    return picture


def sheet(pictures: list[tuple[str, Image.Image]], theme: str) -> Image.Image:
    """All pictures in rows, each under its name."""
    width, height = pictures[0][1].size
    shrunk = min(1.0, CELL / width)
    wide, high = int(width * shrunk), int(height * shrunk) + 18
    columns = COLUMNS if width > height else 2 * COLUMNS
    rows = math.ceil(len(pictures) / columns)
    ink, paper = ("#E8ECF0", "#000000") if theme == "dark" else ("#1F242B", "#FFFFFF")
    out = Image.new("RGB", (columns * (wide + 6), rows * (high + 6)), paper)
    pen = ImageDraw.Draw(out)
    for k, (name, picture) in enumerate(pictures):
        x, y = (k % columns) * (wide + 6), (k // columns) * (high + 6)
        out.paste(picture.resize((wide, high - 18), Image.Resampling.LANCZOS), (x, y + 18))
        pen.text((x + 4, y + 3), name, fill=ink)
    return out


def main() -> None:
    """Draw the sheets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT / "artefacts" / "sheets", help="folder of the sheets")
    parser.add_argument("--size", action="append", choices=list(SIZES), help="one of the sizes; all unless told")
    parser.add_argument("--only", action="append", help="names that hold this text; all unless told")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the random mechanisms (default {SEED})")
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    subjects = [
        item
        for item in (*library(), *strangers(options.seed))
        if not options.only or any(text in item.name for text in options.only)
    ]
    print(f"seed {options.seed}: {len(subjects)} mechanisms")
    motions = [
        mb.simulate(item.model, **{"duration": item.model.duration or DURATION, **item.options}) for item in subjects
    ]
    for size in options.size or SIZES:
        width, height = map(int, size.split("x"))
        start, theme = time.monotonic(), SIZES[size]
        made = [
            (item.name, still(item, motion, width, height, theme))
            for item, motion in zip(subjects, motions, strict=True)
        ]
        path = options.into / f"sheet-{size}-{theme}.png"
        sheet(made, theme).save(path)
        print(f"{path}: {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()

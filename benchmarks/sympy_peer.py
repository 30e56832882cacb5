"""sympy.physics.mechanics as the peer of the symbolic benchmarks: parts of a chain, and a derivation with a limit."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from typing import Any

from mbwidgets.expressions import to_sympy
from mbwidgets.model.model import Model


def start(count: int) -> tuple[Any, Any, Any, Any]:
    """Coordinates and speeds of so many joints, the frame of the ground and its point, at rest."""
    from sympy.physics import mechanics as me

    world, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(world, 0)
    return me.dynamicsymbols(f"q:{count}"), me.dynamicsymbols(f"u:{count}"), world, origin


def vector(frame: Any, parts: Any) -> Any:
    """Three scalars along a frame's axes."""
    x, y, z = (to_sympy(part) for part in parts)
    return x * frame.x + y * frame.y + z * frame.z


def body(name: str, link: Any, pin: Any, frame: Any, world: Any, gravity: Any) -> tuple[Any, tuple[Any, Any]]:
    """The rigid body that turns with a frame about a pin, and its weight."""
    from sympy.physics import mechanics as me

    centre = pin.locatenew(f"C{name}", vector(frame, link.com))
    centre.v2pt_theory(pin, world, frame)
    j = [[to_sympy(part) for part in row] for row in link.inertia]
    inertia = me.inertia(frame, j[0][0], j[1][1], j[2][2], j[0][1], j[1][2], j[0][2])
    mass = to_sympy(link.mass)
    return me.RigidBody(f"b{name}", centre, frame, mass, (inertia, centre)), (centre, mass * vector(world, gravity))


def timed(derive: Callable[[Model], Any], model: Callable[[], Model], limit: float) -> float | None:
    """Processor seconds of a derivation in a process of its own; None when it did not finish within the limit."""
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=_run, args=(derive, model, queue))
    process.start()
    process.join(limit)
    if process.is_alive():
        process.terminate()
        process.join()
        return None
    if process.exitcode != 0:
        raise RuntimeError(f"{derive.__name__} failed")
    return float(queue.get(timeout=10))


def _run(derive: Callable[[Model], Any], model: Callable[[], Model], queue: Any) -> None:
    given = model()
    since = time.process_time()
    derive(given)
    queue.put(time.process_time() - since)

"""compute a motion: how it ends, its energy drift, and the numbers as CSV"""

from __future__ import annotations

import argparse

from .shared import Bar, add_model_arguments, find_model, print_status


def arguments(parser: argparse.ArgumentParser) -> None:
    """The model, how long, how finely, and where the numbers go."""
    add_model_arguments(parser)
    parser.add_argument("--csv", metavar="FILE", help="write time, coordinates, velocities and energies")
    parser.add_argument("--reactions", action="store_true", help="and the joint reactions, in the same table")
    parser.add_argument("--duration", type=float, help="seconds (default: the model's own, or 10)")
    parser.add_argument("--rate", type=float, help="frames per second (default 60, or more for a short motion)")
    parser.add_argument("--method", default="auto", help="auto, dop853, rk4, radau or bdf (default auto)")
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of the computation (default 60)")


def run(options: argparse.Namespace) -> int:
    """Simulate, and say how it went: 1 if the motion is not whole."""
    from ..export.texts import csv
    from ..files.whole import writable_path
    from ..numeric.base.outcome import Budget
    from ..numeric.simulation.simulate import simulate

    if options.csv:
        writable_path(options.csv)
    model = find_model(options.model, options.set)
    with Bar("motion") as bar:
        motion = simulate(
            model,
            duration=options.duration,
            rate=options.rate,
            method=options.method,
            budget=Budget(seconds=options.seconds, progress=bar),
        )
    print(f"{model.name}: {len(motion)} frames to {motion.t[-1]:g} s, {motion.method}, energy drift {motion.drift:.1e}")
    print(motion.outcome.message)
    if options.csv:
        csv(motion, options.csv, reactions=options.reactions)
        print_status(f"wrote {options.csv}")
    return 0 if motion.outcome.ok else 1

"""All benchmarks: ``python -m benchmarks``. ``--check`` fails when a target is missed, ``--quick`` does less."""

from __future__ import annotations

import argparse
import sys

from benchmarks import constrained, dynamics, explorer, grading, permanent, symbolic_equations, symbolic_reactions


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when a target is missed")
    parser.add_argument("--quick", action="store_true", help="fewer chains and repetitions, and no SymPy")
    options = parser.parse_args()
    missed = 0
    for title, part in (
        ("Compiled dynamics", dynamics),
        ("Closed loops", constrained),
        ("Exact equations of motion", symbolic_equations),
        ("Exact joint reactions", symbolic_reactions),
        ("Permanent rotations", permanent),
        ("The Explorer", explorer),
        ("Grading a class", grading),
    ):
        print(f"\n== {title}", flush=True)
        missed += part.run(quick=options.quick)
    print(f"\n{missed} target{'' if missed == 1 else 's'} missed")
    return int(options.check and missed > 0)


if __name__ == "__main__":
    sys.exit(main())

"""grade a folder of submissions with a key

Resumes after an interruption: what is graded stands in the journal beside the table.
"""

from __future__ import annotations

import argparse
import sys


def arguments(parser: argparse.ArgumentParser) -> None:
    """The folder, the key, the table, and limits."""
    parser.add_argument("submissions", help="folder with <student>.json or <student>/answers.json")
    parser.add_argument("--key", required=True, help="key file of the assignment, JSON")
    parser.add_argument("--csv", required=True, help="table of grades to write")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--seconds", type=float, default=10.0, help="time limit of one submission (default 10)")
    parser.add_argument("--memory", type=int, default=1000, help="memory limit of one submission, MB (default 1000)")
    parser.add_argument("--again", action="store_true", help="forget the journal and grade everything anew")


def run(options: argparse.Namespace) -> int:
    """Grade, show how far it is, and say what was done."""
    from ..assignments.batch import grade_all

    summary = grade_all(
        options.submissions,
        options.key,
        options.csv,
        jobs=options.jobs,
        seconds=options.seconds,
        memory=options.memory,
        again=options.again,
        progress=_bar,
    )
    print(
        f"mbwidgets: {summary.total} submissions in {options.csv}: {summary.graded} graded now, "
        f"{summary.kept} from the journal, {summary.failed} that could not be graded."
    )
    return 0


def _bar(done: int, total: int) -> None:
    if not sys.stderr.isatty():
        if total and (done == total or done % max(1, total // 10) == 0):
            print(f"graded {done} of {total}", file=sys.stderr)
        return
    share = done / total if total else 1.0
    filled = round(30 * share)
    end = "\n" if done == total else ""
    print(f"\r[{'█' * filled}{'·' * (30 - filled)}] {done} of {total}", end=end, file=sys.stderr, flush=True)

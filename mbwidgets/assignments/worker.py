"""A process that grades one submission after another: ``python -m mbwidgets.assignments.worker key.json 512``.

It reads the path of a submission as one line of JSON, and answers with one line of JSON. The second argument is how
many megabytes it may take beyond what it starts with. Who started it kills it when a submission takes too long.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ..errors import MbwidgetsError
from .assignment import Assignment
from .keyfile import load_answers, load_key
from .motions import MotionTable

__all__ = ["grade_file", "main"]


def grade_file(assignment: Assignment, path: str) -> dict[str, Any]:
    """The grade of a submission, or why there is none."""
    try:
        submission = load_answers(path)
        if submission.assignment != assignment.name:
            return {"error": f"it answers {submission.assignment!r}, not {assignment.name!r}"}
        answers = {**submission.answers, **submission.errors}
        return {"grade": assignment.grade(submission.student, answers).to_dict()}
    except MbwidgetsError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "it needs more memory than is allowed"}


def limit_memory(megabytes: int) -> None:
    """Let this process take so much more memory than it has now, where the system can hold it to that."""
    try:
        import resource

        with open("/proc/self/statm") as stream:
            now = int(stream.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + megabytes * 2**20, resource.RLIM_INFINITY))
    except (ImportError, OSError, ValueError, OverflowError):
        return


def main(arguments: list[str]) -> int:
    """Grade until the input ends."""
    assignment = load_key(arguments[0])
    if any(isinstance(question, MotionTable) for question in assignment.questions):
        # imported and compiled before the clock of the first submission runs
        assignment.grade("warm", {})
        for question in assignment.questions:
            if isinstance(question, MotionTable):
                question.expected(assignment.variant("warm"))
    limit_memory(int(arguments[1]))
    _say({"ready": assignment.hash})
    for line in sys.stdin:
        _say(grade_file(assignment, json.loads(line)))
    return 0


def _say(data: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Assignments that grade themselves: every student their own numbers, answers as text, no display needed.

template = mb.assignments.Template("rotor", mb.library.rotor(), {"m": mb.assignments.Grid(5, 15, "0.5")})
variant = mb.assignments.Variant("mechanics-2026", "s1234567", template)
static = mb.assignments.Vector(name="q1", text="The static moment?", answer="[0, m*e, 0]", unit="kg m")
key = mb.assignments.Assignment("mechanics-2026", template, [static])
key.check("s1234567", "q1", "[0, 0.2, 0] kg m")

>>> a = mb.assignments
>>> question = a.Scalar(name="q1", text="The weight?", answer="m*g", unit="N")
>>> key = a.Assignment("course", a.Template("rotor", mb.library.rotor(), {"m": a.Grid(5, 15, "0.5")}), [question])
>>> key.check("s1", "q1", "m*g").points
1.0
"""

from .answers import answer_text
from .assignment import Assignment, Grade
from .batch import grade_all
from .choices import FreeChoice
from .draws import Fractions, Grid, OneOf
from .formulae import Symbolic
from .keyfile import Submission, load_answers, load_key, read_key, save_answers, save_key
from .mistakes import FEEDBACK, Mistake
from .motions import MotionTable, table_text
from .notebooks import demand, preview, score
from .numbers import Matrix, Scalar, Vector
from .results import Result, Verdict
from .variants import Template, Variant, model_hash

__all__ = [
    "FEEDBACK",
    "Assignment",
    "Fractions",
    "FreeChoice",
    "Grade",
    "Grid",
    "Matrix",
    "Mistake",
    "MotionTable",
    "OneOf",
    "Result",
    "Scalar",
    "Submission",
    "Symbolic",
    "Template",
    "Variant",
    "Vector",
    "Verdict",
    "answer_text",
    "demand",
    "grade_all",
    "load_answers",
    "load_key",
    "model_hash",
    "preview",
    "read_key",
    "save_answers",
    "save_key",
    "score",
    "table_text",
]

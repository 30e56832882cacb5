"""A small assignment that the tests share."""

from __future__ import annotations

import mbwidgets as mb
from mbwidgets import assignments as a

COURSE = "mechanics-2026"


def template() -> a.Template:
    draws = {
        "m": a.Grid(5, 15, "0.5"),
        "e": a.Fractions("1/100", "1/20", denominator=100),
        "c": a.OneOf(["0.04", "0.05", "0.06"]),
    }
    return a.Template("rotor", mb.library.rotor(), draws)


def assignment() -> a.Assignment:
    letters = dict.fromkeys(("m", "e", "omega", "alpha"))
    return a.Assignment(
        COURSE,
        template(),
        [
            a.Vector(name="static", answer="[0, m*e, 0]", unit="kg m", points=2),
            a.Vector(
                name="deviation",
                answer="[Jxz - m*e*c, 0, 0]",
                unit="kg m²",
                mistakes=[a.Mistake("pole", "[Jxz, 0, 0]", credit=0.25)],
            ),
            a.Matrix(name="tensor", answer="[[m*e**2, 2*m], [0, m*c**2]]", unit="kg m²", points=4),
            a.Scalar(name="speed", answer="omega*cos(e)", unit="rad/s"),
            a.Symbolic(name="force", answer="[-m*e*omega**2, m*e*alpha, 0]", letters=letters, points=2),
            a.FreeChoice(
                name="balance",
                choose={"p1": [-5, 5], "p2": [-5, 5]},
                conditions={
                    "m*e + p1 + p2": "The static moment is not zero.",
                    "Jxz - m*e*c + p1/5 - 3*p2/10": "The deviation moment is not zero.",
                },
                points=2,
            ),
            a.MotionTable(name="motion", columns=["q[0]", "u[0]"], duration=0.5, rate=10),
        ],
    )


def right_answers(student: str, motion: bool = True) -> dict[str, str]:
    """Full marks, with the student's own parameters as letters where they may stand."""
    own = assignment().variant(student)
    found = {
        "static": "[0, m*e, 0] kg m",
        "deviation": "[Jxz - m*e*c, 0, 0]",
        "tensor": "[[m*e^2, 2*m], [0, m*c^2]]",
        "speed": "omega*cos(e)",
        "force": "[-m*e*omega^2, e*alpha*m, 0]",
        # p1 + p2 = -m e, p1/5 - 3 p2/10 = m e c - Jxz
        "balance": "p1 = 2*(m*e*c - Jxz) - 3*m*e/5, p2 = -m*e - 2*(m*e*c - Jxz) + 3*m*e/5",
    }
    if motion:
        found["motion"] = a.table_text(mb.simulate(own.model, duration=0.5, rate=10), ["q[0]", "u[0]"])
    return found

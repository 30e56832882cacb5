"""Errata of the papers: the table, and for each number that the first paper misprints, both forms against a reference.

The reference was computed apart, with 50 digits (Newton-Euler); what is printed must miss it, what holds must meet it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from tests.symbolic.paper_arm import Array, System, cross, rodrigues
from tests.symbolic.reaction_cases import EXAMPLES, chain, close, difference, states

ARM, SLIDE = System("P1"), System("P2")
Case = tuple[Any, Any, Any]
"""Printed, corrected, expected."""


def norm(v: Any) -> float:
    return float(np.linalg.norm(v))


def eq_5() -> Case:
    """a_C3 of R-P-R: Γ₃₂ takes ξ̄ of the smaller index; the printed ξ̄_α lets a slide turn."""
    p, u = SLIDE, SLIDE.u

    def acceleration(printed: bool) -> Array:
        total = sum(p.ud[a] * p.T(f"{a}(3)") for a in (1, 2, 3))
        for a in (1, 2, 3):
            for b in (1, 2, 3):
                low, high = min(a, b), max(a, b)
                factor = 1 - p.xi[a if printed and a > b else low]
                total = total + factor * cross(p.n[low], p.T(f"{high}(3)")) * u[a] * u[b]
        return np.asarray(total)

    return acceleration(True), acceleration(False), p.a_C[3]


def eq_6() -> Case:
    p = ARM
    printed = sum(p.m[i] * (p.a_C[i] - p.A[i] @ p.g) for i in (1, 2, 3))
    return printed, sum(p.m[i] * (p.a_C[i] - p.g) for i in (1, 2, 3)), p.joint(1, "F_total")


def eq_7() -> Case:
    p = SLIDE
    e = np.array(p.given["e"][1])
    return p.A[1] @ rodrigues(e, float(p.q[2])), p.A[1] @ np.eye(3), p.A[2]


def eq_11() -> Case:
    p = ARM
    levers, last = p.given["rho_ii"], np.array(p.given["rho_i"][2])
    inside = sum(p.A[k] @ levers[k - 1] + p.A[3] @ last for k in (1, 2, 3))
    outside = sum(p.A[k] @ levers[k - 1] for k in (1, 2, 3)) + p.A[3] @ last
    return cross(p.n[1], inside), cross(p.n[1], outside), p.T("1(3)")


def eq_18() -> Case:
    p = ARM

    def moment(weight: Array) -> Array:
        return np.asarray(sum(p.dL_C[i] + cross(p.C[i] - p.O[2], p.m[i] * (p.a_C[i] - weight)) for i in (2, 3)))

    printed = moment(p.g) - p.joint(2, "Q_actuator") * p.n[2]
    return printed, moment(np.zeros(3)), p.joint(2, "dL_dt_plus_v_x_K")


def eq_24() -> Case:
    p = ARM

    def rate(J: Array) -> Array:
        turned = p.A[2] @ J @ p.A[2].T
        return np.asarray(cross(p.omega[2], turned @ p.omega[2]) + turned @ p.eps[2])

    swapped = p.J_C[2].copy()
    swapped[0, 0], swapped[2, 2] = p.J_C[2][2, 2], p.J_C[2][0, 0]
    return rate(swapped), rate(p.J_C[2]), p.dL_C[2]


def eq_28() -> Case:
    p = SLIDE
    levers, last = p.given["rho_ii"], np.array(p.given["rho_i"][1])
    short = p.A[1] @ levers[0] + p.A[2] @ (levers[1] + last)
    whole = short + p.q[2] * p.n[2]
    return cross(p.n[1], short), cross(p.n[1], whole), p.T("1(2)")


def eq_33() -> Case:
    p = ARM
    expected = np.array(p.output["methodA"]["Gamma"]["23(3)"])
    return cross(p.n[2], p.T("2(3)")), cross(p.n[2], p.T("3(3)")), expected


def eq_39() -> Case:
    p = ARM
    return p.n[1] * p.u[1], p.n[1] * p.ud[1], p.eps[1]


def eq_48() -> Case:
    p, u = ARM, ARM.u
    r12, r23 = p.lever(1), p.lever(2)
    front = u[1] * (p.S[1, 1] + cross(p.n[1], r12) * (p.m[2] + p.m[3]) + p.S[1, 2]) + u[2] * p.S[2, 2]
    front = front + (u[1] * cross(p.n[1], r23) + u[2] * cross(p.n[2], r23)) * p.m[3]
    printed = front + u[1] * (p.S[1, 3] + p.S[2, 3] + p.S[3, 3])
    return printed, front + sum(u[a] * p.S[a, 3] for a in (1, 2, 3)), p.joint(1, "K")


def eq_50() -> Case:
    p, u = ARM, ARM.u
    r12, r23, r3 = p.lever(1), p.lever(2), p.rho[3]
    n1, n2, m2, m3 = p.n[1], p.n[2], p.m[2], p.m[3]
    second = u[1] * cross(r12, cross(n1, r12)) * m2 + cross(r12, u[1] * p.S[1, 2] + u[2] * p.S[2, 2])
    second = second + u[1] * cross(p.rho[2], cross(n1, r12)) * m2
    shared = second + cross(r12, u[1] * cross(n1, r12 + r23) + u[2] * cross(n2, r23)) * m3
    shared = shared + cross(r12, sum(u[a] * p.S[a, 3] for a in (1, 2, 3)))
    shared = shared + u[1] * cross(r23, cross(n1, r12 + r23)) * m3 + u[2] * cross(r23, p.S[2, 3])
    shared = shared + u[3] * cross(r23, p.S[3, 3])
    shared = shared + u[1] * cross(r3, cross(n1, r12 + r23)) * m3 + u[2] * cross(r3, cross(n2, r23)) * m3
    shared = shared + sum(u[a] * p.I[a, 3] for a in (1, 2, 3))
    missing = u[2] * cross(r23, cross(n2, r23)) * m3 + u[1] * cross(r23, p.S[1, 3])
    right = shared + missing + u[1] * p.I[1, 1] + u[1] * p.I[1, 2] + u[2] * p.I[2, 2]
    twice = u[2] * cross(r23, p.S[2, 3]) + u[3] * cross(r23, p.S[3, 3]) + u[1] * cross(r3, cross(n1, r23)) * m3
    wrong = shared + twice + u[1] * p.S[1, 1] + u[1] * p.S[1, 2] + u[2] * p.S[2, 2]
    return wrong, right, p.joint(1, "L_O")


def eq_52() -> Case:
    p, u, ud = ARM, ARM.u, ARM.ud
    r12, r23 = p.lever(1), p.lever(2)

    def own(b: int, w: Array, on: Array | None = None) -> Array:
        return np.asarray(ud[b] * w + u[b] ** 2 * cross(p.n[b], w if on is None else on))

    def pair(a: int, b: int, w: Array) -> Array:
        return np.asarray(2 * u[a] * u[b] * cross(p.n[a], w))

    levers = own(1, cross(p.n[1], r12)) * (p.m[2] + p.m[3]) + own(1, cross(p.n[1], r23)) * p.m[3]
    levers = levers + (own(2, cross(p.n[2], r23)) + pair(1, 2, cross(p.n[2], r23))) * p.m[3]
    shared = levers + own(1, p.S[1, 1]) + own(1, p.S[1, 2]) + pair(1, 2, p.S[2, 2])
    shared = shared + pair(1, 2, p.S[2, 3]) + pair(1, 3, p.S[3, 3]) + pair(2, 3, p.S[3, 3]) + own(3, p.S[3, 3])
    right = shared + own(2, p.S[2, 2]) + own(1, p.S[1, 3]) + own(2, p.S[2, 3])
    wrong = shared + own(2, p.S[2, 2], p.S[1, 2]) + own(1, p.S[1, 3], p.S[3, 3]) + own(2, p.S[3, 3])
    return wrong, right, p.joint(1, "dK_dt")


def eq_53() -> Case:
    p = ARM
    unit, other = p.S[1, 3] / norm(p.S[1, 3]), p.S[2, 3] / norm(p.S[2, 3])
    printed = [
        p.ud[1] * unit * p.m[3] + p.u[1] ** 2 * cross(p.n[1], unit),
        p.ud[1] * other * p.m[3] + p.u[1] ** 2 * cross(p.n[1], other),
    ]
    expected = [p.output["paper_rotators"][key] for key in ("R33", "R34")]
    return printed, [p.own(1, p.S[1, 3]), p.own(2, p.S[2, 3])], expected


def rotator_terms() -> tuple[list[Array], list[Array]]:
    """ℜ₁ … ℜ₃₀ and the tail ℜ₃₁ … ℜ₃₈ of (54), each with its |w|."""
    p = ARM
    w12, w13, w23 = (cross(p.n[a], r) for a, r in ((1, p.lever(1)), (1, p.lever(2)), (2, p.lever(2))))
    head = [p.own(1, p.S[1, 1]) * norm(p.S[1, 1]), p.own(1, w12) * norm(w12) * p.m[2]]
    head += [p.own(1, p.S[1, 2]) * norm(p.S[1, 2]), p.own(2, p.S[2, 2]) * norm(p.S[2, 2])]
    head += [p.coupled(1, 2, p.S[2, 2]) * norm(p.S[2, 2])]
    head += [p.own(1, w12) * norm(w12) * p.m[3], p.own(1, w13) * norm(w13) * p.m[3]]
    tail = [p.own(2, w23) * norm(w23) * p.m[3], p.coupled(1, 2, w23) * norm(w23) * p.m[3]]
    tail += [p.own(a, p.S[a, 3]) * norm(p.S[a, 3]) for a in (1, 2, 3)]
    tail += [p.coupled(a, b, p.S[b, 3]) * norm(p.S[b, 3]) for a, b in ((1, 2), (1, 3), (2, 3))]
    return head, tail


def eq_54() -> Case:
    head, tail = rotator_terms()
    return sum(head + tail + tail), sum(head + tail), ARM.joint(1, "dK_dt")


def eq_55() -> Case:
    """The terms of the mass inertia moments; the levers' part is shared."""
    p, u, ud = ARM, ARM.u, ARM.ud
    levers = np.zeros(3)
    for i in (1, 2, 3):
        arm, rate = p.image[i] - p.O[1], p.m[i] * p.a_C[i]
        turned = sum(ud[a] * p.S[a, i] + u[a] ** 2 * cross(p.n[a], p.S[a, i]) for a in range(1, i + 1))
        pairs = ((a, b) for b in range(1, i + 1) for a in range(1, b))
        turned = turned + sum((2 * u[a] * u[b] * cross(p.n[a], p.S[b, i]) for a, b in pairs), np.zeros(3))
        levers = levers + cross(arm, rate) + cross(p.rho[i], rate - turned)

    def moments(printed: bool) -> Array:
        total = levers
        for i in (1, 2, 3):
            for a in range(1, i + 1):
                which = 1 if printed else a
                deviation = p.D[which if i == 3 else a, i]
                axial = p.n[a] * ud[a] * (p.n[a] @ p.I[which, i])
                total = total + axial + p.own(a, deviation) * norm(deviation)
                for b in range(a + 1, i + 1):
                    first, second = (p.I[1, i], p.I[1, i]) if printed else (p.I[b, i], p.I[a, i])
                    bracket = cross(p.n[a], first) + cross(p.n[b], second) + p.tensor[i] @ cross(p.n[a], p.n[b])
                    total = total + u[a] * u[b] * bracket
        return np.asarray(total)

    return moments(True), moments(False), p.joint(1, "dL_dt")


def eq_56() -> Case:
    p = ARM
    third = norm(p.D[1, 3])
    second = p.D[1, 2] / third
    on_top = p.D[2, 3] / norm(p.D[2, 2])
    printed = [
        p.ud[1] * second + p.u[1] ** 2 * cross(p.n[1], second),
        p.ud[2] * p.D[2, 2] / norm(p.D[2, 2]) + p.u[2] ** 2 * cross(p.n[2], on_top),
    ]
    expected = [p.output["paper_rotators"][key] for key in ("R2s", "R22s")]
    return printed, [p.own(1, p.D[1, 2]), p.own(2, p.D[2, 2])], expected


def eq_57() -> Case:
    p = ARM
    rate = p.joint(2, "dK_dt")
    return rate - sum(p.m[i] * p.g for i in (1, 2, 3)), rate - (p.m[2] + p.m[3]) * p.g, p.joint(2, "F_total")


def eq_58() -> Case:
    p = ARM
    weight = sum(cross(p.C[i] - p.O[2], p.m[i] * p.g) for i in (2, 3))
    printed = p.joint(2, "dL_dt") - weight
    return printed, printed + cross(p.joint(2, "v_O"), p.joint(2, "K")), p.joint(2, "M_total")


FORMS: dict[str, Callable[[], Case]] = {
    name.removeprefix("eq_"): form for name, form in sorted(globals().items()) if name.startswith("eq_")
}


@pytest.mark.parametrize("equation", FORMS)
def test_the_printed_form_is_wrong_and_the_corrected_one_right(equation: str) -> None:
    printed, corrected, expected = FORMS[equation]()
    assert close(corrected, expected)
    assert difference(printed, expected) > 1e-3


def test_every_numeric_erratum_of_the_first_paper_is_shown() -> None:
    assert {row.equation for row in mb.errata("cajic-lazarevic") if row.numeric} == set(FORMS)


@pytest.mark.parametrize(
    ("paper", "rows"),
    [("cajic-lazarevic", 24), ("do-sanh", 7), ("markovic-obradovic", 10), ("chebanov-khlistunova", 6), ("tataru", 6)],
)
def test_every_paper_has_its_errata(paper: str, rows: int) -> None:
    found = mb.errata(paper)
    assert len(found) == rows
    assert all(row.equation and row.printed and row.correct for row in found)
    assert len({row.equation for row in found}) == rows
    assert found[0].printed in str(found)
    assert found._repr_html_().count("<tr>") == rows + 1


def test_an_unknown_paper_is_named() -> None:
    with pytest.raises(mb.UnknownNameError, match="did you mean 'tataru'"):
        mb.errata("tatar")
    with pytest.raises(mb.UnknownNameError, match="no paper"):
        mb.errata([])  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "system"), [("P1", ARM), ("P2", SLIDE)])
def test_the_misprints_are_not_in_our_formulae(name: str, system: System) -> None:
    """(5), (7), (33), (39) by the library on the same systems."""
    vectors = mb.motion_vectors(chain(EXAMPLES[name]["input"]))
    q, u, ud = states(EXAMPLES[name]["input"])
    for i in (1, 2, 3):
        assert close(vectors.accelerations[i - 1].evaluate(q=q, u=u, ud=ud), system.a_C[i])
        assert close(vectors.epsilon[i - 1].evaluate(q=q, u=u, ud=ud), system.eps[i])
        assert close(vectors.rotations[i - 1].evaluate(q=q), system.A[i])

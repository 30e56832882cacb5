"""What the papers print and what holds, in one place.

`errata("cajic-lazarevic")` gives the rows of one paper. ``numeric`` marks those that change a number: a test shows for
each of the first paper that the printed form is wrong and the corrected one right.
"""

from __future__ import annotations

from typing import NamedTuple

from ...errors import UnknownNameError, shorten
from ...model.fields import suggest_name

__all__ = ["PAPERS", "Erratum", "errata"]


class Erratum(NamedTuple):
    """Where, what is printed, what holds, and whether it changes a number."""

    equation: str
    printed: str
    correct: str
    numeric: bool = True


PAPERS: dict[str, tuple[Erratum, ...]] = {
    "cajic-lazarevic": (
        Erratum("§2", "V₁ is the fixed base", "the base is V₀", False),
        Erratum("2", "ξ_k F_uk", "ξ_k F_uk e_k", False),
        Erratum("4, 27, 28, 32, 34", "T_i(α), T_(α)i", "T_α(i) everywhere", False),
        Erratum("5", "for α > β: ξ̄_α", "ξ̄_β; zero also for β > i"),
        Erratum("6", "[A_0i]{g}", "{g⁽⁰⁾}"),
        Erratum("7", "no ξ̄_j", "A = I for a prismatic joint"),
        Erratum("11", "A_bi ρ_i inside the sum", "outside"),
        Erratum("14", "no bracket", "the sum takes all terms", False),
        Erratum("18", "repeats 19", "Σ(dL_C/dt + R × m a), from 16 and 17"),
        Erratum("24", "diagonal J_ζ, J_η, J_ξ", "J_ξ, J_η, J_ζ"),
        Erratum("28", "ξ_k q^k e_k missing", "as in 11"),
        Erratum("30, 31, 34", "g_i", "g", False),
        Erratum("33", "Γ₂₃₍₃₎ = e₂ × T₂₍₃₎", "ξ̄₂ e₂ × T₃₍₃₎"),
        Erratum("39", "ε₁ with q̇¹", "q̈¹"),
        Erratum("46", "second r₂", "r₃", False),
        Erratum("48", "ω₁ on each of the last three terms", "ω₁, ω₂, ω₃"),
        Erratum(
            "50",
            "S for 𝔍; ω₂[r₂₃,[n₂,r₂₃]]M₃ and ω₁[r₂₃,S_n1] missing; two terms twice",
            "expand [r_i, v_i]",
        ),
        Erratum("52", "ω₂²[n₂,S_n1⁽²⁾]; S_n3 for S_n1, S_n2; ρ₃", "S_n2; S_n1, S_n2; ρ₃C"),
        Erratum(
            "53",
            "ℜ₃₃ carries M₃; ℜ₃₄ uses ω₁, n₁, M₃; ℜ₁, ℜ₂₀, ℜ₂, ℜ₂₁, ℜ₂₂ undefined",
            "no M₃; ω̇₂u + ω₂²[n₂,u], u = S_n2/|S_n2|; ω̇u + ω²[n,u] and 2ω_a ω_b[n_a,u]",
        ),
        Erratum("54", "the tail printed twice", "once"),
        Erratum(
            "55",
            "(n₂,𝔍_n1), (n₃,𝔍_n1); D_n1 with ℜ*₄₀, ℜ*₅₀; coupled terms all with 𝔍_n1; [n₁₂,ℜ]",
            "𝔍_n2, 𝔍_n3; D_n2, D_n3; ω_a ω_b([n_a,𝔍_b] + [n_b,𝔍_a] + 𝕁[n_a,n_b]); [r₁₂,ℜ]",
        ),
        Erratum("56", "ℜ*₂ divided by |D⁽³⁾|; ℜ*₂₂ with D⁽³⁾ on top", "D_n1⁽²⁾; D_n2⁽²⁾"),
        Erratum("57", "sum from 1", "from k"),
        Erratum("58", "[v_Ok, K] missing; i = −k", "add it; i = k"),
    ),
    "do-sanh": (
        Erratum("3.5, 3.16", "A(2,4) = m", "m a cos θ"),
        Erratum("3.10", "m g sin φ", "m g R sin φ"),
        Erratum("3.16 row 1", "R a sin(φ−θ) θ̇²", "m a R sin(φ−θ) θ̇²"),
        Erratum("3.20 G0", "+m R a sin·θ̇²; m R a cos·φ̇²", "−m R a sin(φ−θ) θ̇²; +m R a sin(φ−θ) φ̇²"),
        Erratum("3.20 Q0", "m g r sin φ; +m g a sin θ", "m g R sin φ; −m g a sin θ"),
        Erratum("3.29", "no factor", "1/Δ"),
        Erratum("3.32", "no 1/Δ; G0 missing; m g a cos θ", "(1/Δ)(…)(h1, h2)ᵀ"),
    ),
    "markovic-obradovic": (
        Erratum("4", "A_{i,i+1} = A_{i,i} A_{i,i+1}", "A_{i,j+1} = A_{i,j} A_{j,j+1}"),
        Erratum("Mt", "t[j], condition i+1==i, index i for the axis", "t[[j]], i+1==j, q[j], e[[j]]"),
        Erratum("Rd", "only i == j survives", "Rd[i,j] = t_i q_i e_i + ro_i + Mt[i,i+1].Rd[i+1,j] for i < j"),
        Erratum("Krist1Dif", "+ D[a[[i,j]], q[k]]", "minus"),
        Erratum("input", "t holds the axes", "e; t = {1,0,1,0,0}", False),
        Erratum("names", "ro, roo", "ro = ρ_kk, roo = ρ_k (with the literal (9) a₄₂ has −50 instead of +50)"),
        Erratum("12", "e_α⁽ˡ⁾ in the Π term, any α, β", "e_α⁽ⁱ⁾, valid for α ≤ β only"),
        Erratum("13", "+J_xy", "right for products of inertia; with tensor components minus", False),
        Erratum("IzvPotEn", "i < n", "i <= n"),
        Erratum("Krist1Mat", "second test t[[i]] twice", "t_i, t_j, t_k"),
    ),
    "chebanov-khlistunova": (
        Erratum("before 1.4", "(1.1) take the form", "(1.3)", False),
        Erratum("case 2 heading", "ω₁ ≠ 0", "ω₁ = 0"),
        Erratum("case 3", "same conditions as case 1", "A²₁₃ = A²₂₃ = 0 not needed; only a₂⊥ = 0, a₂³ s⊥ = 0, (3.2)"),
        Erratum("case 4", "ratios only", "also ω² = g a₂²/(A²₂₃ + s² a₂³) > 0"),
        Erratum("4.8", "ω_j−ω_k ≠ 2ω_l", "ω_j+ω_k ≠ 2ω_i is what the statement needs; superfluous"),
        Erratum("§4", "k range 1..n / 2..n; iii s_j⊥ = 0, j = 2..k−1", "k = 2..n+1; s_{j−1}⊥ = 0"),
    ),
    "tataru": (
        Erratum("11", "−[ω][J]", "+[ω][J] (invisible in plane motion)"),
        Erratum("18", "[0 0 mg]", "gravity in the xy plane"),
        Erratum("25-26", "Φx = Φy = 0 as coordinates", "quasi-coordinates; use R₁₀ e₃ = e₃; (29)-(30) hold", False),
        Erratum("59", "R₁₀", "Ṙ₁₀"),
        Erratum("61", "general", "only for Ψ = θ = 0 (the 3-1-3 angles are singular there): quaternions in space"),
        Erratum("67", "[…]₁", "[…]₂"),
    ),
}


class Errata(tuple[Erratum, ...]):
    """The rows of one paper, shown as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from html import escape

        def line(tag: str, cells: tuple[str, ...]) -> str:
            inner = "".join(f'<{tag} style="text-align:left">{escape(cell)}</{tag}>' for cell in cells)
            return f"<tr>{inner}</tr>"

        rows = "".join(line("td", (row.equation, row.printed, row.correct)) for row in self)
        head = line("th", ("equation", "printed", "correct"))
        return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"

    def __str__(self) -> str:
        return "\n".join(f"({row.equation}) {row.printed}  →  {row.correct}" for row in self)


def errata(paper: str) -> Errata:
    """What a paper prints and what holds.

    ``paper``: cajic-lazarevic, do-sanh, markovic-obradovic, chebanov-khlistunova or tataru. Each row has
    ``equation``, ``printed``, ``correct`` and ``numeric``.

    >>> len(mb.errata("do-sanh")) > 0
    True
    """
    rows = PAPERS.get(str(paper))
    if rows is None:
        raise UnknownNameError(f"no paper {shorten(paper)}", remedy=suggest_name(str(paper), PAPERS))
    return Errata(rows)

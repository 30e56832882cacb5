"""Names that no function of generated code may have: words of the languages, and what the code itself uses."""

from __future__ import annotations

import re
from keyword import kwlist
from typing import Final

__all__ = ["is_reserved"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LOCALS: Final = re.compile(r"x[0-9]+\Z", re.ASCII)
ANYWHERE: Final = frozenset(kwlist) | _words("""
    auto case char const default do double end enum extern float function goto inline int let long new short static
    struct switch this union var void algorithm equation input model output parameter record then when
    q u ud t p tau out
""")
MATHEMATICS: Final = _words("""
    acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10
    log1p log2 logb modf scalb scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma gamma ceil floor
    nearbyint rint lrint llrint round lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward
    fdim fmax fmin fma j0 j1 jn y0 y1 yn drem significand exp10 pow10
""")
"""Of C's <math.h>; each has a twin in f and one in l."""
OWN: Final[dict[str, frozenset[str]]] = {
    "python": _words("np batch"),
    "c": frozenset(f"{name}{width}" for name in MATHEMATICS for width in ("", "f", "l"))
    | _words("""
        fpclassify isfinite isinf isnan isnormal signbit isgreater isgreaterequal isless islessequal islessgreater
        isunordered main register restrict return signed signgam sizeof typedef unsigned volatile
    """),
    "javascript": _words("""
        Math arguments await catch debugger delete eval export extends finally implements instanceof interface null
        package private protected public static super throw true false typeof undefined NaN Infinity
    """),
    "mathematica": _words(
        "Abs ArcCos ArcSin ArcTan C Cos D E Exp I If K Log Max Min Module N O Pi Sign Sin Sqrt Tan Tanh"
    ),
    "modelica": _words("""
        Boolean Integer Real String abs acos annotation asin atan atan2 block ceil connect connector constant
        constrainedby cos cosh cross delay der div discrete each edge elseif elsewhen encapsulated enumeration exp
        expandable external false final floor flow identity impure initial inner integer log log10 loop max min mod
        noEvent ones operator outer partial pre product protected public pure redeclare reinit rem replaceable sample
        semiLinear sign sin sinh size smooth sqrt stream sum tan tanh terminal terminate time transpose true type
        within zeros
    """),
}


OWN["cpp"] = OWN["c"] | _words("""
    alignas alignof and and_eq asm bitand bitor bool catch char8_t char16_t char32_t class co_await co_return co_yield
    compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export false friend
    mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast
    requires static_assert static_cast std template this thread_local throw true try typeid typename using virtual
    wchar_t xor xor_eq
""")


def is_reserved(name: str, language: str) -> bool:
    """Whether a name means something else in a language, or in the code that is written there."""
    written = name.replace("_", "") if language == "mathematica" else name
    return any(
        word in ANYWHERE or word in OWN.get(language, ()) or LOCALS.match(word) is not None for word in (name, written)
    )

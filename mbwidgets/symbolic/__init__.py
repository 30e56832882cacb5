"""The papers' mechanics as exact formulae."""

from .balance import Balance, balance
from .complement import Constrained, constrained
from .covariant import Covariant, Linearised, covariant
from .errata import Erratum, errata
from .formula import Formula
from .limits import SizeError, limited
from .mass_moments import MassMoments, mass_moments
from .motion_vectors import MotionVectors, motion_vectors
from .opnchain import Opnchain, opnchain
from .reactions import Reactions, reactions
from .release import Release, release
from .rotators import Rotators, rotators
from .volume_integrals import volume_integrals

__all__ = [
    "Balance",
    "Constrained",
    "Covariant",
    "Erratum",
    "Formula",
    "Linearised",
    "MassMoments",
    "MotionVectors",
    "Opnchain",
    "Reactions",
    "Release",
    "Rotators",
    "SizeError",
    "balance",
    "constrained",
    "covariant",
    "errata",
    "limited",
    "mass_moments",
    "motion_vectors",
    "opnchain",
    "reactions",
    "release",
    "rotators",
    "volume_integrals",
]

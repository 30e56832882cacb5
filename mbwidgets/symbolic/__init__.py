"""The papers' mechanics as exact formulae.

Rooms, each importing only those after it: `papers`, `mechanics`, `formula`, `code`, `ring`. Of the package it may
import `files` and what lies below.
"""

from .formula.formula import Formula
from .papers.balance import Balance, balance
from .papers.constrained import Constrained, constrained
from .papers.covariant import Covariant, Linearised, covariant
from .papers.errata import Erratum, errata
from .papers.mass_moments import MassMoments, mass_moments
from .papers.motion_vectors import MotionVectors, motion_vectors
from .papers.opnchain import Opnchain, opnchain
from .papers.reactions import Reactions, reactions
from .papers.release import Release, release
from .papers.rotators import Rotators, rotators
from .papers.volume_integrals import volume_integrals
from .ring.derivation_limits import SizeError, limited

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

"""The papers' mechanics as exact formulae."""

from .covariant import Covariant, Linearised, covariant
from .formula import Formula
from .limits import SizeError, limited
from .opnchain import Opnchain, opnchain

__all__ = ["Covariant", "Formula", "Linearised", "Opnchain", "SizeError", "covariant", "limited", "opnchain"]

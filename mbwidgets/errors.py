"""Typed errors. A message names the body or joint, the value and the remedy."""

from __future__ import annotations

__all__ = [
    "AssignmentError",
    "CompatibilityError",
    "ExpressionError",
    "FileError",
    "MbwidgetsError",
    "MissingError",
    "ModelError",
    "SingularError",
    "SizeError",
    "StateError",
    "UnknownNameError",
]


class MbwidgetsError(Exception):
    """Base of every error that mbwidgets raises on purpose.

    Parameters
    ----------
    problem : what is wrong, with the offending value
    where : the body, joint, parameter or file field that it concerns
    remedy : what would be right
    """

    def __init__(self, problem: str, *, where: str | None = None, remedy: str | None = None) -> None:
        self.problem = problem
        self.where = where
        self.remedy = remedy
        text = f"{where}: {problem}" if where else problem
        super().__init__(f"{text}; {remedy}" if remedy else text)

    def at(self, where: str) -> MbwidgetsError:
        """The same error, seen from one level further out: ``body 'upper': joint: …``."""
        inner = f"{where}: {self.where}" if self.where else where
        return type(self)(self.problem, where=inner, remedy=self.remedy)


class ExpressionError(MbwidgetsError, ValueError):
    """A number or an expression that cannot be read or evaluated."""


class ModelError(MbwidgetsError, ValueError):
    """A mechanism that cannot exist: negative mass, a cycle of parents, a zero axis…"""


class UnknownNameError(MbwidgetsError, LookupError):
    """A body, joint, parameter or mechanism that the model does not have."""


class StateError(MbwidgetsError, ValueError):
    """A state, acceleration or effort of the wrong length or with values that are not finite."""


class SingularError(MbwidgetsError, ArithmeticError):
    """The mass matrix has no inverse: a joint moves nothing that has mass."""


class SizeError(MbwidgetsError):
    """A formula that grew past the readable size, or a derivation past its time."""


class FileError(MbwidgetsError, ValueError):
    """A model file or URDF that cannot be read."""


class MissingError(MbwidgetsError, ImportError):
    """A package or program that is not installed, and that only this piece of work needs."""


class AssignmentError(MbwidgetsError, ValueError):
    """An assignment, a key or an answer that cannot be read."""


class CompatibilityError(FileError):
    """A model file of a newer version than this package knows."""


def error_reason(error: Exception) -> str:
    """Why something could not be done, for a reader; of an error that nobody foresaw its kind is told too."""
    if isinstance(error, MbwidgetsError):
        return str(error)
    return f"it could not be computed ({type(error).__name__}: {error}); undo the last change or try another number"


def shorten(value: object, limit: int = 60) -> str:
    """``repr`` of a value for a message, cut to a length that a person can read."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= limit else text[: limit - 1] + "…"

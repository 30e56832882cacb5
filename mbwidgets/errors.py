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

    >>> try:
    ...     mb.Model([mb.Body("a", mass=-1)])
    ... except mb.MbwidgetsError as error:
    ...     print(error)
    body 'a': mass: -1 is negative; give a number ≥ 0
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
    """A number or an expression that cannot be read or evaluated.

    >>> try:
    ...     mb.Body("a", mass="2*(m")
    ... except mb.ExpressionError as error:
    ...     print(str(error).partition(";")[0])
    body 'a': mass: number: expected ')' at position 4 near '2*(m'
    """


class ModelError(MbwidgetsError, ValueError):
    """A mechanism that cannot exist: negative mass, a cycle of parents, a zero axis…

    >>> try:
    ...     mb.Revolute((0, 0, 0))
    ... except mb.ModelError as error:
    ...     print(error)
    axis: the axis is the zero vector; give a direction
    """


class UnknownNameError(MbwidgetsError, LookupError):
    """A body, joint, parameter or mechanism that the model does not have.

    >>> try:
    ...     mb.library.pendulum(1).body("rot 1")
    ... except mb.UnknownNameError as error:
    ...     print(error)
    no body 'rot 1'; did you mean 'rod 1'?
    """


class StateError(MbwidgetsError, ValueError):
    """A state, acceleration or effort of the wrong length or with values that are not finite.

    >>> try:
    ...     mb.Dynamics(mb.library.pendulum(2)).mass_matrix([0.1])
    ... except mb.StateError as error:
    ...     print(error)
    q has shape (1,); give 2 numbers: rod 1, rod 2
    """


class SingularError(MbwidgetsError, ArithmeticError):
    """The mass matrix has no inverse: a joint moves nothing that has mass.

    >>> try:
    ...     mb.Dynamics(mb.Model([mb.Body("a", mb.Revolute("z"))])).forward([0], [0])
    ... except mb.SingularError as error:
    ...     print(str(error).partition(":")[0])
    joint 'a'
    """


class SizeError(MbwidgetsError):
    """A formula that grew past the readable size, or a derivation past its time.

    >>> try:
    ...     with mb.limited(seconds=0.001):
    ...         mb.covariant(mb.library.six_axis_arm())
    ... except mb.SizeError as error:
    ...     print(type(error).__name__)
    SizeError
    """


class FileError(MbwidgetsError, ValueError):
    """A model file or URDF that cannot be read.

    >>> try:
    ...     mb.load("nowhere.json")
    ... except mb.FileError as error:
    ...     print(error)
    nowhere.json: No such file or directory; check the path and its rights
    """


class MissingError(MbwidgetsError, ImportError):
    """A package or program that is not installed, and that only this piece of work needs.

    >>> issubclass(mb.MissingError, mb.MbwidgetsError)
    True
    """


class AssignmentError(MbwidgetsError, ValueError):
    """An assignment, a key or an answer that cannot be read.

    >>> try:
    ...     mb.assignments.Grid(1, 0, 1)
    ... except mb.AssignmentError as error:
    ...     print(error)
    from 1 to 0 by 1; give low ≤ high and a step > 0
    """


class CompatibilityError(FileError):
    """A model file of a newer version than this package knows.

    >>> try:
    ...     mb.Model.from_dict({"format": "mbwidgets", "version": 99, "bodies": []})
    ... except mb.CompatibilityError as error:
    ...     print(error)
    the model is of version 99, this mbwidgets reads up to 2; upgrade mbwidgets
    """


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

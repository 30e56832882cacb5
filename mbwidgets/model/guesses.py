"""Names that people guess for arguments, methods and mechanisms, and the answer with the one that is meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from .fields import suggest_name

__all__ = ["GUESSES", "answer_arguments", "answer_attribute", "answer_fields", "answer_module"]

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

SIGNALS: Final = {"()": 'give one signal: a quantity and its joint are one pair, ("force", "rod"), or "force[rod]"'}
GUESSES: Final[Mapping[str, Mapping[str, str]]] = {
    "simulate": {
        **dict.fromkeys(("t_end", "tend", "t_max", "tmax", "t_final", "tf", "T", "time", "stop"), "duration, s"),
        **dict.fromkeys(("dt", "fps", "frames", "n", "h"), "rate, frames a second, or times, s; steps are its own"),
        **dict.fromkeys(("t_eval", "t"), "times, s"),
        **dict.fromkeys(("t0", "t_start"), "start, s"),
        **dict.fromkeys(("torque", "torques", "inputs", "input", "control", "controller", "effort", "efforts"), "tau"),
        **dict.fromkeys(("q0", "x0", "state"), "q and u"),
        **dict.fromkeys(("u0", "qd", "qdot", "v", "v0"), "u"),
        **dict.fromkeys(("tol", "tolerance"), "rtol"),
        **dict.fromkeys(("solver", "integrator"), "method"),
    },
    "Controller": {
        **dict.fromkeys(("dt", "period", "step", "rate", "sample_time", "Ts"), "sample, s between two calls"),
        **dict.fromkeys(("f", "func", "law"), "function"),
        **dict.fromkeys(("saturation", "limits", "max", "max_effort"), "limit"),
    },
    "Event": {
        **dict.fromkeys(("stop", "terminate", "end"), "terminal"),
        **dict.fromkeys(("expression", "function", "condition", "value"), "signal"),
        **dict.fromkeys(("sign", "rising", "falling"), "direction, 1, -1 or 0"),
    },
    "motion": {
        **dict.fromkeys(("max", "peak"), "motion.maximum(signal)"),
        "min": "motion.minimum(signal)",
        **dict.fromkeys(("torque", "torques", "moment", "effort"), "motion.drive(joint), or motion.reactions(joint)"),
        **dict.fromkeys(("force", "forces", "reaction"), 'motion.reactions(joint), or motion.signal(("force", joint))'),
        "position": "motion.point(body, at).position, or motion.q",
        "velocity": "motion.point(body, at).velocity, or motion.u",
        "acceleration": "motion.point(body, at).acceleration, or motion.ud",
        **dict.fromkeys(("time", "times"), "motion.t"),
        **dict.fromkeys(("x", "y", "state", "states"), "motion.q and motion.u"),
        **dict.fromkeys(("qd", "qdot", "v"), "motion.u"),
        **dict.fromkeys(("qdd", "a"), "motion.ud"),
        **dict.fromkeys(("fft", "frequency"), "motion.spectrum(signal)"),
        **dict.fromkeys(("success", "status", "message"), "motion.outcome"),
        **dict.fromkeys(("interpolate", "sol"), "motion.at(times)"),
    },
    "model": {
        **dict.fromkeys(("add_constraint", "add_loop", "with_constraints"), "model.with_constraint(…)"),
        **dict.fromkeys(("add_force", "add_spring", "with_load", "with_spring", "with_forces"), "model.with_force(…)"),
        **dict.fromkeys(("add_body", "add_link"), "model.replace(bodies=[*model.bodies, …])"),
        **dict.fromkeys(("with_state", "set_state"), "model.replace(state=…)"),
        **dict.fromkeys(("set", "with_params", "with_parameters"), "model.with_values(…)"),
        **dict.fromkeys(("dof", "ndof", "n"), "model.nv"),
        **dict.fromkeys(("joints", "links"), "model.bodies, of which each has its joint"),
    },
    "library": {
        **dict.fromkeys(("double_pendulum",), "mb.library.pendulum(2)"),
        **dict.fromkeys(("simple_pendulum", "single_pendulum"), "mb.library.pendulum(1)"),
        **dict.fromkeys(("triple_pendulum", "chain"), "mb.library.pendulum(3)"),
        **dict.fromkeys(("cart_pole", "cartpole", "inverted_pendulum"), "mb.library.cart_pendulum()"),
        **dict.fromkeys(("crank_slider", "slider"), "mb.library.slider_crank()"),
        **dict.fromkeys(("fourbar", "four_bar_linkage"), "mb.library.four_bar()"),
        "top": "mb.library.spinning_top()",
        **dict.fromkeys(("arm", "robot", "manipulator"), "mb.library.three_body_arm()"),
    },
    **dict.fromkeys(("signal", "maximum", "minimum", "period", "spectrum"), SIGNALS),
}
"""By what they are asked of: what people write, and what is meant. "()": more is given than one argument."""


def _meant(owner: str, name: str, known: Iterable[str]) -> str:
    """What a name means: by the table, or else the nearest of those there are."""
    told = GUESSES.get(owner, {}).get(name)
    return f"say {told}" if told else suggest_name(name, [item for item in known if not item.startswith("_")])


def answer_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which answers arguments that it does not have with those that are meant, and is as quick."""
    return _answering(function, function.__name__)


def answer_fields(cls: type[T]) -> type[T]:
    """The same for the fields of a record."""
    cls.__init__ = _answering(cls.__init__, cls.__name__)  # type: ignore[method-assign]
    return cls


def _answering(function: Callable[P, R], owner: str) -> Callable[P, R]:
    @wraps(function)
    def call(*args: P.args, **named: P.kwargs) -> R:
        try:
            return function(*args, **named)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise  # it is the function that failed, not its call
            told = _told(function, owner, named)
            if told is None:
                raise
        raise TypeError(told)

    return call


def _told(function: Callable[..., Any], owner: str, named: Mapping[str, Any]) -> str | None:
    """What is wrong with a call, in words; None where Python says it well: an argument that is missing."""
    parameters = [name for name in inspect.signature(function).parameters if name != "self"]
    if unknown := [name for name in named if name not in parameters]:
        return f"{owner} has no argument {unknown[0]!r}; {_remedy(function, owner, unknown[0], parameters)}"
    return f"{owner} takes {', '.join(parameters)}; {more}" if (more := GUESSES.get(owner, {}).get("()")) else None


def _remedy(function: Callable[..., Any], owner: str, name: str, known: list[str]) -> str:
    if not function.__module__.startswith(f"{__package__}.library."):
        return _meant(owner, name, known)
    parameters = function().parameters  # of a mechanism of the library: its numbers are no arguments
    if name in parameters:
        return f"it is a parameter: mb.library.{owner}(…).with_values({name}=…)"
    return f"its parameters are {', '.join(parameters)}, .with_values(…); its start is q and u of mb.simulate"


def answer_attribute(thing: Any, owner: str, name: str) -> Any:
    """For ``__getattr__``: what fails inside a property is told as it is; other names with those that are meant."""
    if hasattr(type(thing), name):
        return object.__getattribute__(thing, name)
    meant = "" if name.startswith("_") else f"; {_meant(owner, name, dir(type(thing)))}"
    raise AttributeError(f"{type(thing).__name__!r} object has no attribute {name!r}{meant}")


def answer_module(module: str, owner: str, name: str, known: Iterable[str]) -> AttributeError:
    """For the ``__getattr__`` of a module."""
    meant = "" if name.startswith("_") else f"; {_meant(owner, name, known)}"
    return AttributeError(f"module {module!r} has no attribute {name!r}{meant}")

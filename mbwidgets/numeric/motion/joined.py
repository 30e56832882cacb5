"""Parts of motions and motions put together: slices, what follows, and several motions as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import ModelError, StateError, shorten
from ...model.arguments import as_model
from ...model.model import Model
from ..states.constraint_system import set_nearest_curve_parameters
from .constraint_forces import ConstraintForce
from .constraint_history import Closure
from .dense_output import LOST, resampled
from .mass_moments import MassMomentFrames
from .motion import Motion, PointMotion
from .reaction_parts import ReactionFrames
from .wrenches import BearingFrames

if TYPE_CHECKING:
    from .motion_vectors import MotionVectorFrames
    from .pressure_spectrum import PressureSpectrum
    from .release import ReleaseFrames
    from .rotators import RotatorsFrames

__all__ = ["Joined", "continued", "join", "resampled_pieces", "sliced"]

SAME_TIME: Final = 1e-12
"""Part of a time by which two that are the same may differ."""


@dataclass(frozen=True, eq=False, repr=False)
class Joined(Motion):
    """Motions one after the other as one: ``pieces``, whose times are counted ``shifts`` later.

    Each instant belongs to the later piece. The model is the last one's.
    """

    pieces: tuple[Motion, ...] = field(kw_only=True)
    shifts: tuple[float, ...] = field(kw_only=True)

    @cached_property
    def shown(self) -> tuple[Motion, ...]:
        """The pieces with the frames that are shown."""
        return tuple(piece for piece, _ in _shown(self.pieces, self.shifts))

    def _stack(self, read: Callable[[Motion], Any]) -> np.ndarray:
        return np.concatenate([np.asarray(read(piece)) for piece in self.shown])

    @cached_property
    def ud(self) -> np.ndarray:
        return self._stack(lambda piece: piece.ud)

    @cached_property
    def totals(self) -> np.ndarray:
        return self._stack(lambda piece: piece.totals)

    @cached_property
    def energy_error(self) -> np.ndarray:
        return self._stack(lambda piece: piece.energy_error)

    @cached_property
    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        return self._stack(lambda piece: piece.poses[0]), self._stack(lambda piece: piece.poses[1])

    @cached_property
    def body_vectors(self) -> np.ndarray:
        return self._stack(lambda piece: piece.body_vectors)

    @cached_property
    def angular_velocities(self) -> np.ndarray:
        return self._stack(lambda piece: piece.angular_velocities)

    @cached_property
    def _reactions(self) -> np.ndarray:
        return self._stack(lambda piece: piece._reactions)

    def reactions(self, joint: str | int, pole: Any = "O", axes: str = "world") -> np.ndarray:
        return self._stack(lambda piece: piece.reactions(joint, pole, axes))

    def bearings(self, joint: str | int, a: Any, b: Any) -> BearingFrames:
        found = [piece.bearings(joint, a, b) for piece in self.shown]
        return BearingFrames(*(np.concatenate(parts) for parts in zip(*found, strict=True)))

    def mass_moments(self, body: str | int, axis: Any = None, pole: Any = None) -> MassMomentFrames:
        found = [piece.mass_moments(body, axis, pole) for piece in self.shown]
        return MassMomentFrames(
            *(np.concatenate([getattr(part, field.name) for part in found]) for field in fields(MassMomentFrames))
        )

    def motion_vectors(self) -> MotionVectorFrames:
        raise _of_pieces("motion_vectors")

    def method_residual(self, joint: str | int) -> np.ndarray:
        return self._stack(lambda piece: piece.method_residual(joint))

    def rotators(self, joint: str | int) -> RotatorsFrames:
        raise _of_pieces("rotators")

    def release(self, joint: str | int) -> ReleaseFrames:
        raise _of_pieces("release")

    def pressure_spectrum(
        self, joint: str | int, *, stiffness: Any = None, eigenfrequencies: Any = ()
    ) -> PressureSpectrum:
        raise _of_pieces("pressure_spectrum")

    @property
    def multipliers(self) -> np.ndarray:
        raise _of_pieces("multipliers")

    def point(self, body: str | int, at: Any = (0, 0, 0)) -> PointMotion:
        found = [piece.point(body, at) for piece in self.shown]
        return PointMotion(*(np.concatenate(parts) for parts in zip(*found, strict=True)))

    def reaction_parts(self, joint: str | int) -> ReactionFrames:
        found = [piece.reaction_parts(joint) for piece in self.shown]
        wholes = [part.static for part in found], [part.static_effort for part in found]
        rows: dict[str, np.ndarray] = {}
        for name in ReactionFrames.__dataclass_fields__:
            like = wholes["effort" in name]
            rows[name] = np.concatenate(
                [np.broadcast_to(getattr(part, name), own.shape) for part, own in zip(found, like, strict=True)]
            )
        return ReactionFrames(**rows)

    @property
    def horizon(self) -> float:
        raise _of_pieces("horizon")

    @property
    def constraint_residual(self) -> np.ndarray:
        return self._stack(lambda piece: piece.constraint_residual)

    @cached_property
    def closure(self) -> Closure:
        raise _of_pieces("closure")

    @property
    def constraint_forces(self) -> tuple[ConstraintForce, ...]:
        raise _of_pieces("constraint_forces")

    def _held(self) -> str:
        return f", {len(self.pieces)} motions joined"


def _of_pieces(what: str) -> ModelError:
    return ModelError("several motions joined have no single one", where=what, remedy="ask motion.pieces[k]")


def join(*motions: Any) -> Motion:
    """Motions, or a list of them, one after the other as one, with time going on; their models have the same joints.

    A motion that does not begin where the one before it ends is counted from there on; what depends on time in its
    model still goes by its own.

    >>> swing = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=1)
    >>> stopped = swing.then(u=[0], duration=1)  # a hand stops it
    >>> both = mb.join(swing, stopped)
    >>> len(both), both.t[-1].item(), round(both.maximum("abs(q[0])").value, 6)
    (121, 2.0, 1.0)
    """
    if len(motions) == 1 and isinstance(motions[0], list | tuple):
        motions = tuple(motions[0])
    pieces: list[Motion] = []
    shifts: list[float] = []
    for motion in motions:
        if not isinstance(motion, Motion):
            raise StateError(f"{shorten(motion)} is not a motion", where="join", remedy="give mb.simulate(…) and more")
        own = zip(motion.pieces, motion.shifts, strict=True) if isinstance(motion, Joined) else [(motion, 0.0)]
        shift = 0.0
        if pieces:
            _refuse_others(pieces[0].model, motion.model)
            end, begin = float(pieces[-1].t[-1]) + shifts[-1], float(motion.t[0])
            shift = 0.0 if abs(end - begin) <= SAME_TIME * max(abs(end), abs(begin)) else end - begin
        for piece, more in own:
            pieces.append(piece)
            shifts.append(more + shift)
    if not pieces:
        raise StateError("no motion to join", where="join", remedy="give two or more")
    return _joined(tuple(pieces), tuple(shifts))


def _shown(pieces: Sequence[Motion], shifts: Sequence[float]) -> list[tuple[Motion, float]]:
    """Pieces and shifts with the frames that are shown: one that ends where the next begins is without its last."""
    found = []
    for number, (piece, shift) in enumerate(zip(pieces, shifts, strict=True)):
        end = len(piece)
        if number < len(pieces) - 1:
            begin = pieces[number + 1].t[0] + shifts[number + 1] - shift
            end = int(np.searchsorted(piece.t, begin - SAME_TIME * abs(begin), side="left"))
        if end > 0:
            found.append((piece if end == len(piece) else frames_of(piece, slice(0, end)), shift))
    return found


def _joined(pieces: tuple[Motion, ...], shifts: tuple[float, ...]) -> Motion:
    shown, last = _shown(pieces, shifts), pieces[-1]
    motions = [piece for piece, _ in shown]
    work, total = [], 0.0
    for piece in motions:
        work.append(piece.work - piece.work[0] + total)
        total = float(work[-1][-1])
    efforts = None
    if any(piece.efforts is not None for piece in motions):
        efforts = np.concatenate([np.zeros_like(p.u) if p.efforts is None else p.efforts for p in motions])
    return Joined(
        last.model,
        np.concatenate([piece.t + shift for piece, shift in shown]),
        np.concatenate([piece.q for piece in motions]),
        np.concatenate([piece.u for piece in motions]),
        np.concatenate(work),
        replace(last.outcome, time=last.outcome.time + shifts[-1]),
        ", ".join(dict.fromkeys(piece.method for piece in pieces)),
        sum(piece.evaluations for piece in pieces),
        tuple(
            event._replace(time=event.time + shift)
            for piece, shift in zip(pieces, shifts, strict=True)
            for event in piece.events
        ),
        packed=last.packed,
        efforts=efforts,
        assembly=last.assembly,
        source=last.source,
        pieces=pieces,
        shifts=shifts,
    )


def _refuse_others(one: Model, other: Model) -> None:
    """Refuse to join motions of mechanisms with other joints."""
    for first, second in ((one.coordinate_names, other.coordinate_names), (one.velocity_names, other.velocity_names)):
        if first != second:
            raise StateError(
                f"joints {', '.join(second)} after {', '.join(first)}",
                where="join",
                remedy="join motions of models with the same joints",
            )


def resampled_pieces(motion: Motion, t: np.ndarray) -> Motion:
    """The motion with frames at other times, rising, inside it; of a joined one each piece by itself."""
    if not isinstance(motion, Joined):
        return resampled(motion, t)
    pieces, shifts = [], []
    for number, (piece, shift) in enumerate(zip(motion.pieces, motion.shifts, strict=True)):
        here = t[belonging(motion, t) == number]
        if len(here):
            pieces.append(resampled(piece, np.clip(here - shift, piece.t[0], piece.t[-1])))
            shifts.append(shift)
    return _joined(tuple(pieces), tuple(shifts))


def belonging(motion: Joined, t: np.ndarray) -> np.ndarray:
    """The number of the piece that each time belongs to."""
    begins = np.array([piece.t[0] + shift for piece, shift in zip(motion.pieces, motion.shifts, strict=True)])
    return np.clip(np.searchsorted(begins, t, side="right") - 1, 0, None)


def frames_of(motion: Motion, which: Any) -> Motion:
    """A motion of some of the frames."""
    t = motion.t[which]
    packed = motion.packed
    if motion.model.constraints:  # a curve's foot is sought from the first frame on
        packed = packed._replace(model=packed.model.copy())
        set_nearest_curve_parameters(packed, motion.q[which][0])
    return replace(
        motion,
        t=t,
        q=motion.q[which],
        u=motion.u[which],
        work=motion.work[which],
        efforts=None if motion.efforts is None else motion.efforts[which],
        events=tuple(event for event in motion.events if t[0] <= event.time <= t[-1]),
        packed=packed,
    )


def sliced(motion: Motion, which: slice) -> Motion:
    """``motion[a:b]``: frames by their numbers, or seconds, both ends included; it ends at b, frame or not."""
    ends = which.start, which.stop
    if which.step is not None and not (isinstance(which.step, int | np.integer) and which.step > 0):
        raise StateError(
            f"every {shorten(which.step)} frames", where="motion", remedy="give a whole number > 0, or motion.at(times)"
        )
    numbered = all(end is None or isinstance(end, int | np.integer) for end in ends)
    numbers = np.arange(len(motion))[which] if numbered else _between_times(motion, which)
    if not len(numbers):
        raise StateError(
            f"no frames in [{'' if ends[0] is None else ends[0]}:{'' if ends[1] is None else ends[1]}]",
            where="motion",
            remedy=f"give frames 0 … {len(motion)} or, as floats, seconds {float(motion.t[0])} … {float(motion.t[-1])}",
        )
    end = np.empty(0) if numbered else _end_between_frames(motion, which, numbers)
    if isinstance(motion, Joined):
        return resampled_pieces(motion, np.append(motion.t[numbers], end))
    found = frames_of(motion, slice(int(numbers[0]), int(numbers[-1]) + 1, which.step))
    return _with_end(found, resampled(motion, end)) if len(end) else found


def _end_between_frames(motion: Motion, which: slice, numbers: np.ndarray) -> np.ndarray:
    """The time, if any, at which a slice of seconds ends between two frames."""
    if which.step is not None or which.stop is None:
        return np.empty(0)
    end, slack = float(which.stop), SAME_TIME * max(abs(motion.t[0]), abs(motion.t[-1]))
    inside = motion.t[numbers[-1]] + slack < end < motion.t[-1] - slack
    return np.array([end] if inside else [])


def _with_end(motion: Motion, end: Motion) -> Motion:
    """A motion and the one frame after it of the same motion."""
    names = ("t", "q", "u", "work")
    rows: dict[str, Any] = {name: np.concatenate([getattr(motion, name), getattr(end, name)]) for name in names}
    efforts = None
    if motion.efforts is not None and end.efforts is not None:
        efforts = np.concatenate([motion.efforts, end.efforts])
    events = tuple(event for event in end.events if rows["t"][0] <= event.time <= rows["t"][-1])
    return replace(motion, **rows, efforts=efforts, events=events)


def _between_times(motion: Motion, which: slice) -> np.ndarray:
    try:
        low = -np.inf if which.start is None else float(which.start)
        high = np.inf if which.stop is None else float(which.stop)
    except (TypeError, ValueError):
        raise StateError(f"slice {shorten(which)}", remedy="give frames [10:20] or seconds [1.0:2.5]") from None
    slack = SAME_TIME * max(abs(motion.t[0]), abs(motion.t[-1]))
    return np.flatnonzero((motion.t >= low - slack) & (motion.t <= high + slack))[:: which.step]


def continued(motion: Motion, model: Any, options: Mapping[str, Any]) -> Motion:
    """The motion that follows from the last state on; see `Motion.then`."""
    source = motion.source
    if source is None or source.simulate is None:
        raise StateError("nothing tells how it was made", where="then", remedy="use mb.simulate(model, q, u, start=…)")
    given = dict(options)
    if "start" in given:
        raise StateError("start is the last time of the motion", where="then", remedy="leave start away")
    if model is None:
        model = motion.model
        if "tau" not in given and source.tau is LOST:
            raise StateError(
                "its tau was a Python function, which a file does not keep",
                where="then",
                remedy="give tau again, tau=None to go on without it",
            )
        if "tau" not in given and source.tau is not None:
            given["tau"] = source.tau
    else:
        as_model(model)
    for name in ("q", "u"):
        last = _handed_over(motion, model, name)
        asked = given.get(name)
        given[name] = asked if asked is not None and not isinstance(asked, Mapping) else {**last, **(asked or {})}
    return source.simulate(model, start=float(motion.t[-1]), **given)


def _handed_over(motion: Motion, model: Model, name: str) -> dict[str, np.ndarray]:
    """The last q or u by joint, of the joints that both models have."""
    widths = {}
    for number, item in enumerate((motion.model, model)):
        offsets = item.q_offsets if name == "q" else item.u_offsets
        widths[number] = {body.name: (offsets[k], offsets[k + 1]) for k, body in enumerate(item.bodies)}
    state = getattr(motion, name)[-1]
    found = {
        joint: state[first:past]
        for joint, (first, past) in widths[0].items()
        if joint in widths[1] and widths[1][joint][1] - widths[1][joint][0] == past - first
    }
    if not found:
        raise StateError(
            "the models have no joint in common", where="then", remedy="give q and u: simulate(…, start=…)"
        )
    return found

"""A motion: what `simulate` computed, and what can be read from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import ModelError, shorten
from ...model.model import Model
from ..base.brief import brief_text
from ..base.outcome import Outcome
from ..base.rotations import rotation_matrices
from ..base.table import Table
from ..engines.kernel import current_engine
from ..kernels import body_vectors, entry_points
from ..packing.pack import Packed
from ..states.dynamics import Energy
from .asking import Asking
from .between_frames import states_between
from .body_axes import angular_velocities
from .mass_moments import MassMomentFrames, mass_moments_of, moments_in_columns
from .pressure_spectrum import PressureSpectrum, refuse_aliases, shaft_frequency, spectrum_of
from .reaction_parts import Parts, ReactionFrames, static_kinetic_applied_parts
from .wrenches import body_point

if TYPE_CHECKING:
    from ..states.constraint_system import Assembly
    from .constraint_forces import ConstraintForce
    from .constraint_history import Closure
    from .dense_output import Source
    from .horizon import Again
    from .motion_vectors import MotionVectorFrames
    from .rotators import RotatorsFrames

__all__ = ["EventFound", "Motion", "PointMotion"]


class PointMotion(NamedTuple):
    """Position (m), velocity (m/s), acceleration (m/s²) of a point, each (frames, 3), world axes."""

    position: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray

    def __repr__(self) -> str:
        return brief_text(self)


class EventFound(NamedTuple):
    """A zero of an event's signal: which event, when, and the state there."""

    event: int
    time: float
    q: np.ndarray
    u: np.ndarray

    def __repr__(self) -> str:
        return brief_text(self)


@dataclass(frozen=True, eq=False, repr=False)
class Motion(Asking):
    """Frames of a motion, equally spaced in time unless `simulate` was given their times.

    ``motion(t)`` is its state between them; `Asking` has what else can be asked.

    Attributes
    ----------
    t : (frames,) s
    q, u : (frames, nq), (frames, nv); rad and rad/s, or m and m/s
    outcome : how the computation ended; what was computed until then is here
    work : (frames,) work of the forces that have no potential, J
    events : zeros of the events' signals
    evaluations : of the right-hand side
    method : the method that was used
    engine : what computed it, see `mbwidgets.engine`
    efforts : (frames, nv) N m or N, what ``tau`` gave beyond the model's forces; None without ``tau``

    >>> motion = mb.simulate(mb.library.pendulum(1), q=[np.pi / 2], u=[0], duration=1)
    >>> force, moment = np.split(motion.reactions("rod 1")[0], 2)
    >>> force.round(4).tolist()  # N: a quarter of the weight m g, as the rod begins to fall
    [0.0, 0.0, 2.4525]
    """

    model: Model
    t: np.ndarray
    q: np.ndarray
    u: np.ndarray
    work: np.ndarray
    outcome: Outcome
    method: str
    evaluations: int = 0
    events: tuple[EventFound, ...] = ()
    packed: Packed = field(kw_only=True)
    engine: str = field(default_factory=lambda: current_engine().name, kw_only=True)
    efforts: np.ndarray | None = field(default=None, kw_only=True)
    assembly: Assembly | None = field(default=None, kw_only=True)
    again: Again | None = field(default=None, kw_only=True)
    source: Source | None = field(default=None, kw_only=True)

    @cached_property
    def ud(self) -> np.ndarray:
        """Accelerations u̇ (frames, nv), rad/s² or m/s²."""
        if self.model.constraints:
            return self.closure.ud
        out = np.empty_like(self.u)
        tau = np.zeros_like(self.u) if self.efforts is None else self.efforts
        entry_points.forward_dynamics_frames(
            self.packed.model, self.packed.new_data(), self.t, self.q, self.u, tau, out
        )
        return out

    @cached_property
    def totals(self) -> np.ndarray:
        """Kinetic and potential energy (J), momentum K (kg m/s), angular momentum L about the origin (kg m²/s),
        (frames, 8)."""
        out = np.empty((len(self.t), 8))
        entry_points.energy_and_momenta(self.packed.model, self.packed.new_data(), self.q, self.u, out)
        return out

    @property
    def energy(self) -> Energy:
        """``.kinetic`` and ``.potential`` energy, J, each (frames,); ``.total`` is their sum."""
        return Energy(self.totals[:, 0], self.totals[:, 1])

    @cached_property
    def energy_error(self) -> np.ndarray:
        """T + V − work, less its value at the start, relative to the energy that is exchanged, (frames,).

        That is max T + max |V − V(0)| + what could be exchanged, Σ m_i |g| ℓ_i, ℓ_i the reach of body i; without
        gravity the springs' energy stands for it. It is there for mechanisms at rest, whose error is rounding: beside
        an error that rounding cannot make it counts no more than what is exchanged, so that small motions are
        measured by themselves.
        """
        from .energy_exchange import energy_exchange_scale, energy_rounding_error

        kinetic, potential = self.energy
        with np.errstate(invalid="ignore", over="ignore"):  # an energy past all floats makes the error NaN
            error = kinetic + potential - self.work
            error -= error[0]
            exchanged = kinetic.max(initial=0.0) + abs(potential - potential[0]).max(initial=0.0)
            possible = energy_exchange_scale(self.model, self.packed, self.q, potential)
            terms = possible + kinetic.max(initial=0.0) + abs(potential).max(initial=0.0)
            rounding = energy_rounding_error(terms, len(self.model.bodies), self.evaluations, self.method)
            scale = exchanged + np.where(abs(error) <= rounding, possible, min(possible, exchanged))
            return np.divide(error, scale, out=np.zeros_like(error), where=scale != 0.0)

    @property
    def drift(self) -> float:
        """The largest relative error of the energy balance: how far the numbers are from physics."""
        return float(abs(self.energy_error).max(initial=0.0))

    @cached_property
    def horizon(self) -> float:
        """Until when the motion is known, s: beyond it a chaotic motion is one possible motion. ∞ if all of it is.

        The first time at which solutions with rtol 1e-10 and 1e-12 differ by 1e-3 of a coordinate's range; both are
        computed when it is asked for. Refused where ``tau`` is a Python function, which is not asked twice.

        >>> mb.simulate(mb.library.pendulum(1), duration=10).horizon
        inf
        """
        from .horizon import horizon_of

        return horizon_of(self)

    @cached_property
    def closure(self) -> Closure:
        """What the constraints do in every frame.

        Fields: ``.values`` Φ and ``.multipliers`` λ (frames, m), ``.residual`` (frames,), the largest |Φ|, ``.forces``
        as `constraint_forces`, ``.names``; of all frames ``.equations``, their number, their ``.rank``, the degrees of
        ``.freedom`` left, and whether λ is ``.unique``.
        """
        if not self.model.constraints:
            raise ModelError("the model has no constraints", where="closure", remedy="look at `reactions` instead")
        from .constraint_history import Closure

        return Closure(self)

    @property
    def constraint_residual(self) -> np.ndarray:
        """How far the constraints are from being met: the largest |Φ| of each frame (frames,), m or 1."""
        return self.closure.residual if self.model.constraints else np.zeros(len(self.t))

    @property
    def multipliers(self) -> np.ndarray:
        """λ (frames, m), one for each constraint equation; the shortest where redundant ones leave a choice."""
        return self.closure.multipliers if self.model.constraints else np.zeros((len(self.t), 0))

    @property
    def constraint_forces(self) -> tuple[ConstraintForce, ...]:
        """What each constraint does to its bodies over the frames, world axes, an action for each body.

        Fields: ``.constraint`` its number, ``.name``, ``.body`` (None: efforts in joints); ``.point`` (m), ``.force``
        (N), ``.moment`` about the point (N m), each (frames, 3); ``.effort`` (frames, nv), N m or N.
        """
        return self.closure.forces if self.model.constraints else ()

    @cached_property
    def _reactions(self) -> np.ndarray:
        if self.model.constraints:
            return self.closure.reactions
        tau, out = np.empty_like(self.u), np.empty((len(self.t), len(self.model.bodies), 6))
        entry_points.inverse_dynamics(
            self.packed.model, self.packed.new_data(), self.t, self.q, self.u, self.ud, tau, out
        )
        return out

    def reactions(self, joint: str | int, pole: Any = "O", axes: str = "world") -> np.ndarray:
        """Reaction of a joint (frames, 6): force (N), then moment about the pole (N m), parent on body.

        ``pole``: "O", the joint's point O_k in the parent; "O*", its point in the body; or a point of the body
        (x, y, z) from O*, in body axes. ``axes``: those of the "world", of the "parent" or of the "body".

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=1)
        >>> force, moment = np.split(motion.reactions("rod 1", axes="body")[0], 2)
        >>> force.round(3).tolist()  # N
        [0.0, -2.064, 5.3]
        """
        from .wrenches import reactions_about

        return reactions_about(self, joint, pole, axes)

    @cached_property
    def _parts(self) -> Parts:
        return static_kinetic_applied_parts(self.model, self.packed, self.t, self.q, self.u, self.ud)

    def reaction_parts(self, joint: str | int) -> ReactionFrames:
        """Reaction of a joint split into weight, motion, loads and constraints, each (frames, 6) as in `reactions`.

        Fields: ``.static .kinetic .applied .constraints`` and their sum ``.total``, force (N), then moment about O_k
        (N m); ``.pressure``, what motion adds on the bearing, −kinetic. Along the joint's k free directions
        ``.static_effort`` (frames, k), N m or N, and so on, and ``.effort``, their sum. In a tree ``.constraints`` and
        ``.constraints_effort`` are the number 0.
        """
        k = self.model.index(joint)
        columns = slice(self.model.u_offsets[k], self.model.u_offsets[k + 1])
        names = ("static", "kinetic", "applied")
        parts = ReactionFrames(
            *(self._parts[name][1][:, k] for name in names), *(self._parts[name][0][:, columns] for name in names)
        )
        if not self.model.constraints:
            return parts
        held = self._reactions[:, k] - parts.total
        return replace(parts, constraints=held, constraints_effort=-self.closure.wrench[:, columns])

    def motion_vectors(self) -> MotionVectorFrames:
        """T, Γ, ω, ε, v_C, a_C, dL_C/dt as arrays over the frames, world axes; one-axis joints.

        Fields: ``.quasibase .gamma .omega .epsilon .velocities .accelerations .momentum_rates .centres .axes``
        ``.joint_velocities .rodrigues``, in rad/s, rad/s², m/s, m/s², N m.
        """
        from .array_algebra import carriers_at
        from .motion_vectors import MotionVectorFrames

        return MotionVectorFrames(carriers_at(self.model, self.q.T, self.u.T, self.ud.T).r, len(self.t))

    def method_residual(self, joint: str | int) -> np.ndarray:
        """Rodrigues less rotators (frames, 6), N, N m: how far the two methods are apart; one-axis joints, no loads."""
        from .array_algebra import carriers_at, reactions_at

        k = self.model.index(joint)
        carriers = carriers_at(self.model, self.q.T, self.u.T, self.ud.T)
        one, other = (reactions_at(carriers, method, len(self.t)) for method in ("rodrigues", "rotators"))
        return np.asarray((one - other)[:, k])

    def rotators(self, joint: str | int) -> RotatorsFrames:
        """Vector rotators of all that a joint carries, as arrays over the frames; one-axis joints.

        Rows by number or name; of the whole ``.force`` (N), ``.moment`` (N m), ``.momentum`` (kg m/s),
        ``.angular_momentum`` (kg m²/s), each (frames, 3).
        """
        from .rotators import rotators_of

        return rotators_of(self.model, joint, self.q, self.u, self.ud)

    def mass_moments(self, body: str | int, axis: Any = None, pole: Any = None) -> MassMomentFrames:
        """Mass moments of a body for a joint's axis, or a direction fixed in it, over the frames, world axes.

        Fields: ``.mass`` M n (kg), ``.static`` S_n (kg m), ``.inertia`` 𝔍_n and ``.deviation`` D_n (kg m²), ``.axis``
        n, each (frames, 3); ``.axial`` J_n (frames,), kg m².

        Without ``axis`` that of the joint that carries the body, of several the last; the direction of ω where it has
        none. Without ``pole`` O*.
        """
        if axis is None and pole is None:
            index = self.model.index(body)
            return moments_in_columns(self.model.number(self.model.bodies[index].mass), self.body_vectors[:, index])
        return mass_moments_of(self.model, self.rotations, self.angular_velocities, body, axis, pole)

    @cached_property
    def angular_velocities(self) -> np.ndarray:
        """ω of the bodies (frames, n, 3), rad/s, world axes."""
        return angular_velocities(self.model, self.rotations, self.u)

    def pressure_spectrum(
        self, joint: str | int, *, stiffness: Any = None, eigenfrequencies: Any = ()
    ) -> PressureSpectrum:
        """Spectrum of a joint's kinetic pressures; the shaft's eigenfrequency is marked.

        Fields: ``.frequency`` (k,) Hz, the amplitudes ``.force`` (k,) N and ``.moment`` (k,) N m, ``.phasor`` (k, 6),
        complex; ``.eigenfrequencies`` Hz, ``.resolution`` Hz, ``.frames``; ``.peaks()`` and ``.resonances()``, Hz.

        ``stiffness``: the shaft's, N/m, which gives √(c/m)/2π; ``eigenfrequencies``: known ones, Hz. Refused where the
        frames are too few for the waves that there are.
        """
        k = self.model.index(joint)
        marks = [] if stiffness is None else [shaft_frequency(self.model, k, stiffness)]
        marks += [self.model.number(mark) for mark in np.atleast_1d(np.asarray(eigenfrequencies, dtype=object))]
        name = self.model.bodies[k].name
        found = spectrum_of(name, self.t, self.reaction_parts(k).pressure, marks)
        t, q, u, ud = states_between(self, found.frames)
        pressure = -static_kinetic_applied_parts(self.model, self.packed, t, q, u, ud)["kinetic"][1][:, k]
        refuse_aliases(name, self.t, found, spectrum_of(name, t, pressure, []))
        return found

    @cached_property
    def body_vectors(self) -> np.ndarray:
        """The vectors of every body that pictures draw (frames, n, 36), in the columns of `kernels.body_vectors`."""
        out = np.empty((len(self.t), len(self.model.bodies), body_vectors.WIDTH))
        body_vectors.body_vectors(self.packed.model, self.packed.new_data(), self.q, self.u, self.ud, out)
        return out

    @cached_property
    def rotations(self) -> np.ndarray:
        """Rotations of the bodies (frames, n, 3, 3), body axes to world axes."""
        return rotation_matrices(self.poses[1])

    @cached_property
    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        """Points O* (frames, n, 3), m, and quaternions x, y, z, w (frames, n, 4)."""
        shape = (len(self.t), len(self.model.bodies))
        position, quaternion = np.empty((*shape, 3)), np.empty((*shape, 4))
        entry_points.body_poses(self.packed.model, self.packed.new_data(), self.q, position, quaternion)
        return position, quaternion

    def point(self, body: str | int, at: Any = (0, 0, 0)) -> PointMotion:
        """Motion of a point of a body, ``at`` in its axes from O*, m: ``.position .velocity .acceleration``.

        Each (frames, 3), world axes, in m, m/s, m/s². Parts of ``at`` may be expressions of the model's parameters,
        ``at=("l2/2", 0, 0)``.

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[0], duration=1)
        >>> motion.point("rod 1", ("0", 0, "-l/2")).position[0].tolist()
        [0.0, 0.0, -0.5]
        """
        x, y, z = body_point(self.model, body, at)
        out = np.empty((len(self.t), 9))
        row = self.packed.rows[self.model.index(body)]
        entry_points.point_kinematics(
            self.packed.model, self.packed.new_data(), row, x, y, z, self.q, self.u, self.ud, out
        )
        return PointMotion(out[:, :3], out[:, 3:6], out[:, 6:])

    def table(self) -> Table:
        """Time (s), coordinates, velocities (rad, m, rad/s, m/s) and energies (J) as named columns.

        Fields: ``.names``, ``.values`` (frames, columns); ``.to_dict()``, ``.to_csv(path)``.
        """
        energy = self.energy
        columns = [self.t[:, None], self.q, self.u, energy.kinetic[:, None], energy.potential[:, None]]
        return Table(tuple(table_names(self.model)), np.hstack(columns))

    def index(self, time: float) -> int:
        """The frame nearest to a time, s."""
        try:
            moment = float(time)
        except (TypeError, ValueError):
            moment = np.nan
        if not np.isfinite(moment):
            raise ModelError(f"time {shorten(time)} is not a finite number", remedy=f"give 0 … {self.t[-1]:g}")
        return int(abs(self.t - moment).argmin())

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        return (
            f"Motion of {self.model.name!r}: {len(self.t)} frames to {self.t[-1]:g} s by {self.method}, "
            f"energy drift {self.drift:.1e}{self._held()}. {self.outcome.message}"
        )

    def _held(self) -> str:
        if self.assembly is None:
            return ""
        drift = self.constraint_residual.max(initial=0.0)
        return f", constraint drift {drift:.1e}, {self.closure.freedom} degrees of freedom"


def table_names(model: Model) -> list[str]:
    """Headings of the table of a motion."""
    coordinates = [f"q {name}" for name in model.coordinate_names]
    return ["t", *coordinates, *(f"u {name}" for name in model.velocity_names), "kinetic", "potential"]

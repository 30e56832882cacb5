"""Compiled dynamics of a model at states: mass matrix, forward and inverse dynamics, reactions, energy."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ...errors import StateError
from ...model.arguments import as_model
from ...model.model import Model
from ..base.arguments import as_array, as_time, joint_with_zero_quaternion, velocities_of
from ..base.brief import brief_text
from ..base.tolerances import DEPENDENT, EFFORT_MISSED
from ..engines.desk import Desk
from ..kernels import entry_points
from ..packing.pack import Packed, pack_model
from .many_states import FrameMotion, ManyStates, are_many
from .unresisted_motion import massless_joint_error

if TYPE_CHECKING:
    from .constraint_routes import ConstrainedSystem, ConstraintState

__all__ = ["Dynamics", "Energy"]

FLOAT = np.dtype(float)
BEGINNING: Final = 0.0
"""The time of calls that are given none: it needs no check."""
NOT_ALIKE: Final = (TypeError, ValueError, BufferError, NotImplementedError)
"""What a memoryview raises for values that are not as many floats: they are looked at one by one."""


class Energy(NamedTuple):
    """Kinetic and potential energy, J."""

    kinetic: Any
    potential: Any

    @property
    def total(self) -> Any:
        """Their sum."""
        return self.kinetic + self.potential

    def __repr__(self) -> str:
        return brief_text(self)


class Dynamics:
    """The dynamics of a model as compiled functions of numbers.

    Every call takes coordinates q, velocities u, … in the order of the model's bodies, and the time t last.
    World axes, SI units. Arrays of states (…, nq), (…, nv) give arrays of results (…, …); what is one state stands
    beside all of the others. An object serves one thread at a time; `copy` gives one for another thread.

    Parameters
    ----------
    model : a `Model` whose parameters all have values

    >>> dynamics = mb.Dynamics(mb.library.pendulum(1))
    >>> dynamics.mass_matrix([0.3]).round(6).tolist(), dynamics.forward([0.3], [0.0]).round(6).tolist()
    ([[0.333333]], [-4.34858])
    >>> dynamics.forward(np.linspace(0, 0.3, 4)[:, None], [0.0]).shape
    (4, 1)
    """

    def __init__(self, model: Model) -> None:
        self.model = as_model(model)
        self._packed = pack_model(model)
        self._held = _held(model, self._packed)
        self._nq, self._nv, self._n = model.nq, model.nv, len(model.bodies)
        self._zero = np.zeros(self._nv)
        self._open_desk()

    def _open_desk(self) -> None:
        """Lay out the arrays of all calls where the engine runs."""
        n, nq, nv = self._n, self._nq, self._nv
        shapes = {"t": (1,), "q": (1, nq), "u": (1, nv), "ud": (1, nv), "tau": (1, nv), "reactions": (1, n, 6)}
        shapes |= {"mass": (nv, nv), "position": (1, n, 3), "quaternion": (1, n, 4), "totals": (1, 8)}
        shapes |= {"effort": (nv,), "found": (nv,)}
        self._desk = desk = Desk(
            {
                "model": self._packed.model,
                "data": self._packed.new_data(),
                **{name: np.zeros(shape) for name, shape in shapes.items()},
            }
        )
        self._q, self._u, self._t = desk.name_row("q", "q1"), desk.name_row("u", "u1"), desk["t"]
        self._ud, self._tau, self._reactions = (desk[name][0] for name in ("ud", "tau", "reactions"))
        self._effort, self._found, self._driven = desk["effort"], desk["found"], False
        # one assignment to a memoryview checks kind, shape and size, and copies: a third of what NumPy needs for it
        self._to_q, self._to_u, self._to_ud, self._to_effort = (
            _writer(row) for row in (self._q, self._u, self._ud, self._effort)
        )
        self._forward = desk.bind(entry_points.forward_dynamics, "model", "data", None, "q1", "u1", "effort", "found")
        state = "model", "data", "t", "q", "u", "ud", "tau", "reactions"
        self._inverse = desk.bind(entry_points.inverse_dynamics, *state)
        self._mass = desk.bind(entry_points.fill_mass_matrix, "model", "data", "q1", "mass")
        self._poses = desk.bind(entry_points.body_poses, "model", "data", "q", "position", "quaternion")
        self._energy = desk.bind(entry_points.energy_and_momenta, "model", "data", "q", "u", "totals")

    def __repr__(self) -> str:
        return f"Dynamics of {self.model.name!r}: {self._n} bodies, {self._nv} velocities"

    def __reduce__(self) -> tuple[type[Dynamics], tuple[Model]]:
        return Dynamics, (self.model,)

    @cached_property
    def _many(self) -> ManyStates:
        return ManyStates(self)

    def copy(self) -> Dynamics:
        """The same dynamics with work space of its own."""
        return Dynamics(self.model)

    def forward(self, q: Any, u: Any, tau: Any = None, t: float = BEGINNING) -> np.ndarray:
        """Accelerations u̇ (nv,), rad/s² or m/s², under the model's forces and efforts ``tau`` beyond them, N m or N.

        Raises
        ------
        SingularError : a joint moves nothing that has mass, or the constraints leave the accelerations open; the
            message names it
        StateError : a value is not finite, or there are too few or too many
        """
        if self._held is not None:
            if are_many(q, u, tau):
                return self._many.forward(q, u, tau, t)
            return self.constraints(q, u, tau, t).accelerations
        if not self._desk.at_hand:
            self._open_desk()
        try:
            self._to_q[:], self._to_u[:] = q, u
            if tau is not None or self._driven:
                self._to_effort[:] = self._zero if tau is None else tau
                self._driven = tau is not None
        except NOT_ALIKE:
            if are_many(q, u, tau):
                return self._many.forward(q, u, tau, t)
            self._q[:], self._u[:] = self._coordinates(q), self._velocities(u)
            self._effort[:] = self._zero if tau is None else self._velocities(tau, "tau")
            self._driven = tau is not None
        if status := self._forward(t if t is BEGINNING else as_time(t)):
            raise self._fault(status, self._q, self._u, self._effort)
        return self._found.copy()

    def inverse(self, q: Any, u: Any, ud: Any, t: float = BEGINNING, actuated: Any = None) -> np.ndarray:
        """Efforts τ (nv,), N m or N, that the motion q, u, u̇ needs beyond the model's own forces.

        With constraints many efforts do; the least in the metric of the kinetic energy, J M⁻¹ τ = 0, is given.

        Parameters
        ----------
        actuated : the joints that have a drive: the efforts of all others are zero. L_τᵀ τ is what the motion asks for;
            where the drives are more than the freedoms, the shortest τ is given. Refused where they cannot do it.

        >>> crank = mb.Dynamics(mb.library.four_bar())
        >>> q, u = crank.model.q0, crank.model.u0
        >>> crank.inverse(q, u, crank.forward(q, u, [2, 0, 0]), actuated=["crank"]).round(9).tolist()
        [2.0, 0.0, 0.0]
        """
        if are_many(q, u, ud):
            if self._held is None and actuated is None:
                return self._many.invert(q, u, ud, t)[0]
            found: np.ndarray = self._many.each(partial(self.inverse, actuated=actuated), t, q=q, u=u, ud=ud)
            return found
        if self._held is not None:
            state = self._coordinates(q), self._velocities(u), self._velocities(ud, "ud")
            tau = self._finite(self._held.efforts(*state, as_time(t))[0], *state)
        else:
            self._invert(q, u, ud, t)
            tau = self._tau.copy()
        return tau if actuated is None else self._by_drives(tau, q, u, t, actuated)

    def _by_drives(self, tau: np.ndarray, q: Any, u: Any, t: float, actuated: Any) -> np.ndarray:
        """Efforts of some joints that do what ``tau`` does."""
        chosen = velocities_of(self.model, actuated, "actuated")[0]
        free = np.eye(self._nv)
        if self._held is not None:
            free = self._held.null_space(self._coordinates(q), self._velocities(u), as_time(t))[0]
        weights = np.sqrt(np.maximum(self.mass_matrix(q).diagonal(), 0.0))
        weights = np.where(weights > 0.0, weights, 1.0)
        free = np.linalg.qr(free * weights[:, None])[0] / weights[:, None]
        wanted = free.T @ tau
        found = np.linalg.lstsq(free[chosen].T, wanted, rcond=DEPENDENT)[0] if chosen else np.zeros(0)
        missed = np.linalg.norm(free[chosen].T @ found - wanted)
        if missed > EFFORT_MISSED * np.linalg.norm(abs(free.T) @ abs(tau)):
            joints = ", ".join(repr(self.model.velocity_names[k]) for k in chosen) or "no joint"
            raise StateError(
                f"drives at {joints} cannot make this motion: {len(wanted)} efforts are free, and they miss them by "
                f"{missed / np.linalg.norm(wanted):.2g} of their size",
                where="actuated",
                remedy="name more joints, or a motion that these can make",
            )
        out = np.zeros(self._nv)
        out[chosen] = found
        return out

    def reactions(self, q: Any, u: Any, ud: Any, t: float = BEGINNING) -> np.ndarray:
        """Joint reactions (n, 6): force (N), then moment at O_k (N m), world axes, parent on body, without the effort.

        F_R, M_R of Cajić-Lazarević (3), (19): what the bearing carries; the parts along the joint's free
        directions, which the actuator or spring supplies, are taken out. The constraints' forces are among the loads.
        """
        if are_many(q, u, ud):
            if self._held is None:
                return self._many.invert(q, u, ud, t)[1]
            found: np.ndarray = self._many.each(self.reactions, t, (self._n, 6), q=q, u=u, ud=ud)
            return found
        if self._held is not None:
            state = self._coordinates(q), self._velocities(u), self._velocities(ud, "ud")
            return self._finite(self._held.reactions(*state, as_time(t)), *state)
        self._invert(q, u, ud, t)
        return self._reactions.copy()

    def bias(self, q: Any, u: Any, t: float = BEGINNING) -> np.ndarray:
        """Γ q̇ q̇ + ∂Π/∂q − model forces (nv,): the efforts at u̇ = 0, N m or N."""
        if are_many(q, u):
            return self._many.invert(q, u, self._zero, t)[0]
        self._invert(q, u, self._zero, t)
        return self._tau.copy()

    def constraints(
        self, q: Any, u: Any, tau: Any = None, t: float = BEGINNING, route: str = "null_space"
    ) -> ConstraintState:
        """L_λ, L_τ, λ, the wrench L_λᵀ λ (N, N m), the rank and u̇ (rad/s², m/s²) at a state.

        ``route``: ``"null_space"`` (orthogonal complement), ``"lagrange"``, ``"udwadia_kalaba"``; all give the same.
        """
        if self._held is None:
            raise StateError("the model has no constraints", remedy="give mb.Model(…, constraints=[…])")
        efforts = self._zero if tau is None else self._velocities(tau, "tau")
        state = self._coordinates(q), self._velocities(u)
        for values in (*state, efforts):
            self._finite(values, *state, efforts)
        return self._held.state(*state, efforts, as_time(t), route)

    def mass_matrix(self, q: Any, t: float = BEGINNING) -> np.ndarray:
        """The mass matrix a_αβ (nv, nv), kg m², kg m or kg."""
        as_time(t)
        if are_many(q):
            return self._many.mass_matrix(q)
        if not self._desk.at_hand:
            self._open_desk()
        self._q[:] = self._coordinates(q)
        if not self._mass():
            raise self._fault(-1, self._q)
        return self._desk["mass"].copy()

    def poses(self, q: Any, t: float = BEGINNING) -> tuple[np.ndarray, np.ndarray]:
        """Points O* (n, 3), m, and quaternions x, y, z, w (n, 4) of the bodies in the world."""
        as_time(t)
        if are_many(q):
            return self._many.poses(q)
        self._lay(q=self._coordinates(q))
        self._poses()
        position, quaternion = self._desk["position"][0].copy(), self._desk["quaternion"][0].copy()
        return self._finite(position, q), self._finite(quaternion, q)

    def jacobian(self, q: Any, body: str | int, at: Any = (0, 0, 0), t: float = BEGINNING) -> np.ndarray:
        """J (6, nv) with (v, ω) = J u: velocity of a point of a body, then its angular velocity, world axes.

        ``at``: the point, from O*, body axes. A force F at it and a moment M are Jᵀ (F, M) on the velocities.

        >>> mb.Dynamics(mb.library.pendulum(1)).jacobian([0.0], "rod 1", at=(0, 0, -1))[:, 0].tolist()
        [0.0, 1.0, 0.0, 1.0, 0.0, 0.0]
        """
        as_time(t)
        return self._many.jacobians(q, body, at)

    def frame(self, q: Any, u: Any, ud: Any, body: str | int, at: Any = (0, 0, 0), t: float = BEGINNING) -> FrameMotion:
        """How a frame moves that is fixed in a body at a point: position (3,), m, quaternion (4,), velocity (6,), m/s
        and rad/s, acceleration (6,), m/s² and rad/s².

        Velocity and acceleration are linear, then angular, world axes: those of `jacobian`.
        """
        as_time(t)
        return self._many.frames(q, u, ud, body, at)

    def energy(self, q: Any, u: Any, t: float = BEGINNING) -> Energy:
        """Kinetic energy, and potential energy of weight and springs, J."""
        as_time(t)
        totals = self._totals(q, u)
        return Energy(*(totals[..., k] if totals.ndim > 1 else float(totals[k]) for k in (0, 1)))

    def momentum(self, q: Any, u: Any, t: float = BEGINNING) -> tuple[np.ndarray, np.ndarray]:
        """Linear momentum K (3,), kg m/s, and angular momentum L (3,) about the world's origin, kg m²/s."""
        as_time(t)
        values = self._totals(q, u)
        return values[..., 2:5], values[..., 5:8]

    def _invert(self, q: Any, u: Any, ud: Any, t: float) -> None:
        """Efforts and reactions of a motion, on the desk."""
        if not self._desk.at_hand:
            self._open_desk()
        self._t[0] = t if t is BEGINNING else as_time(t)
        try:
            self._to_q[:], self._to_u[:], self._to_ud[:] = q, u, ud
        except NOT_ALIKE:
            self._q[:], self._u[:], self._ud[:] = self._coordinates(q), self._velocities(u), self._velocities(ud, "ud")
        if not self._inverse():
            raise self._fault(-1, self._q, self._u, self._ud)

    def _totals(self, q: Any, u: Any) -> np.ndarray:
        if are_many(q, u):
            return self._many.totals(q, u)
        self._lay(q=self._coordinates(q), u=self._velocities(u))
        self._energy()
        return self._finite(self._desk["totals"][0].copy(), q, u)

    def _lay(self, **values: Any) -> None:
        """Lay numbers on the desk, an empty one where it is another thread's or another engine's."""
        if not self._desk.at_hand:
            self._open_desk()
        for name, value in values.items():
            self._desk[name][...] = value

    def _finite(self, result: np.ndarray, *state: Any) -> np.ndarray:
        """A result, or the error that says which value of the state spoilt it."""
        if not np.isfinite(result).all():
            raise self._fault(-1, *(np.asarray(values, dtype=float) for values in state))
        return result

    def _coordinates(self, q: Any) -> np.ndarray:
        if type(q) is np.ndarray and q.dtype is FLOAT and q.shape == (self._nq,):
            return q
        return as_array(q, self.model.coordinate_names, "q")

    def _velocities(self, u: Any, what: str = "u") -> np.ndarray:
        if type(u) is np.ndarray and u.dtype is FLOAT and u.shape == (self._nv,):
            return u
        return as_array(u, self.model.velocity_names, what)

    def _fault(self, status: int, *state: np.ndarray) -> Exception:
        names = (self.model.coordinate_names, self.model.velocity_names, self.model.velocity_names)
        for values, labels, what in zip(state, names, ("q", "u", "effort or acceleration"), strict=False):
            for name, value in zip(labels, values, strict=True):
                if not np.isfinite(value):
                    return StateError(f"{what} of {name!r} is {value}", remedy="give finite numbers")
        if joint := joint_with_zero_quaternion(self.model, state[0]):
            return StateError("the quaternion is zero", where=f"joint {joint!r}", remedy="give x, y, z, w = 0, 0, 0, 1")
        if status < 0:
            return StateError(
                "the forces at this state are not finite", remedy="look for a force that has no value here"
            )
        return massless_joint_error(self.model, self._packed.order[status - 1], self.mass_matrix(state[0]))


def _writer(row: Any) -> Any:
    """What takes as many floats as a row holds, and refuses everything else."""
    return memoryview(row).cast("B").cast("d")


def _held(model: Model, packed: Packed) -> ConstrainedSystem | None:
    """The constraints of a model; None of a tree."""
    if not model.constraints:
        return None
    from .constraint_routes import ConstrainedSystem

    return ConstrainedSystem(model, packed)

"""What a person asks of a motion: states at any time, signals and their extrema, files, tables, and how it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ...errors import MissingError, StateError, shorten
from ...model.guesses import answer_arguments, answer_attribute

if TYPE_CHECKING:
    import os

    from .extrema import Extremum
    from .motion import Motion
    from .release import ReleaseFrames
    from .signal_spectrum import Spectrum
    from .wrenches import BearingFrames

__all__ = ["Asking", "Frame"]


class Frame(NamedTuple):
    """One frame of a motion: time, coordinates, velocities."""

    t: float
    q: np.ndarray
    u: np.ndarray


class Asking:
    """Questions that a `Motion` answers."""

    def __call__(self, t: Any) -> tuple[np.ndarray, np.ndarray]:
        """q and u at any time of the motion, s, or at an array of times: (…, nq), (…, nv), rad or m, rad/s or m/s.

        By the polynomials of the steps, not by the frames; on the constraints, quaternions of unit length. A motion
        with frames at these times is the same within rounding, but under ``method="rk4"``, whose steps follow the
        frames: it differs by as much as RK4 errs, as a shorter ``step`` shows.

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=2, rate=5)
        >>> q, u = motion(0.123)
        >>> q.shape, motion([0.1, 0.2, 0.3])[1].shape
        ((1,), (3, 1))
        """
        from .dense_output import as_times

        times = as_times(self._motion, t)
        if not times.size:
            model = self._motion.model
            return np.zeros((*times.shape, model.nq)), np.zeros((*times.shape, model.nv))
        flat, back = np.unique(times, return_inverse=True)
        found = self.at(flat)
        shape = times.shape
        q, u = found.q[back.ravel()], found.u[back.ravel()]
        return q.reshape(*shape, q.shape[1]), u.reshape(*shape, u.shape[1])

    if not TYPE_CHECKING:  # types know the attributes that there are

        def __getattr__(self, name):
            """Only for names that there are not."""
            return answer_attribute(self, "motion", name)

    @property
    def _motion(self) -> Motion:
        return cast("Motion", self)

    def at(self, times: Any) -> Motion:
        """The motion with frames at other times, s, inside it, in rising order.

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=2)
        >>> motion.at([0.25, 0.5]).reactions("rod 1").shape
        (2, 6)
        """
        from .dense_output import as_times
        from .joined import resampled_pieces

        found = np.atleast_1d(as_times(self._motion, times))
        if found.ndim != 1 or not len(found) or (np.diff(found) <= 0).any():
            raise StateError(f"times = {shorten(times)}", remedy="give a list of seconds in rising order")
        return resampled_pieces(self._motion, found)

    def __getitem__(self, which: Any) -> Any:
        """A slice ``motion[a:b]`` is a motion: of frames where a and b are whole numbers, of seconds where floats.

        In seconds it has the frames from a on and ends at b itself, between two frames too: ``motion[:t].then(…)``.
        A number gives that frame: ``.t`` (s), ``.q`` (nq,), ``.u`` (nv,).

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=2)
        >>> len(motion[:30]), motion[1.0:].t[0].item(), round(motion[-1].t, 6)
        (30, 1.0, 2.0)
        """
        motion = self._motion
        if not isinstance(which, slice):
            try:
                k = range(len(motion))[which]
            except IndexError:
                raise IndexError(f"frame {which} of a motion of {len(motion)} frames") from None
            except TypeError:
                raise StateError(
                    f"frame {shorten(which)}", remedy="give a frame's number, a slice, or motion(t) for a time"
                ) from None
            return Frame(float(motion.t[k]), motion.q[k].copy(), motion.u[k].copy())
        from .joined import sliced

        return sliced(motion, which)

    def __iter__(self) -> Iterator[Frame]:
        """Frame by frame: t, q, u."""
        return (self[k] for k in range(len(self._motion)))

    @answer_arguments
    def signal(self, signal: Any) -> np.ndarray:
        """A signal in every frame: numbers (frames,), or vectors (frames, 3).

        ``signal``: an expression of t, q[rod], u[rod], ud[rod] and x[rod], vx[rod], force[rod] …, or a pair
        (quantity, joint or body): ("force", "rod"), ("moment", "rod", pole, axes), ("effort", …), ("drive", …),
        ("position", "rod", at), ("velocity", …), ("acceleration", …), ("angular velocity", …); in N, N m, m, m/s,
        m/s², rad/s. ("bearing", "shaft", at, other), in text "bearing[shaft, at, other]": the force of the bearing at
        O + at n, beside another at O + other n. An `UndersampledWarning` tells where the frames miss its extrema.

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=2)
        >>> motion.signal("abs(q[rod 1]) + u[0]**2").shape, motion.signal(("force", "rod 1")).shape
        ((121,), (121, 3))
        """
        return self._read(signal)

    def _read(self, signal: Any) -> np.ndarray:
        """A signal in every frame, with a warning where they are too few."""
        from .extrema import warn_of_few_frames
        from .resolved_signal import frames_of_signal
        from .signals import read_signal

        motion = self._motion
        read = read_signal(motion.model, signal)
        values = frames_of_signal(motion, read)
        warn_of_few_frames(motion, read, values)
        return values

    @answer_arguments
    def maximum(self, signal: Any) -> Extremum:
        """The largest value of a `signal`, of a vector its length, between the frames too, whatever their rate.

        Fields: ``.value`` in the signal's unit, ``.time`` (s), ``.vector`` (3,) at that time where the signal is one,
        ``.note``, in words what a curve of the frames shows less. The value is as exact as the motion, ``rtol`` of
        `simulate`; ``.error`` estimates by how much it is off, in its unit, when it is asked for.

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[np.pi / 2], u=[0], duration=2, rate=10)
        >>> round(motion.maximum(("force", "rod 1")).value, 6)  # N: 2.5 m g where the rod hangs
        24.525
        """
        from .extrema import extremum_of

        return extremum_of(self._motion, signal, 1.0)

    @answer_arguments
    def minimum(self, signal: Any) -> Extremum:
        """The smallest value of a `signal`: ``.value .time .vector .note .error`` as of `maximum`, the time in s.

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=2, rate=7)
        >>> round(motion.minimum("q[rod 1]").value, 9)
        -1.0
        """
        from .extrema import extremum_of

        return extremum_of(self._motion, signal, -1.0)

    def crossings(self, signal: Any, value: float = 0.0, direction: int = 0) -> np.ndarray:
        """The times (n,), s, at which a `signal` passes a value: both ways, upwards (1) or downwards (−1).

        As exact as the motion, not as its frames: where digits matter compare with a smaller ``rtol`` of `simulate`.

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=2)
        >>> motion.crossings("q[rod 1]").round(5).tolist()
        [0.43665, 1.30995]
        """
        from .extrema import crossings_of

        return crossings_of(self._motion, signal, value, direction)

    @answer_arguments
    def period(self, signal: Any) -> float:
        """The time after which a `signal` returns, s: the mean over the motion, as exact as the motion is, see `rtol`.

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=8)
        >>> round(motion.period("q[rod 1]"), 6)
        1.746599
        """
        from .extrema import period_of

        return period_of(self._motion, signal)

    @answer_arguments
    def spectrum(self, signal: Any) -> Spectrum:
        """Amplitudes of a `signal` against frequency, its mean removed.

        Fields: ``.frequency`` (k,) Hz, ``.amplitude`` (k,) in the signal's unit, ``.phasor`` (k,) or (k, 3), complex:
        Re(phasor e^{2πi f t}) is the wave, t from the first frame; ``.mean``, what was removed, of a vector (3,);
        ``.resolution``, Hz, half the width of a peak; ``.peaks()``, the frequencies of the peaks above rounding, Hz,
        the highest first. A sine of amplitude A shows A, and a vector of length A that turns shows A. Refused where
        the frames are too few for the waves that there are.

        >>> motion = mb.simulate(mb.library.rotor(), duration=2, rate=400)
        >>> spectrum = motion.spectrum(("force", 0))
        >>> len(spectrum.frequency) == len(spectrum.amplitude)
        True
        """
        from .signal_spectrum import spectrum_of_signal

        return spectrum_of_signal(self._motion, signal)

    @answer_arguments
    def drive(self, joint: str | int) -> np.ndarray:
        """The effort that drives supply in a joint, N m or N: what a prescribed motion needs, ``tau``, efforts.

        (frames,) for a joint of one velocity, else (frames, k): in the frames. Its peak between them is
        ``motion.maximum("drive[crank]")``; an `UndersampledWarning` tells where the frames miss it.

        >>> crank = mb.Model([mb.Body("crank", mb.Revolute("z"), mass=1, inertia=(1, 1, 2))],
        ...                  constraints=[mb.Prescribed("crank", "t**2")])
        >>> mb.simulate(crank, duration=1).drive("crank")[-1].round(9).item()  # J α = 2·2
        4.0
        """
        return self._read(("drive", joint))

    def bearings(self, joint: str | int, a: Any, b: Any) -> BearingFrames:
        """Forces of two radial bearings at O + a n and O + b n on the body (frames, 3), world axes: ``.a .b .axial``.

        n is the axis of a revolute joint, a and b are in m along it; ``.axial`` (frames,) is what an axial bearing has
        along it; all in N. As signals: ("bearing", joint, a, b) is ``.a``, ("bearing", joint, b, a) is ``.b``.

        >>> motion = mb.simulate(mb.library.rotor(), duration=1)
        >>> found = motion.bearings(0, -0.1, 0.1)
        >>> bool(np.allclose((found.a + found.b)[:, :2], motion.reactions(0)[:, :2]))
        True
        """
        from .wrenches import bearing_forces

        return bearing_forces(self._motion, joint, a, b)

    def release(self, joint: str | int) -> ReleaseFrames:
        """The freed system of a joint in every frame (Do Sanh): ``.A .G .Q`` and the reactions that close it.

        Fields: ``.A`` (frames, nv + 6, nv + 6), ``.G``, ``.Q`` (frames, nv + 6), whose last six rows are force (N) and
        moment (N m) at O_k, world axes; ``.ud`` (frames, nv), ``.point`` O_k (frames, 3), m, ``.slides``, ``.turns``
        (frames, k, 3), ``.held`` (frames, 6), ``.reactions`` (frames, 6).

        >>> motion = mb.simulate(mb.library.pendulum(1), duration=1)
        >>> motion.release("rod 1").A.shape
        (61, 7, 7)
        """
        from .release import release_of

        return release_of(self._motion, joint)

    def then(self, model: Any = None, **options: Any) -> Motion:
        """What follows: the motion from the last state on, its time going on, of another model if one is given.

        ``options`` are those of `simulate`, ``duration`` in s; ``tau`` stays what it was while the model does. Joints
        that both models have hand over their state. `mb.join` makes one motion of the two.

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=1)
        >>> more = motion.then(duration=2)
        >>> more.t[0].item(), more.t[-1].item(), bool(more.q[0] == motion.q[-1])
        (1.0, 3.0, True)
        """
        from .joined import continued

        return continued(self._motion, model, options)

    def to_dataframe(self) -> Any:
        """The table as a `pandas.DataFrame`, indexed by t, in s, rad, m and J; needs pandas.

        >>> mb.simulate(mb.library.pendulum(1), duration=1).to_dataframe().shape  # doctest: +SKIP
        (61, 4)
        """
        pandas = _other("pandas", "to_dataframe")
        columns = self._motion.table().to_dict()
        return pandas.DataFrame(columns).set_index("t")

    def to_xarray(self) -> Any:
        """q, u, ud (rad, m, s) and the energies (J) as an `xarray.Dataset` over t (s); needs xarray.

        >>> mb.simulate(mb.library.pendulum(1), duration=1).to_xarray().sizes["t"]  # doctest: +SKIP
        61
        """
        xarray, motion = _other("xarray", "to_xarray"), self._motion
        model, energy = motion.model, motion.energy
        return xarray.Dataset(
            {
                "q": (("t", "coordinate"), motion.q),
                "u": (("t", "velocity"), motion.u),
                "ud": (("t", "velocity"), motion.ud),
                "kinetic": ("t", energy.kinetic, {"units": "J"}),
                "potential": ("t", energy.potential, {"units": "J"}),
            },
            coords={
                "t": ("t", motion.t, {"units": "s"}),
                "coordinate": list(model.coordinate_names),
                "velocity": list(model.velocity_names),
            },
            attrs={"model": model.name, "outcome": motion.outcome.message},
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the motion, its model and its steps to a file of NumPy's, .npz; `mb.load_motion` reads it.

        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "motion.npz"
        ...     mb.simulate(mb.library.pendulum(1), duration=1).save(path)
        ...     len(mb.load_motion(path))
        61
        """
        from .motion_file import save_motion

        save_motion(self._motion, path)

    def plot(self, *signals: Any, axes: Any = None) -> Any:
        """Signals over time (s), drawn by matplotlib; without any, the coordinates. Returns the figure.

        >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], duration=2)
        >>> len(motion.plot("q[rod 1]", ("force", "rod 1")).axes)
        2
        """
        # drawing is of a layer above: mechanics has no display, and finds it when it is asked for a picture
        draw = import_module(".export.curves", __package__.partition(".")[0]).draw_signals
        return draw(self._motion, signals, axes)


def _other(name: str, what: str) -> Any:
    """A package that only this piece of work needs."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingError(f"{what} needs {name}", remedy=f"pip install {name}") from None

"""Motions as files: NumPy's .npz of plain numbers and texts, read with limits and never as objects.

The model is its JSON; numbers are those of the motion to the last bit, its steps among them, so that a motion that was
read answers between its frames as it did.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import CompatibilityError, FileError, MbwidgetsError, StateError, shorten
from ...files.text import as_path
from ...files.whole import replacing_file
from ...model.forces import Effort
from ...model.model import Model
from ..base.outcome import Outcome, Result
from ..kernels import memory_layout as layout
from ..packing.pack import pack_model
from ..packing.pack_efforts import effort_frames
from ..states.constraint_system import Assembly, set_nearest_curve_parameters
from .dense_output import DEGREE, LOST, DenseOutput, Source
from .joined import Joined
from .motion import EventFound, Motion

if TYPE_CHECKING:
    import os

__all__ = ["read_motion", "save_motion"]

FORMAT: Final = "mbwidgets motion"
VERSION: Final = 1
MOST_BYTES: Final = 1 << 30
"""Of all arrays of a file together, unpacked."""
MOST_ARRAYS: Final = 64
TABLES: Final = {"t": 1, "q": 2, "u": 2, "work": 1, "event_times": 1, "event_q": 2, "event_u": 2}
"""The arrays that every file has, and how many indices they have."""
STEPS: Final = {"step_begins": 1, "step_sizes": 1, "step_base": 2, "step_coefficients": 3}
BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    EOFError,
    ArithmeticError,
    RuntimeError,
    MemoryError,
)
"""What the readers of zip, .npy and JSON raise of a damaged file."""
OPTIONAL: Final = {"efforts": 2, **STEPS}


def save_motion(motion: Motion, path: str | os.PathLike[str]) -> None:
    """Write a motion."""
    if isinstance(motion, Joined):
        raise StateError("several motions joined are no file", where="save", remedy="save each of motion.pieces")
    source, nq, nv = motion.source, motion.model.nq, motion.model.nv
    output = None if source is None else source.output
    arrays: dict[str, Any] = {
        "t": motion.t,
        "q": motion.q,
        "u": motion.u,
        "work": motion.work,
        "event_times": np.array([event.time for event in motion.events]),
        "event_q": np.array([event.q for event in motion.events]).reshape(len(motion.events), nq),
        "event_u": np.array([event.u for event in motion.events]).reshape(len(motion.events), nv),
    }
    if motion.efforts is not None:
        arrays["efforts"] = motion.efforts
    if output is not None:
        found = output.begins, output.sizes, output.base, output.coefficients
        arrays |= dict(zip(STEPS, found, strict=True))
    head = {
        "format": FORMAT,
        "version": VERSION,
        "model": motion.model.to_dict(),
        "outcome": [motion.outcome.result.name, motion.outcome.time, motion.outcome.details],
        "method": motion.method,
        "engine": motion.engine,
        "evaluations": motion.evaluations,
        "events": [event.event for event in motion.events],
        "begin": 0.0 if source is None else source.begin,
        "project": source is not None and source.project,
        "drives": [effort.to_dict() for effort in _drives(source)],
        "functions": _has_functions(source),
        "assembly": None if motion.assembly is None else _assembly_to_list(motion.assembly),
    }
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    with replacing_file(path) as place, open(place, "xb") as stream:
        np.savez_compressed(stream, head=text, **arrays)


def _drives(source: Source | None) -> tuple[Effort, ...]:
    """The expressions of ``tau``."""
    efforts = None if source is None else source.efforts
    return tuple(efforts.args[1]) if isinstance(efforts, partial) and efforts.func is effort_frames else ()


def _has_functions(source: Source | None) -> bool:
    """Whether ``tau`` holds what no file keeps, Python functions and controllers."""
    return source is not None and source.efforts is not None and not _drives(source)


def _assembly_to_list(assembly: Assembly) -> list[Any]:
    return [assembly.equations, assembly.rank, list(assembly.moved)]


def read_motion(path: str | os.PathLike[str], simulate: Any) -> Motion:
    """Read a motion; see `load_motion`."""
    where = as_path(path)
    try:
        with open(where, "rb") as stream:
            head, arrays = _contents(where, stream)
        return _motion_of(head, arrays, simulate)
    except OSError as error:
        raise FileError(
            str(error.strerror or error), where=str(where), remedy="check the path and its rights"
        ) from None
    except FileError:
        raise
    except MbwidgetsError as error:
        raise FileError(str(error), where=str(where), remedy="save the motion anew") from None
    except BROKEN as error:
        raise _broken(where, shorten(str(error))) from None


def _broken(where: Path, why: str) -> FileError:
    return FileError(
        f"it is no motion that can be read: {why}", where=str(where), remedy="save it anew: motion.save(…)"
    )


def _contents(where: Path, stream: Any) -> tuple[Mapping[str, Any], dict[str, np.ndarray]]:
    """The head and the arrays of a file, within the limits; nothing is unpacked before its size is known."""
    with zipfile.ZipFile(stream) as archive:
        members = archive.infolist()
        size = sum(member.file_size for member in members)
        if len(members) > MOST_ARRAYS or size > MOST_BYTES:
            raise FileError(
                f"{len(members)} arrays of {size / 2**20:.0f} MB",
                where=str(where),
                remedy=f"give a file of at most {MOST_ARRAYS} arrays and {MOST_BYTES >> 20} MB",
            )
        known = {"head.npy", *(f"{name}.npy" for name in (*TABLES, *OPTIONAL))}
        if others := {member.filename for member in members} - known:
            raise _broken(where, f"it holds {shorten(sorted(others)[0])}")
        texts = {member.filename: _read(archive, member) for member in members}
    if "head.npy" not in texts:
        raise _broken(where, "it has no head")
    head = json.loads(texts.pop("head.npy").astype(np.uint8).tobytes().decode())
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise _broken(where, "it is a file of another kind")
    if type(head.get("version")) is not int or head["version"] > VERSION:
        raise CompatibilityError(
            f"the motion is of version {shorten(head.get('version'))}, this mbwidgets reads up to {VERSION}",
            where=str(where),
            remedy="upgrade mbwidgets",
        )
    arrays = {name[:-4]: value for name, value in texts.items()}
    for name, indices in {**TABLES, **OPTIONAL}.items():
        if name in arrays and (arrays[name].ndim != indices or arrays[name].dtype != np.float64):
            raise _broken(where, f"{name} is no table of numbers")
    return head, arrays


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    """One array, whose own header may not promise more than its member holds."""
    with archive.open(member) as stream:
        version = np.lib.format.read_magic(stream)
        reader = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
        shape, _, dtype = reader(stream)
        if dtype.hasobject or int(np.prod(shape, dtype=object)) * dtype.itemsize > member.file_size:
            raise ValueError(f"{member.filename} holds no plain numbers")
    with archive.open(member) as stream:
        return np.asarray(np.lib.format.read_array(stream, allow_pickle=False))


def _motion_of(head: Mapping[str, Any], arrays: Mapping[str, np.ndarray], simulate: Any) -> Motion:
    model = Model.from_dict(head["model"])
    _check_shapes(model, arrays, len(head["events"]))
    packed = pack_model(model)
    assembly = None
    if head["assembly"] is not None:
        equations, rank, moved = head["assembly"]
        assembly = Assembly(arrays["q"][0], arrays["u"][0], int(equations), int(rank), tuple(map(str, moved)))
        packed.model[layout.RANK] = assembly.rank
        packed.model[layout.PROJECTED] = float(bool(head["project"]))
        set_nearest_curve_parameters(packed, arrays["q"][0])
    drives = [Effort.from_dict({key: value for key, value in item.items() if key != "type"}) for item in head["drives"]]
    output = DenseOutput(*(arrays[name] for name in STEPS)) if all(name in arrays for name in STEPS) else None
    efforts = partial(effort_frames, model, drives) if drives else None
    tau: Any = _efforts_as_tau(model, drives) if drives else None
    if head.get("functions") is True:
        tau = LOST
    result, time, details = head["outcome"]
    return Motion(
        model,
        arrays["t"],
        np.ascontiguousarray(arrays["q"]),
        np.ascontiguousarray(arrays["u"]),
        arrays["work"],
        Outcome(Result[result], float(time), str(details)),
        str(head["method"]),
        int(head["evaluations"]),
        tuple(
            EventFound(int(number), float(t), q, u)
            for number, t, q, u in zip(
                head["events"], arrays["event_times"], arrays["event_q"], arrays["event_u"], strict=True
            )
        ),
        packed=packed,
        engine=str(head["engine"]),
        efforts=arrays.get("efforts"),
        assembly=assembly,
        source=Source(partial(_same, output), simulate, efforts, float(head["begin"]), bool(head["project"]), tau),
    )


def _same(output: DenseOutput | None) -> DenseOutput | None:
    return output


def _efforts_as_tau(model: Model, drives: list[Effort]) -> dict[str, list[Any]]:
    """``tau`` of `simulate` that gives these efforts."""
    tau: dict[str, list[Any]] = {}
    for drive in drives:
        body = model.body(drive.joint)
        tau.setdefault(body.name, [0] * body.joint.nv)[int(drive.coordinate)] = drive.value
    return tau


def _check_shapes(model: Model, arrays: Mapping[str, np.ndarray], events: int) -> None:
    """Refuse tables that do not belong together, or times that do not rise."""
    frames, nq, nv = len(arrays["t"]), model.nq, model.nv
    wanted = {
        "q": (frames, nq),
        "u": (frames, nv),
        "work": (frames,),
        "efforts": (frames, nv),
        "event_times": (events,),
        "event_q": (events, nq),
        "event_u": (events, nv),
    }
    if "step_begins" in arrays:
        steps = len(arrays["step_begins"])
        wanted |= {
            "step_sizes": (steps,),
            "step_base": (steps, nq + nv + 1),
            "step_coefficients": (steps, DEGREE, nq + nv + 1),
        }
    for name, shape in wanted.items():
        if name in arrays and arrays[name].shape != shape:
            raise ValueError(f"{name} has shape {arrays[name].shape} instead of {shape}")
    if not frames or not np.isfinite(arrays["t"]).all() or (np.diff(arrays["t"]) <= 0).any():
        raise ValueError("its times do not rise")
    if "step_begins" in arrays and not (np.isfinite(arrays["step_begins"]).all() and (arrays["step_sizes"] > 0).all()):
        raise ValueError("its steps have no size")

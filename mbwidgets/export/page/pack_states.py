"""States of widgets as bytes for a page: JSON, then binary values; numbers over time are kept to 24 bits.

A page's data are chunks, each compressed alone and unpacked when it is wanted. `page.js` reads what is written here.
"""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from .pack_shapes import pack_array

__all__ = ["FRAMES", "Chunks", "pack_states", "thin_frames"]

BITS: Final = 24
"""Of a number over time: a step is 6·10⁻⁸ of the range of its column, that of a float32 at its largest."""
RATE: Final = 30.0
"""Frames in a second that are kept; the page interpolates between them."""
SOLVED_RATE: Final = 8.0
"""Those of a page that solves its motion at once, at its full rate: they are seen for a moment."""
LEAST: Final = 10.0
"""Seconds that a motion counts for if it is shorter, where it has so many frames: its curves are smooth."""
TURN: Final = 2 * np.pi / 12
"""Angle between two of them, at most, for half of the motion: what turns fast all the time keeps its shape. At a lower
rate a larger one, in proportion."""


ALPHABET: Final = np.frombuffer(
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~", dtype=np.uint8
)
"""Five of these 85 letters hold four bytes, where six of base64 do; none of them ends a script."""


class Chunks:
    """Compressed pieces in one text of base85; each begins at a multiple of four bytes, so that it decodes alone."""

    def __init__(self) -> None:
        self.table: list[tuple[int, int]] = []
        """Start and length of each, bytes."""
        self._parts: list[bytes] = []
        self._end = 0

    def add(self, content: bytes) -> int:
        """Compress and keep a piece; returns its number."""
        return self.add_packed(gzip.compress(content, 9, mtime=0))

    def add_packed(self, content: bytes) -> int:
        """Keep a piece that is compressed already."""
        self.table.append((self._end, len(content)))
        self._parts.append(content + bytes(-len(content) % 4))
        self._end += len(self._parts[-1])
        return len(self.table) - 1

    def text(self) -> str:
        """All of it: of each four bytes, the first of which counts most, five digits."""
        words = np.frombuffer(b"".join(self._parts), dtype=">u4").astype(np.int64)
        digits = [words // 85**power % 85 for power in (4, 3, 2, 1, 0)]
        return ALPHABET[np.stack(digits, axis=1)].tobytes().decode("ascii")


def pack_states(states: Mapping[str, Mapping[str, Any]]) -> bytes:
    """States {id: {name: value}} as the length of the JSON, the JSON, and the binary values."""
    buffers: list[Any] = []
    binary = bytearray()
    plain: dict[str, Any] = {}
    for identity, state in states.items():
        rows = state.get(FRAMES, 0)
        plain[identity] = _without_bytes(
            {name: value for name, value in state.items() if name != FRAMES}, identity, (), rows, buffers, binary
        )
    text = json.dumps({"states": plain, "buffers": buffers}, separators=(",", ":"), allow_nan=False).encode()
    return struct.pack("<I", len(text)) + text + bytes(binary)


FRAMES: Final = "\0frames"
"""Under this name a state tells how many frames its binary values have."""


def thin_frames(
    state: Mapping[str, Any], player: Mapping[str, Any] | None = None, rate: float = RATE
) -> dict[str, Any]:
    """A state whose numbers over time have about ``rate`` frames a second, or more if it is short or a body turns fast.

    They are known by their company: a widget with float32 ``times``, or one that follows a player with such times,
    has a whole number of float32 a frame in its other binary values.
    """
    out, player = dict(state), player or {}
    times = state.get("times", player.get("times"))
    if not isinstance(times, bytes | memoryview) or len(times) < 8:
        return out
    poses = player.get("poses") if times == player.get("times") else state.get("poses")
    clock = np.frombuffer(times, dtype="<f4")
    kept = _kept(clock, poses, rate)
    for name, value in state.items():
        if isinstance(value, bytes | memoryview) and len(value) and len(value) % (4 * len(clock)) == 0:
            table = np.frombuffer(value, dtype="<f4").reshape(len(clock), -1)
            out[name] = np.ascontiguousarray(table[kept]).tobytes()
    out[FRAMES] = len(kept)
    return out


def _kept(clock: np.ndarray, poses: Any, rate: float) -> np.ndarray:
    """Which frames are kept: evenly, the first and the last among them."""
    last = len(clock) - 1
    pace = float(clock[-1] - clock[0]) / last
    stride = max(1, min(round(1 / (rate * pace)), last // round(LEAST * rate))) if pace > 0 else 1
    if poses:
        turns = np.frombuffer(poses, dtype="<f4").reshape(last + 1, -1, 7)[:, :, 3:]
        cosines = np.abs(np.einsum("fbi,fbi->fb", turns[1:], turns[:-1]))
        fastest = np.nanmin(cosines, axis=1, initial=1.0)
        wide = 2 * float(np.arccos(np.clip(np.median(fastest), 0.0, 1.0)))
        stride = max(1, min(stride, int(TURN * RATE / rate / max(wide, 1e-3))))
    return np.rint(np.linspace(0, last, -(-last // stride) + 1)).astype(int)


ARRAY: Final = {"shape", "dtype", "buffer"}
"""What an array of numbers is made of."""


def _without_bytes(value: Any, identity: str, path: tuple[Any, ...], rows: int, buffers: Any, binary: bytearray) -> Any:
    """A value for JSON; what is binary goes to ``binary``, and its place to ``buffers``."""
    if isinstance(value, bytes | bytearray | memoryview):
        content = bytes(value)
        columns = 0
        if rows and path != ("times",) and len(content) and len(content) % (4 * rows) == 0:
            short = _quantised(np.frombuffer(content, dtype="<f4").reshape(rows, -1))
            if short is not None:
                columns = len(content) // (4 * rows)
                content = short
        buffers.append([identity, list(path), len(binary), len(content), rows if columns else 0, columns])
        binary += content
        return None
    if isinstance(value, Mapping) and path and value.keys() == ARRAY:
        packed = pack_array(value["dtype"], value["shape"], bytes(value["buffer"]))
        if packed is not None:
            rows = value["shape"][0]
            buffers.append([identity, [*path, "buffer"], len(binary), len(packed), rows, 0])
            binary += packed
            return {**value, "buffer": None}
    if isinstance(value, Mapping):
        return {
            k: _without_bytes(v, identity, (*path, k), 0, buffers, binary)
            if path
            else _without_bytes(v, identity, (k,), rows, buffers, binary)
            for k, v in value.items()
        }
    if isinstance(value, list | tuple):
        return [_without_bytes(item, identity, (*path, k), 0, buffers, binary) for k, item in enumerate(value)]
    return _finite(value)


def _finite(value: Any) -> Any:
    """JSON has no NaN; a page reads null."""
    return None if isinstance(value, float) and not np.isfinite(value) else value


def _quantised(table: np.ndarray) -> bytes | None:
    """Columns as lowest value, step and second differences in planes of bytes.

    A column without any finite number stays one; None where a column has both kinds, or a range so small that its step
    is no normal float32.
    """
    finite = np.isfinite(table)
    if (finite.any(axis=0) != finite.all(axis=0)).any():
        return None
    low = np.where(finite[0], table.min(axis=0), np.nan).astype("<f4")
    known = np.where(finite, table, 0.0).astype(float)
    base = np.where(finite[0], low, 0.0)
    span = np.ptp(known, axis=0)
    step = (span / (2**BITS - 1)).astype("<f4")
    if ((step < np.finfo(np.float32).tiny) & (span > 0)).any():
        return None
    whole = np.where(step > 0, np.rint((known - base) / np.where(step > 0, step, 1)), 0).astype(np.int64)
    slope = np.diff(whole, axis=0, prepend=0)
    bend = np.diff(slope, axis=0, prepend=0)
    zigzag = ((bend << 1) ^ (bend >> 63)).T.astype("<u4").ravel()
    planes = [((zigzag >> shift) & 255).astype(np.uint8).tobytes() for shift in (0, 8, 16, 24)]
    return b"".join([low.tobytes(), step.tobytes(), *planes])

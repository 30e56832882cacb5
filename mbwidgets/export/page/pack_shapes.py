"""Arrays of shapes as bytes that compress well: what an eye can tell of places and normals, and triangles step by step.

`unpack.js` reads what is written here.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = ["pack_array"]

PLACE_BITS: Final = 16
"""Of a coordinate: a step is 1.5·10⁻⁵ of the extent of its mesh, less than a tenth of a pixel of any screen."""
NORMAL_BITS: Final = 12
"""Of a component of a normal: a step is 0.03°."""
UNIT: Final = 1e-3
"""By how much a normal's length may differ from 1, or from 0 where there is no vertex."""
PLANES: Final = {"float32": 3, "uint32": 4}
"""Bytes of a difference of two neighbours, of which the first ones are mostly zero."""


def pack_array(dtype: str, shape: tuple[int, ...], content: bytes) -> bytes | None:
    """The array's columns as lowest value and step, where it has floats, and differences from row to row in planes.

    None where it is better kept as it is.
    """
    if dtype not in PLANES or not content:
        return None
    rows = np.frombuffer(content, dtype=np.dtype(dtype).newbyteorder("<")).reshape(shape[0], -1)
    if dtype == "uint32":
        return _planes(rows.astype(np.int64), PLANES[dtype])
    if len(shape) != 2 or not np.isfinite(rows).all():
        return None
    low, span = rows.min(axis=0), np.ptp(rows.astype(float), axis=0)
    step = (span / (2 ** (NORMAL_BITS if _are_normals(rows) else PLACE_BITS) - 1)).astype("<f4")
    if ((step < np.finfo(np.float32).tiny) & (span > 0)).any():
        return None
    whole = np.rint((rows.astype(float) - low) / np.where(step > 0, step, 1)).astype(np.int64)
    return bytes(low.astype("<f4").tobytes() + step.tobytes() + _planes(whole, PLANES[dtype]))


def _are_normals(rows: np.ndarray) -> bool:
    lengths = np.linalg.norm(rows, axis=1)
    return rows.shape[1] == 3 and bool((np.minimum(abs(lengths - 1), lengths) < UNIT).all())


def _planes(whole: np.ndarray, count: int) -> bytes:
    """Differences from row to row, column by column: their signs in the last bit, their lowest bytes first."""
    slope: Any = np.diff(whole, axis=0, prepend=0)
    zigzag = ((slope << 1) ^ (slope >> 63)).T.ravel()
    return b"".join(((zigzag >> (8 * k)) & 255).astype(np.uint8).tobytes() for k in range(count))

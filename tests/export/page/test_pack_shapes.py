"""Shapes survive the page's packing as far as an eye can tell, and their triangles exactly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import mbwidgets as mb
from mbwidgets.export.page.pack_shapes import NORMAL_BITS, PLACE_BITS, pack_array


def unpack(content: bytes, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """What `unpack.js` does, in plain Python."""
    rows, columns = shape[0], shape[1] if len(shape) > 1 else 1
    head = 8 * columns if dtype == "float32" else 0
    planes = np.frombuffer(content, np.uint8, offset=head).reshape(-1, columns, rows).astype(np.int64)
    zigzag = sum(plane << (8 * k) for k, plane in enumerate(planes))
    whole = ((zigzag >> 1) ^ -(zigzag & 1)).cumsum(axis=1)
    if dtype == "uint32":
        return whole[0].astype(np.uint32)
    low, step = np.frombuffer(content, "<f4", 2 * columns).reshape(2, columns)
    return (low[:, None] + whole * step[:, None].astype(float)).T


@given(hnp.arrays(np.uint32, st.integers(1, 40), elements=st.integers(0, 2**20)))
def test_triangles_come_back_exactly(faces: np.ndarray) -> None:
    packed = pack_array("uint32", faces.shape, faces.tobytes())
    assert packed is not None
    assert (unpack(packed, "uint32", faces.shape) == faces).all()


def test_places_and_normals_come_back_within_their_steps(rng: np.random.Generator) -> None:
    places = rng.normal(size=(500, 3)).astype(np.float32)
    normals = (places / np.linalg.norm(places, axis=1, keepdims=True)).astype(np.float32)
    for given_rows, bits in ((3 * places, PLACE_BITS), (normals, NORMAL_BITS)):
        packed = pack_array("float32", given_rows.shape, given_rows.tobytes())
        assert packed is not None
        found = unpack(packed, "float32", given_rows.shape)
        step = np.ptp(given_rows, axis=0) / (2**bits - 1)
        assert (abs(found - given_rows) <= 0.51 * step).all()  # half a step, and the rounding of float32


def test_what_is_not_finite_or_no_table_is_kept_as_it_is() -> None:
    lost = np.array([[np.nan, 0, 0], [1, 2, 3]], dtype=np.float32)
    assert pack_array("float32", lost.shape, lost.tobytes()) is None
    assert pack_array("float64", (1,), bytes(8)) is None
    assert pack_array("float32", (0, 3), b"") is None


@pytest.mark.parametrize("name", ["walking_figure", "six_axis_arm"])
def test_pages_of_large_models_have_at_most_two_megabytes(name: str, tmp_path: Path) -> None:
    view = mb.Explorer(getattr(mb.library, name)())
    assert view.to_html(tmp_path / "page.html").stat().st_size <= 2e6
    view.close()

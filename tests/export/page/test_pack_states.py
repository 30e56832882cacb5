"""Numbers over time survive the page's packing to 24 bits of their range, and everything else exactly."""

from __future__ import annotations

import base64
import gzip
import json
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mbwidgets.export.page.pack_states import BITS, FRAMES, RATE, Chunks, pack_states, thin_frames


def unpack(content: bytes) -> dict[str, Any]:
    """What `page.js` does, in plain Python."""
    (length,) = struct.unpack_from("<I", content)
    found = json.loads(content[4 : 4 + length])
    for identity, path, start, size, rows, columns in found["buffers"]:
        raw = content[4 + length + start : 4 + length + start + size]
        value: Any = raw
        if rows:
            low = np.frombuffer(raw, "<f4", columns)
            step = np.frombuffer(raw, "<f4", columns, 4 * columns)
            planes = np.frombuffer(raw, np.uint8, offset=8 * columns).reshape(4, columns, rows).astype(np.int64)
            zigzag = planes[0] | planes[1] << 8 | planes[2] << 16 | planes[3] << 24
            whole = ((zigzag >> 1) ^ -(zigzag & 1)).cumsum(axis=1).cumsum(axis=1)
            value = (low[:, None] + whole * step[:, None].astype(float)).T
        place = found["states"][identity]
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
    return found["states"]


@given(
    hnp.arrays(
        np.float32,
        st.tuples(st.integers(1, 40), st.integers(1, 5)),
        elements=st.floats(-(2.0**30), 2.0**30, width=32),
    )
)
def test_numbers_over_time_come_back_within_a_step(table: np.ndarray) -> None:
    state = {"poses": table.tobytes(), FRAMES: len(table)}
    back = unpack(pack_states({"a": state}))["a"]["poses"]
    if isinstance(back, bytes):  # of a range whose step would be no number, nothing is left out
        assert back == table.tobytes()
        assert (np.ptp(table.astype(float), axis=0) < 2e-31).any()
        return
    span = table.max(axis=0).astype(float) - table.min(axis=0)
    # half a step, and the rounding of the lowest value's sum to float32
    allowed = 0.51 * span / (2**BITS - 1) + 1e-6 * np.abs(table).max(axis=0)
    assert (np.abs(back - table) <= allowed).all()


def test_what_is_not_over_time_or_not_finite_is_kept_as_it_is() -> None:
    table = np.array([[1.0, np.nan], [np.inf, 2.0]], dtype=np.float32)
    state = {"values": table.tobytes(), "array": {"buffer": b"\x00\x01\x02"}, "list": [b"x", float("nan")], FRAMES: 2}
    back = unpack(pack_states({"a": state}))["a"]
    assert back["values"] == table.tobytes()
    assert back["array"]["buffer"] == b"\x00\x01\x02"
    assert back["list"] == [b"x", None]


def test_a_motion_is_thinned_to_thirty_frames_a_second() -> None:
    times = np.linspace(0, 10, 601, dtype=np.float32)
    poses = turning(3.0, times)
    state = {"times": times.tobytes(), "poses": poses.tobytes(), "other": b"abc"}
    out = thin_frames(state)
    kept = np.frombuffer(out["times"], np.float32)
    assert len(kept) == 10 * RATE + 1 == out[FRAMES]
    assert (np.frombuffer(out["poses"], np.float32).reshape(-1, 7) == poses[::2]).all()
    assert out["other"] == b"abc"
    assert state["times"] == times.tobytes()


def turning(speed: float, times: np.ndarray) -> np.ndarray:
    """Poses (frames, 7) of a body that turns about z."""
    half = speed * times / 2
    zero = np.zeros_like(times)
    return np.stack([zero, zero, zero, zero, zero, np.sin(half), np.cos(half)], axis=1).astype(np.float32)


@pytest.mark.parametrize("frames", [6001, 6000])
def test_a_shaft_keeps_twelve_frames_a_turn_and_its_end(frames: int) -> None:
    times = np.linspace(0, 6, frames, dtype=np.float32)
    state = {"times": times.tobytes(), "poses": turning(100.0, times).tobytes()}
    kept = np.frombuffer(thin_frames(state)["times"], np.float32)
    assert (kept[0], kept[-1]) == (times[0], times[-1])
    assert 12 <= 2 * np.pi / 100 / np.diff(kept).max() < 16
    # readings of a page find their frame by their share of the whole
    places = kept / kept[-1] * (len(kept) - 1)
    assert np.abs(places - np.arange(len(kept))).max() < 0.5
    follower = {"player": "IPY_MODEL_x", "values": times.tobytes()}
    assert thin_frames(follower, state)["values"] == kept.tobytes()


def test_a_short_motion_keeps_its_frames_and_a_slow_one_three_hundred() -> None:
    for rate, frames in ((60, 37), (1000, 301)):
        times = np.linspace(0, 0.6, round(0.6 * rate) + 1, dtype=np.float32)
        out = thin_frames({"times": times.tobytes(), "poses": turning(3.0, times).tobytes()})
        assert out[FRAMES] == frames


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=6))
def test_each_chunk_can_be_decoded_alone(contents: list[bytes]) -> None:
    chunks = Chunks()
    for content in contents:
        chunks.add(content)
    text = chunks.text()
    for content, (start, length) in zip(contents, chunks.table, strict=True):
        assert start % 4 == 0
        first = start // 4 * 5
        part = base64.b85decode(text[first : first + 5 * -(-length // 4)].replace(",", "<"))[:length]
        assert gzip.decompress(part) == content

"""Hostile model files: each is a valid model or a typed error, soon, and nothing in it runs."""

from __future__ import annotations

import contextlib
import copy
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mbwidgets.errors import MbwidgetsError
from mbwidgets.files import dumps, loads, loads_urdf
from mbwidgets.model.model import Model
from tests.files.test_jsonfile import EVERYTHING
from tests.test_expressions import HOSTILE
from tests.watch import nothing_executes

STRINGS = [
    *HOSTILE,
    "../../etc/passwd",
    "file:///etc/passwd",
    "\u202egnp.exe",
    "a" * 100_000,
    "·before·",
    "base",
    "upper",
    "null",
    "q[0]",
    "t",
    "revolute",
    "composite",
]
VALUES = [
    None, True, False, 0, -1, 1, 10**30, -(10**300), 10**399, 1e308, -1e308, 5e-324, 1e-200, 0.1,
    [], {}, [[]],
    [None] * 3, [1, 2, 3], [1e308] * 3, [5e-324] * 3, [[1e308] * 3] * 3, [0, 0, 0, 0], ["m2"] * 3,
    "m2", "1/m2", {"type": "free"},
    {"type": "composite", "parts": [{"type": "sphere", "radius": 1e200}]},
    {"type": "composite", "parts": [{"type": "point", "mass": 0}]},
    {"type": "sphere", "radius": "m2", "density": "m2"},
    {"type": "planar", "axis": [1, 1, 1]}, {"type": "revolute", "limits": [1, 0]}, {"value": 1},
]  # fmt: skip


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside nested data."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Data with another value at a path; what is not on the path is shared."""
    if not path:
        return value
    result = copy.copy(data)
    result[path[0]] = changed(data[path[0]], path[1:], value)
    return result


def inside(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def some(paths: list[tuple[Any, ...]], rng: np.random.Generator) -> list[tuple[Any, ...]]:
    """A third of the paths, another third for another seed."""
    return [paths[i] for i in rng.choice(len(paths), size=len(paths) // 3, replace=False)]


def read(text: str | bytes) -> Model | None:
    """The model, or None for a typed error; anything else escapes."""
    begin = time.perf_counter()
    try:
        model = loads(text)
    except MbwidgetsError as error:
        assert len(str(error)) < 3000  # noqa: PT017
        model = None
    else:
        repr(model), model._repr_html_()
        assert loads(dumps(model)) == model
    assert time.perf_counter() - begin < 20.0
    return model


INSERTS = [b"[", b"{", b'"', b"9" * 50, b"e", b"-", b",", b":", b"null", b"\\u0000"]
VALID = json.loads(EVERYTHING)
PATHS = list(places(VALID))


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """Lazy imports happen here, not under the watch."""
    assert read(EVERYTHING) is not None
    read('{"bodies": [{"name": "a", "mass": "sqrt(-1.0)"}]}')
    read("{")


@pytest.mark.parametrize("value", STRINGS, ids=range(len(STRINGS)))
def test_a_hostile_string_in_any_place_is_read_as_text_or_refused(value: str, rng: np.random.Generator) -> None:
    with nothing_executes():
        for path in some(PATHS, rng):
            read(json.dumps(changed(VALID, path, value)))


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_a_wrong_value_in_any_place_is_valid_or_refused(value: Any, rng: np.random.Generator) -> None:
    with nothing_executes():
        for path in some(PATHS, rng):
            read(json.dumps(changed(VALID, path, value)))


@pytest.mark.parametrize("key", STRINGS, ids=range(len(STRINGS)))
def test_a_hostile_key_in_any_object_is_refused(key: str, rng: np.random.Generator) -> None:
    objects = [path for path in PATHS if isinstance(inside(VALID, path), dict)]
    with nothing_executes():
        for path in some(objects, rng):
            read(json.dumps(changed(VALID, path, {**inside(VALID, path), key: 1})))


def test_missing_parts_are_valid_or_refused() -> None:
    for path in PATHS[1:]:
        data = copy.deepcopy(VALID)
        del inside(data, path[:-1])[path[-1]]
        read(json.dumps(data))


def test_mutated_files_are_valid_or_refused(seed: int) -> None:
    source = random.Random(seed)
    text = EVERYTHING.encode()
    with nothing_executes():
        for _ in range(700):
            data = bytearray(text)
            for _ in range(source.randint(1, 4)):
                place, kind = source.randrange(len(data)), source.randrange(4)
                if kind == 0:
                    data[place] = source.randrange(256)
                elif kind == 1:
                    del data[place : place + source.randint(1, 30)]
                elif kind == 2:
                    data[place:place] = source.choice(INSERTS)
                else:
                    other = source.randrange(len(data))
                    data[place:place] = data[other : other + 40]
            read(bytes(data))


def test_spliced_structures_are_valid_or_refused(seed: int) -> None:
    source = random.Random(seed + 1)
    parts = [inside(VALID, path) for path in PATHS[1:]]
    with nothing_executes():
        for _ in range(700):
            data = VALID
            for _ in range(source.randint(1, 3)):
                paths = list(places(data))
                data = changed(data, source.choice(paths[1:]), copy.deepcopy(source.choice(parts + VALUES)))
            read(json.dumps(data))


JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=20),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=12), inner, max_size=4)),
    max_leaves=12,
)
SHAPED = st.fixed_dictionaries(
    {
        "bodies": st.lists(
            st.fixed_dictionaries({"name": st.text(max_size=8)}, optional={"mass": JSON, "joint": JSON}),
            max_size=3,
        )
    },
    optional=dict.fromkeys(
        ("gravity", "parameters", "forces", "constraints", "state", "name", "version", "format"), JSON
    ),
)


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=300)
@given(st.one_of(JSON, SHAPED))
def test_random_json_is_valid_or_refused(data: Any) -> None:
    read(json.dumps(data))


@given(st.one_of(st.text(), st.binary()))
def test_random_text_is_refused(data: str | bytes) -> None:
    read(data)


def test_a_file_full_of_the_dearest_expressions_ends_soon() -> None:
    dear = [
        "+".join(["m2"] * 660),
        "*".join(["m2**32"] * 280),
        "sin(" * 55 + "m2" + ")" * 55,
        "*".join(["(m2+1/3)"] * 220),
    ]
    forces = [{"type": "joint_damper", "joint": 0, "damping": dear[i % 4]} for i in range(600)]
    begin = time.perf_counter()
    with contextlib.suppress(MbwidgetsError):
        loads(json.dumps({**VALID, "forces": forces, "parameters": {"m2": "1/3"}}))
    assert time.perf_counter() - begin < 20.0


BOMB = '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)
)
ROBOT = '<robot name="r"><link name="a"/>{}</robot>'
URDFS = [
    BOMB + ']><robot name="&j;"><link name="a"/></robot>',
    '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"><link name="a"/></robot>',
    '<!DOCTYPE r SYSTEM "http://localhost:1/x.dtd"><robot name="r"><link name="a"/></robot>',
    '<?xml version="1.0" encoding="rot13"?><robot name="r"><link name="a"/></robot>',
    '<?xml version="1.0" encoding="utf-7"?><robot name="r"><link name="a"/></robot>',
    ROBOT.format("<x>" * 100_000 + "</x>" * 100_000),
    ROBOT.format("<link name=\"__import__('os')\"/>"),
    ROBOT.format('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>'),
    '<robot name="r"><link name="a"><inertial><mass value="__import__(\'os\')"/></inertial></link></robot>',
    '<robot name="r"><link name="a"><inertial><mass value="' + "9" * 100_000 + '"/></inertial></link></robot>',
    '<robot name="r"><link name="a"><visual><geometry><mesh filename="file:///etc/passwd"/></geometry></visual></link></robot>',
    "<robot" + "".join(f' a{i}="1"' for i in range(50_000)) + '><link name="a"/></robot>',
    "<robot>" + "".join(f'<link name="{i}"/>' for i in range(3000)) + "</robot>",
    "\x00",
    "<robot/>",
    "<html/>",
    "<",
    "",
    "\ud800",
]


@pytest.mark.parametrize("text", URDFS, ids=range(len(URDFS)))
def test_a_hostile_urdf_is_read_as_data_or_refused(text: str) -> None:
    loads_urdf('<robot name="r"><link name="a"/></robot>')
    begin = time.perf_counter()
    with nothing_executes():
        try:
            loads_urdf(text)
        except MbwidgetsError as error:
            assert len(str(error)) < 1000  # noqa: PT017
    assert time.perf_counter() - begin < 5.0

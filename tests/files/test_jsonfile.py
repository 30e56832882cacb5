"""JSON files: exact, deterministic, atomic; every failure typed, with the file's name, place and remedy."""

from __future__ import annotations

import json
import os
import stat
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import mbwidgets as mb
from mbwidgets.assignments.motions import read_table
from mbwidgets.errors import CompatibilityError, FileError, MbwidgetsError, ModelError
from mbwidgets.files import dumps, load, loads, loads_urdf, save, schema
from mbwidgets.files.published_schema import PUBLISHED, text
from mbwidgets.model.bodies import Body
from mbwidgets.model.joints import Revolute
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter

EVERYTHING = Path(__file__).with_name("everything.json").read_text(encoding="utf-8")


def arm() -> Model:
    return Model(
        [
            Body(
                "base",
                Revolute((1, 1, 0), at=(Fraction(1, 3), 0.1, 2)),
                mass=Parameter("m", 5),
                inertia=(1, 1, 1),
            )
        ],
        name="Маятник",
    )


def test_a_file_with_everything_that_the_format_has_is_read_and_round_trips() -> None:
    jsonschema.validate(json.loads(EVERYTHING), schema())
    model = loads(EVERYTHING)
    assert model.number(model.bodies[1].mass) == 10.0
    assert len(model.forces) == 9
    assert len(model.constraints) == 10
    assert loads(dumps(model)) == model


def test_the_published_schema_is_the_one_of_the_model() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == text(), (
        "run: from mbwidgets.files.published_schema import publish; publish()"
    )


def test_saving_and_loading_gives_the_same_model(tmp_path: Path) -> None:
    path = tmp_path / "arm.json"
    save(arm(), path)
    assert load(path) == arm()
    assert load(str(path)) == arm()
    first = path.read_bytes()
    save(load(path), path)
    assert path.read_bytes() == first
    assert "Маятник" in first.decode()


def test_numbers_keep_their_kind_and_their_last_digit() -> None:
    at = (Fraction(1, 3), 0.1 + 0.2, 10**200)
    again = loads(dumps(Model([Body("a", Revolute("x", at=at))]))).bodies[0].joint.at
    assert again == at
    assert list(map(type, again)) == [Fraction, float, int]


def test_vectors_stand_on_one_line() -> None:
    lines = dumps(arm()).splitlines()
    assert ' "gravity": [0, 0, -9.81],' in lines
    assert max(map(len, lines)) <= 140


def test_a_byte_order_mark_is_no_obstacle() -> None:
    assert loads(b"\xef\xbb\xbf" + dumps(arm()).encode()) == arm()


def test_a_failed_save_leaves_the_old_file_and_no_rubbish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "arm.json"
    save(arm(), path)
    before = path.read_bytes()

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(FileError, match="No space left on device"):
        save(arm().replace(name="other"), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["arm.json"]


def test_saving_keeps_links_and_rights(tmp_path: Path) -> None:
    path, link = tmp_path / "arm.json", tmp_path / "link.json"
    save(arm(), path)
    path.chmod(0o640)
    link.symlink_to(path)
    save(arm().replace(name="other"), link)
    assert link.is_symlink()
    assert load(path).name == "other"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (b"", FileError, r"m\.json: line 1, column 1: not JSON"),
        (b"{", FileError, r"line 1, column 2: not JSON"),
        (b'{"bodies": [}', FileError, "not JSON: Expecting value; correct it there"),
        (b"\xff\xfe", FileError, r"m\.json: byte 0 is not UTF-8; save the file in the encoding UTF-8"),
        (b'{"bodies": NaN}', FileError, "NaN is not a number of JSON"),
        (b'{"bodies": -Infinity}', FileError, "-Infinity is not a number"),
        (b'{"gravity": [1e999, 0, 0]}', FileError, "number '1e999' is not finite"),
        (b'{"name": "a", "name": "b"}', FileError, "the key 'name' stands twice in one object; keep one"),
        (b'{"gravity": [' + b"9" * 500 + b", 0, 0]}", FileError, "an integer of 500 digits"),
        (b"[" * 100_000, FileError, r"m\.json: line 1: nested deeper than 40 levels"),
        (b'{"a":' * 100_000, FileError, "nested deeper than 40 levels"),
        (b" " * 5_000_001, FileError, "larger than 5000000 bytes"),
        (b"[]", ModelError, r"m\.json: \[\] is not a model"),
        (b'{"bodies": [{"name": "a", "mass": -1}]}', ModelError, r"m\.json: body 'a': mass: -1 is negative"),
        (
            b'{"bodies": [{"name": "a", "mass": "m"}]}',
            MbwidgetsError,
            r"m\.json: parameter 'm' is not defined",
        ),
        (b'{"version": 3, "bodies": []}', CompatibilityError, r"m\.json: .*version 3.*upgrade mbwidgets"),
    ],
    ids=range(16),
)
def test_a_bad_file_is_a_typed_error_with_name_place_and_remedy(
    tmp_path: Path, content: bytes, kind: type[Exception], message: str
) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(content)
    with pytest.raises(kind, match=message):
        load(path)


@pytest.mark.parametrize(
    "name", ["missing.json", "folder.json", "pipe.json", "a.txt", "none", "a\x00b.json", "x" * 300 + ".json"]
)
def test_what_is_no_file_is_a_typed_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.json").mkdir()
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(FileError):
        load(f"{tmp_path}/{name}")
    if name != "missing.json":
        with pytest.raises(FileError):
            save(arm(), f"{tmp_path}/{name}" if "pipe" not in name else f"{tmp_path}/no/such/folder.json")


def test_brackets_inside_strings_do_not_count_as_nesting() -> None:
    model = arm().replace(name="[" * 100 + '\\"{' + "[" * 50)
    assert loads(dumps(model)) == model


@pytest.mark.parametrize("content", ['"' + '\\"' * 2_000_000, '"' * 2_000_000, "\\" * 2_000_000, "[]" * 2_000_000])
def test_the_scan_for_nesting_is_linear(content: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(FileError):
        loads(content)
    assert time.perf_counter() - begin < 20.0


@pytest.mark.parametrize("path", [3, None, b"arm.json", ["arm.json"]])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(FileError, match="is not a path"):
        load(path)
    with pytest.raises(FileError, match="is not a path"):
        save(loads(EVERYTHING), path)


def test_what_is_no_model_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is not a Model"):
        save({"bodies": []}, tmp_path / "x.json")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_text_with_a_byte_order_mark_is_read() -> None:
    model = mb.library.pendulum(1)
    assert loads("\ufeff" + dumps(model)) == model
    arm = (Path(__file__).parent / "arm.urdf").read_text(encoding="utf-8")
    assert loads_urdf("\ufeff" + arm).model == loads_urdf(arm).model
    key = mb.assignments.Scalar(name="q", answer="3/2")
    template = mb.assignments.Template("rotor", mb.library.rotor(), {"m": mb.assignments.Grid(5, 15, "0.5")})
    assert mb.assignments.Assignment("course", template, [key]).check("s1", "q", "\ufeff1.5").points == 1
    assert read_table("\ufeff0,1\n1,2\n").shape == (2, 2)

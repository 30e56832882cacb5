"""Values in the place of their only reader, and the size of what a page loads."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

import mbwidgets
from mbwidgets.numeric.engines.kernel import ENTRY_POINTS
from mbwidgets.numeric.engines.product import STATIC, read_product
from mbwidgets.numeric.engines.translate import ir
from mbwidgets.numeric.engines.translate.entries import PYTHON_ONLY, import_kernels, page_entry_points
from mbwidgets.numeric.engines.translate.tidy import tidied
from tests.numeric.engines.translated import VECTOR, Machines


def read_before_a_write(a):
    first = a[0]
    a[0] = 7.0
    return first + a[0]


def first_above(a):
    k = 0
    while True:
        if a[k] > 1.0:
            return 2.0 * a[k]
        k += 1


def kept_over_a_jump(a):
    return first_above(a) + 1.0


def read_in_each_turn(a):
    end = int(a[0])
    total = 0.0
    for _ in range(end):
        a[0] = 9.0
        total += 1.0
    return total


def changed_between(a):
    x = a[0]
    y = 3.0 * x
    x = a[1]
    return x - y


@pytest.mark.parametrize("kernel", [read_before_a_write, kept_over_a_jump, read_in_each_turn, changed_between])
def test_a_value_is_not_read_later_than_what_it_is_made_of_lasts(kernel, tmp_path: Path) -> None:
    machines = Machines([(kernel, [VECTOR])], tmp_path)
    for given in ([2.0, 0.5, 3.0], [3.0, 4.0, 5.0]):
        array = np.array(given)
        assert machines.wasm(kernel.__name__, [array]) == machines.python(kernel.__name__, [array])


def test_a_name_with_one_reader_and_what_nobody_reads_are_gone() -> None:
    a, b, c = (ir.Local("f", name) for name in "abc")
    at = ir.Local("i", "at")
    product = ir.Operation("f", "*", (a, a))
    body = (ir.Load(a, at), ir.Set(b, product), ir.Set(c, b), ir.Return((ir.Operation("f", "neg", (b,)),)))
    found = tidied(ir.Function("f", (at,), ("f",), body)).body
    assert found == (ir.Load(a, at), ir.Return((ir.Operation("f", "neg", (product,)),)))


def test_the_products_are_small_enough_for_a_page() -> None:
    """A page holds one of the two, in text: a third more than these."""
    for name in ("kernels", "pages"):
        assert len(gzip.compress((STATIC / f"{name}.wasm").read_bytes())) <= 110_000
        assert (STATIC / f"{name}.js.gz").stat().st_size <= 170_000


def test_a_page_has_every_kernel_that_its_javascript_names() -> None:
    folder = Path(mbwidgets.__file__).parent
    sources = [*folder.glob("scene/page/live/*.js"), *folder.glob("widgets/parts/live*.js")]
    words = {word for source in sources for word in re.findall(r"\w+", source.read_text(encoding="utf-8"))}
    import_kernels()
    assert not words & set(PYTHON_ONLY)
    assert set(PYTHON_ONLY) < set(ENTRY_POINTS)
    _, table = read_product(name="kernels")
    everywhere = {name.partition(":")[0] for name in table.exports}
    pages = json.loads((STATIC / "pages.json").read_text(encoding="utf-8"))["exports"]
    found = {name.partition(":")[0] for name in pages}
    assert found == set(page_entry_points()) & everywhere
    assert "pull_point" in words & found

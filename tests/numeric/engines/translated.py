"""Small modules of functions, run as Python, as WebAssembly and as JavaScript."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import wasmtime

from mbwidgets.numeric.engines.product import ExportTable, Signature
from mbwidgets.numeric.engines.translate.entries import table_of
from mbwidgets.numeric.engines.translate.javascript import write_module
from mbwidgets.numeric.engines.translate.module import Module
from mbwidgets.numeric.engines.translate.values import ArrayType, Type
from mbwidgets.numeric.engines.translate.wasm import encode_module
from mbwidgets.numeric.engines.wasm_engine import Compiled, Instance

NODE = shutil.which("node")
VECTOR, TABLE = ArrayType((None,)), ArrayType((None, None))

RUNNER = """
import { readFileSync } from "node:fs";
import { HEAP, instantiate } from "./kernels.mjs";
const buffer = new ArrayBuffer(1 << 24);
const { exports, results } = instantiate(buffer);
const H = new Float64Array(buffer);
const number = (hex) => new DataView(Uint8Array.from(Buffer.from(hex, "hex")).buffer).getFloat64(0);
const hex = (x) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number.isNaN(x) ? NaN : x);
  return Buffer.from(view.buffer).toString("hex");
};
const calls = JSON.parse(readFileSync("calls.json", "utf8"));
const answers = calls.map(({ name, given, results: kinds }) => {
  let top = HEAP / 8;
  const flat = [];
  const arrays = [];
  for (const item of given) {
    if (item.shape === undefined) {
      flat.push(item.kind === "b" ? item.value !== 0 : item.hex === undefined ? item.value : number(item.hex));
      continue;
    }
    item.numbers.forEach((text, k) => { H[top + k] = number(text); });
    arrays.push([top, item.numbers.length]);
    flat.push(top * 8, ...item.shape);
    top += item.numbers.length;
  }
  const single = exports[name](...flat);
  const found = kinds.length === 1 ? [Number(single)] : [...results.subarray(0, kinds.length)];
  return { found: found.map(hex), arrays: arrays.map(([at, n]) => [...H.subarray(at, at + n)].map(hex)) };
});
console.log(JSON.stringify(answers));
"""


def bits(numbers: Any) -> list[str]:
    """Numbers to the last bit; all NaNs are one."""
    flat = np.asarray(numbers, dtype=float).ravel()
    return [struct.pack(">d", np.nan if value != value else value).hex() for value in flat]


class Machines:
    """A module on all three machines; ``call`` gives the bits of results and arrays on each."""

    def __init__(
        self, functions: Sequence[tuple[Callable[..., Any], Sequence[Type]]], folder: Path, tangents: Sequence[str] = ()
    ) -> None:
        self.module = Module()
        self.sources = {function.__name__: function for function, _ in functions}
        for function, types in functions:
            self.module.export(function.__name__, function, types)
        for name in tangents:
            self.module.export_tangent(name)
        self._open(folder)

    def _open(self, folder: Path) -> None:
        code = encode_module(self.module)
        told = table_of(self.module, code)
        exports = {
            name: Signature(name, tuple(item["parameters"].split()), frozenset(item["written"]), item["results"])
            for name, item in told["exports"].items()
        }
        engine = wasmtime.Engine()
        table = ExportTable(exports, told["heap"], told["sha256"])
        self.instance = Instance(wasmtime, Compiled(engine, wasmtime.Module(engine, code), table, 1024))
        self.table, self.folder = table, folder
        (folder / "kernels.mjs").write_text(write_module(self.module), encoding="utf-8")
        (folder / "run.mjs").write_text(RUNNER, encoding="utf-8")

    def python(self, name: str, given: Sequence[Any], source: Callable[..., Any] | None = None) -> list[list[str]]:
        """The bits of what the source gives."""
        copies = [item.copy() if isinstance(item, np.ndarray) else item for item in given]
        with np.errstate(all="ignore"):
            found = (source or self.sources[name])(*copies)
        results = [] if found is None else list(found) if isinstance(found, tuple) else [found]
        return [bits(results), *(bits(item) for item in copies if isinstance(item, np.ndarray))]

    def wasm(self, name: str, given: Sequence[Any]) -> list[list[str]]:
        """The bits of what WebAssembly gives."""
        copies = [item.copy() if isinstance(item, np.ndarray) else item for item in given]
        found = self.instance.call(name, tuple(copies))
        results = [] if found is None else list(found) if isinstance(found, tuple) else [found]
        return [bits(results), *(bits(item) for item in copies if isinstance(item, np.ndarray))]

    def javascript(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[list[list[str]]]:
        """The bits of what JavaScript gives, of many calls in one process."""
        assert NODE is not None
        told = [
            {"name": name, "given": [self._told(item) for item in given], "results": self.table.exports[name].results}
            for name, given in calls
        ]
        (self.folder / "calls.json").write_text(json.dumps(told), encoding="utf-8")
        command = [NODE, "run.mjs"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr
        return [[answer["found"], *answer["arrays"]] for answer in json.loads(done.stdout)]

    def _told(self, item: Any) -> dict[str, Any]:
        if isinstance(item, np.ndarray):
            return {"shape": item.shape, "numbers": bits(item)}
        if isinstance(item, bool | np.bool_):
            return {"kind": "b", "value": int(item)}
        if isinstance(item, int | np.integer):
            return {"kind": "i", "value": int(item)}
        return {"kind": "f", "hex": bits([item])[0]}

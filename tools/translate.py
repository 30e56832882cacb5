"""Translate the kernels: writes the module and its table into the package, ``python tools/translate.py``."""

from __future__ import annotations

import json

from mbwidgets.numeric.engines.product import STATIC
from mbwidgets.numeric.engines.translate.entries import table_of, translate_entry_points
from mbwidgets.numeric.engines.translate.wasm import encode_module


def main() -> None:
    """Write the products."""
    module = translate_entry_points()
    code = encode_module(module)
    STATIC.mkdir(exist_ok=True)
    (STATIC / "kernels.wasm").write_bytes(code)
    (STATIC / "kernels.json").write_text(json.dumps(table_of(module, code), indent=1) + "\n", encoding="utf-8")
    print(f"{len(module.functions)} functions, {len(code)} bytes")


if __name__ == "__main__":
    main()

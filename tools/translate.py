"""Translate the kernels after an edit: writes the module and its table into the package."""

from __future__ import annotations

from mbwidgets.numeric.engines.product import STATIC
from mbwidgets.numeric.engines.translate.entries import write_products


def main() -> None:
    """Write the products."""
    module = write_products()
    size = (STATIC / "kernels.wasm").stat().st_size
    print(f"{len(module.functions)} functions, {size} bytes in {STATIC}")


if __name__ == "__main__":
    main()

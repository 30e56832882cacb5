"""JavaScript as bytes for a page, by LZMA: what scripts of several widgets hold is packed once, however far apart.

`lzma.js` unpacks what is written here.
"""

from __future__ import annotations

import functools
import json
import lzma
from collections.abc import Iterable
from typing import Final

__all__ = ["pack_code", "pack_text"]

LIKE_TEXT: Final = {"id": lzma.FILTER_LZMA1, "lc": 3, "lp": 0, "pb": 0}
"""Letters depend on those before them, not on their place."""
QUICK: Final = 4
"""The preset for what is packed while somebody waits: higher ones take twice as long for a fiftieth of the size."""


def pack_code(texts: Iterable[str]) -> bytes:
    """A list of texts as JSON, packed as one text."""
    return pack_text(json.dumps(list(texts), ensure_ascii=False))


@functools.lru_cache(maxsize=32)
def pack_text(text: str, preset: int = QUICK) -> bytes:
    """A text in the format of the .lzma file: a head, and the compressed bytes with a mark at their end."""
    return lzma.compress(text.encode(), format=lzma.FORMAT_ALONE, filters=[{**LIKE_TEXT, "preset": preset}])

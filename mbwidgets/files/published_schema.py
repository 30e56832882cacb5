"""The published JSON Schema of a model file: ``model-1.schema.json`` beside this module.

``python -c "from mbwidgets.files.published_schema import publish; publish()"`` writes it anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from ..model.dictform import json_schema

__all__ = ["schema"]

PUBLISHED: Final = Path(__file__).with_name("model-1.schema.json")


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that every model file of version 1 or 2 satisfies."""
    return json_schema()


def text() -> str:
    """The schema as the published file holds it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def publish() -> None:
    """Write the published file."""
    PUBLISHED.write_text(text(), encoding="utf-8")

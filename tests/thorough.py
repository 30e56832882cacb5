"""Whether a run is a thorough one: tests that draw cases at random try more of them then."""

from __future__ import annotations

import os
from typing import Final

THOROUGH: Final = os.environ.get("MBWIDGETS_THOROUGH") == "1"

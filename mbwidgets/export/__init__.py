"""What leaves the notebook: pages that live without a kernel, pictures, films, tables and formulae.

mb.export.html(view, "arm.html")      # one file: 3-D, formulae, plots, live sliders, no network
"""

from __future__ import annotations

from .html import html

__all__ = ["html"]

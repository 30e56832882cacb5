"""What leaves the notebook: pages that live without a kernel, pictures, films, tables and formulae.

mb.export.html(view, "arm.html")             # one file: 3-D, formulae, plots, live sliders, no network
mb.export.notebook("lecture.ipynb")          # the same of a whole notebook
mb.export.png(motion, "arm.png", time=1.5)   # without a browser; also gif, mp4
mb.export.csv(motion, "arm.csv")
mb.export.tex(mb.covariant(arm).metric, "metric.tex")

Rooms: `page` and `pictures`; beside them `figures` of the papers, `curves` of a motion, `texts`, and the line that
shows progress. Of the
package it may import `scene` and what lies below, and no widget.

>>> import tempfile, pathlib
>>> motion = mb.simulate(mb.library.pendulum(1), duration=0.1)
>>> mb.export.csv(motion, pathlib.Path(tempfile.mkdtemp()) / "pendulum.csv").suffix
'.csv'
"""

from __future__ import annotations

from .page.html import html
from .page.notebook import notebook
from .pictures.films import gif, mp4, png
from .texts import csv, tex

__all__ = ["csv", "gif", "html", "mp4", "notebook", "png", "tex"]

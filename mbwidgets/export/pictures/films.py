"""PNG, GIF and MP4 of a motion, drawn without a browser."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ...errors import MissingError, ModelError
from ...files.whole import replacing_file, writable_path
from ..progress import Line
from .bars import small_font
from .film import Film
from .joined_film import film_of

__all__ = ["gif", "mp4", "png", "png_bytes"]

PAPER, INK = "#FFFFFF", "#5B6470"
"""Of a caption: 6 : 1, on the page of a notebook or a book."""
Progress = Callable[[float], None]


def png(subject: Any, path: str | Path, *, time: float | None = None, **options: Any) -> Path:
    """Write the picture of a motion, view or model at a time. Returns the path.

    Parameters
    ----------
    subject : a `Motion`, a view that has one, or a model, which is shown at its start
    time : s; unless told that which a view shows, or the start
    vectors : keys of the arrows to draw, as "force"; of a view those that it shows, unless told
    bodies : names of the bodies whose arrows are drawn; the view's selected one, or the last, unless told
    view : where the camera stands, "iso", "front" …; that of a view, or "iso"
    width, height : pixels, 880 and 620
    theme : "light" or "dark"
    """
    target = _named(path, ".png")
    picture = film_of(subject, **options).frame(_shown_time(subject, time))
    with replacing_file(target) as place:
        picture.save(place, "PNG", optimize=True)
    return target


def png_bytes(
    subject: Any, *, time: float | None = None, colours: int = 128, caption: str = "", **options: Any
) -> bytes:
    """A small PNG with few colours, as bytes; a ``caption`` stands in a line below the picture."""
    out, film = io.BytesIO(), Film(subject, **options)
    picture = film.frame(_shown_time(subject, time))
    _few_colours(_captioned(picture, caption) if caption else picture, colours).save(out, "PNG", optimize=True)
    return out.getvalue()


def _captioned(picture: Any, caption: str) -> Any:
    """A picture with a line of words below."""
    from PIL import Image, ImageDraw

    font = small_font()
    wide, high = picture.size
    below = 2 * font.size
    found = Image.new("RGB", (wide, high + below), PAPER)
    found.paste(picture, (0, 0))
    ImageDraw.Draw(found).text((below / 3, high + below / 2), caption, fill=INK, font=font, anchor="lm")
    return found


def gif(
    subject: Any,
    path: str | Path,
    *,
    rate: float = 20.0,
    speed: float = 1.0,
    progress: Progress | None = None,
    **options: Any,
) -> Path:
    """Write a motion as a film that loops in any browser or slide. Returns the path.

    Parameters
    ----------
    subject : a `Motion`, or a view that has one
    rate : pictures a second, at most 50
    speed : a multiple of the motion's own
    options : ``vectors``, ``bodies``, ``view``, ``width`` and ``height`` (520 and 380 pixels), ``theme``, as of `png`
    progress : called with the share that is done; without it a terminal or a notebook shows a line if it takes long
    """
    target = _named(path, ".gif")
    if not 0 < rate <= 50:
        raise ModelError(f"rate {rate}", where="gif", remedy="a GIF shows at most 50 pictures a second")
    film = film_of(subject, **({"width": 520, "height": 380} | options))
    pictures = [_few_colours(picture, 128) for picture in _told(film, rate, speed, target, progress)]
    pause = max(20, 10 * round(100 / rate))
    with replacing_file(target) as place:
        pictures[0].save(place, "GIF", save_all=True, append_images=pictures[1:], duration=pause, loop=0, optimize=True)
    return target


def mp4(
    subject: Any,
    path: str | Path,
    *,
    rate: float = 30.0,
    speed: float = 1.0,
    progress: Progress | None = None,
    **options: Any,
) -> Path:
    """Write a motion as a film in H.264; needs the extra ``film`` (imageio-ffmpeg).

    ``rate``, pictures a second, ``speed``, ``progress`` and ``options`` as of `gif`; 800 × 560 pixels unless told.
    """
    target = _named(path, ".mp4")
    try:
        import imageio_ffmpeg
    except ImportError:
        raise MissingError(
            "a film needs imageio-ffmpeg", where=target.name, remedy="pip install 'mbwidgets[film]', or write a .gif"
        ) from None
    film = film_of(subject, **({"width": 800, "height": 560} | options))
    film.width, film.height = film.width - film.width % 2, film.height - film.height % 2  # H.264 wants even sides
    with replacing_file(target) as place:
        writer = imageio_ffmpeg.write_frames(
            str(place), (film.width, film.height), fps=rate, codec="libx264", macro_block_size=2, quality=8
        )
        writer.send(None)
        try:
            for picture in _told(film, rate, speed, target, progress):
                writer.send(picture.convert("RGB").tobytes())
        finally:
            writer.close()
    return target


def _told(film: Film, rate: float, speed: float, target: Path, progress: Progress | None) -> Iterator[Any]:
    """The pictures of a film; whoever waits for it is told how far it is."""
    line = Line(f"writing {target.name}")
    tell, total = progress or line, film.count(rate, speed)
    try:
        for number, picture in enumerate(film.frames(rate, speed), 1):
            yield picture
            tell(number / total)
    finally:
        line.end()


def _few_colours(picture: Any, colours: int) -> Any:
    """A picture with a palette, chosen so that rare hues are kept: the colour of an arrow is its name."""
    from PIL import Image

    return picture.quantize(colours, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)


def _named(path: str | Path, suffix: str) -> Path:
    """The path, if it has the right ending and can be written."""
    target = Path(path)
    if target.suffix.lower() != suffix:
        raise ModelError(f"{target.name!r} does not end with {suffix}", where="export", remedy=f"name it *{suffix}")
    writable_path(target)
    return target


def _shown_time(subject: Any, time: float | None) -> float:
    return float(getattr(subject, "time", 0.0)) if time is None else time

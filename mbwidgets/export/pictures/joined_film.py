"""Films of motions that follow each other with models of their own: each leg is drawn with its own mechanism."""

from __future__ import annotations

from typing import Any

from ...numeric.motion.joined import Joined
from .film import Film

__all__ = ["JoinedFilm", "film_of"]


class JoinedFilm(Film):
    """The frames of a joined motion; each is a picture of the leg that its time belongs to, seen as a film of it is."""

    def __init__(self, motion: Joined, **options: Any) -> None:
        super().__init__(motion, **options)
        legs = zip(motion.pieces, motion.shifts, strict=True)
        self._legs = [(float(piece.t[0]) + shift, shift, Film(piece, **options)) for piece, shift in legs]

    def frame(self, time: float) -> Any:
        """The picture at a time, as a Pillow image; where two legs meet it is of the later one."""
        begun = [leg for leg in self._legs if leg[0] <= time] or self._legs[:1]
        _, shift, film = begun[-1]
        film.width, film.height = self.width, self.height
        return film.frame(time - shift)


def film_of(subject: Any, **options: Any) -> Film:
    """The film of a motion, a view or a model; of a joined motion with several models each leg is its own."""
    if isinstance(subject, Joined) and any(piece.model != subject.model for piece in subject.pieces):
        return JoinedFilm(subject, **options)
    return Film(subject, **options)

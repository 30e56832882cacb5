"""Efforts that move the five-axis manipulator, so that every entry of its tensors is seen to change."""

from __future__ import annotations

from typing import Final

__all__ = ["EXERCISE"]

EXERCISE: Final = (
    "500*g - 8000*(q[0] - 0.12*sin(1.1*t)) - 2500*u[0]",
    "-500*(q[1] - 0.9*sin(0.7*t)) - 300*u[1]",
    "-3000*(q[2] - 0.5 - 0.2*sin(1.3*t)) - 900*u[2]",
    "-80*(q[3] - 0.8*sin(1.7*t)) - 20*u[3]",
    "-80*(q[4] - 0.6*sin(1.2*t)) + 5*g*cos(q[3])*cos(q[4]) - 20*u[4]",
)
"""Efforts that carry the manipulator and swing each of its joints, N and N m; they are no part of its equations."""

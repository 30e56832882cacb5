"""Rows of a system of virtual displacements: its matrix of inertia, and what motion and loads do along each."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..ring.vectors import Vec, dot
from .derivation import Study
from .load_wrenches import negative_load_wrench
from .rodrigues import subtract_vectors
from .virtual_displacements import Displacement

__all__ = ["Rows"]


class Rows:
    """One row a displacement, as exact values."""

    def __init__(self, study: Study, displacements: tuple[Displacement, ...]) -> None:
        self.study = study
        self.displacements = displacements

    @cached_property
    def polynomials(self) -> list[list[Any]]:
        """A as polynomials of the ring."""
        return self.study.virtual.inertia(self.displacements)

    @cached_property
    def inertia(self) -> list[Vec]:
        """A = Σ m ∂r_C·∂r_C + ω·J_C ω"""
        return [self.study.elements(row) for row in self.polynomials]

    @cached_property
    def kinetic(self) -> Vec:
        """G: −e·K̇, or −e·(L̇ + v_P × K), at u̇ = 0"""
        study, found = self.study, []
        wrenches = {}
        for d in self.displacements:
            if d.segment not in wrenches:
                wrenches[d.segment] = study.virtual.kinetic(d.segment, accelerations=False)
            wrench = wrenches[d.segment][d.turn]
            found.append(-study.elements([study.ring.dot(d.direction, wrench)])[0])
        return found

    @cached_property
    def applied(self) -> Vec:
        """Q of weights and of all loads but those inside joints."""
        study, found = self.study, []
        weights, loads = {}, {}
        for d in self.displacements:
            if d.segment not in loads:
                still = study.rodrigues.nothing
                weights[d.segment] = [subtract_vectors(still, part) for part in study.rodrigues.static(d.segment)]
                loads[d.segment] = negative_load_wrench(study, d.segment)
            weight = study.elements([study.ring.dot(d.direction, weights[d.segment][d.turn])])[0]
            found.append(weight - dot(study.elements(d.direction), loads[d.segment][d.turn]))
        return found

"""Mechanisms over the ring: kinematics, Rodrigues' approach, rotators, virtual displacements, forces, constraints.

What several papers share. Imports `formula`, `code`, `ring`.
"""

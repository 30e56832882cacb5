"""Exact values: trigonometric polynomials over ℚ and their fractions in normal form, vectors, minors, elimination.

Knows no mechanics: a letter stands for a number, and nobody asks which. Imports no other room.
"""

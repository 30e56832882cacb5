"""Exact values as text: infix, LaTeX, and programs in Python, C, JavaScript, Mathematica, Modelica.

Imports `ring`.
"""

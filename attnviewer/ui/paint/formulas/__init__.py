"""Formulas with their numbers, as typeset lines and as text."""

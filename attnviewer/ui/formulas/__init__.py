"""Formulas with their own numbers, as signs and as rich text."""

"""Formatting of numbers and tokens, and the program's own vocabulary."""

"""Parsing and writing of typed and pasted text."""

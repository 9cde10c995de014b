"""Formulas with their own numbers: as lines of spans, laid out and painted."""

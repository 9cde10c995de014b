"""Formulas with their numbers, as lines of spans: layout and painting."""

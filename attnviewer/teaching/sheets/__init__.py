"""Exercises on paper and as questions of learning platforms."""

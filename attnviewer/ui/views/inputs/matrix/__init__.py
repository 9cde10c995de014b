"""A matrix of numbers as a table."""

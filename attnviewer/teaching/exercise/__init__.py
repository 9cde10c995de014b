"""Exercises with numbers of one's own: their files, submissions and grades."""

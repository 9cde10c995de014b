"""Exercises with each student's own numbers: files, submissions and grades."""

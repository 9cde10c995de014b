"""Filling and drawing matrices."""

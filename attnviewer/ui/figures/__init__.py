"""Figures for papers: laid out in points, without widgets, and written as files."""

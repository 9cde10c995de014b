"""Painting: theme, fonts, colours, thumbnails and formulas."""

"""The ways to show a step, by name, for all who ask for one."""

VIEWS = ("heatmap", "lines", "heads", "table", "difference")
PICTURES = {
    "png": "PNG",
    "svg": "SVG",
    "pdf": "PDF",
    "gif": "GIF",
}
"""The formats of pictures by name, and what they are called in a dialog."""
PICTURE_SCALES = (0.5, 16.0)
"""Least and most pixels of a picture per pixel of the screen."""

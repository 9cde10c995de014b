"""What the command and the window both call by name: views, and their pictures."""

VIEWS = ("heatmap", "lines", "heads", "table", "difference")
"""The ways to show a step."""
PICTURES = {
    "png": "PNG",
    "svg": "SVG",
    "pdf": "PDF",
    "gif": "GIF",
}
"""The formats of pictures by name, and what they are called in a dialog."""
PICTURE_SCALES = (0.5, 16.0)
"""Least and most pixels of a picture per pixel of the screen."""

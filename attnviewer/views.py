"""The ways to show a step, by name, for all who ask for one."""

VIEWS = ("heatmap", "lines", "heads", "table", "difference")
PICTURES = {
    "png": "PNG",
    "svg": "SVG",
    "pdf": "PDF",
    "gif": "GIF",
}
"""The formats of pictures by name, and what they are called in a dialog."""

"""What the command and the window both call by name: views, and their pictures."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """A way to show a step.

    Parameters
    ----------
    title : str
        What its tab and its line in the View menu say, with its mnemonic.
    key : str
        Its key.
    page : str
        What makes its page, in `attnviewer.ui.views.step`: called with the workbench
        and the parent widget. A name, as the command loads no window.
    """

    title: str
    key: str
    page: str


VIEWS = {
    "heatmap": View("&Heatmap", "Ctrl+1", "heatmap.page.heatmap_page"),
    "lines": View("&Lines", "Ctrl+2", "lines.page.lines_page"),
    "heads": View("&All heads", "Ctrl+3", "heads.page.HeadsPage"),
    "table": View("&Table", "Ctrl+4", "table.table_page"),
    "difference": View("&Difference", "Ctrl+5", "difference.page.DifferencePage"),
}
"""The ways to show a step, in the order of their tabs. A line here is all that tabs,
menu, keys and command line need of one."""
FIRST_VIEW = next(iter(VIEWS))
"""How a step is shown unless another way is chosen."""
PICTURES = {
    "png": "PNG",
    "svg": "SVG",
    "pdf": "PDF",
    "gif": "GIF",
}
"""The formats of pictures by name, and what they are called in a dialog."""
PICTURE_SCALES = (0.5, 16.0)
"""Least and most pixels of a picture per pixel of the screen."""

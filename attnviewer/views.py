"""Names of views and picture formats, shared by the command line and the window."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """A way to show a step.

    Parameters
    ----------
    title : str
        What its tab and its line in the View menu say, with its mnemonic.
    key : str
        Its shortcut.
    page : str
        Its page's class or factory, in `attnviewer.ui.views.step`: called with the
        workbench and the parent widget. A name, as the command loads no window.
    of_grid : bool
        Whether it has a tab only while the tokens lie on a grid, or it is chosen.
    """

    title: str
    key: str
    page: str
    of_grid: bool = False


VIEWS = {
    "how": View("&How", "Ctrl+1", "how.page.HowPage"),
    "heatmap": View("Heatma&p", "Ctrl+2", "heatmap.page.heatmap_page"),
    "lines": View("&Lines", "Ctrl+3", "lines.page.lines_page"),
    "heads": View("&All heads", "Ctrl+4", "heads.page.HeadsPage"),
    "table": View("&Table", "Ctrl+5", "table.table_page"),
    "difference": View("&Difference", "Ctrl+6", "difference.page.DifferencePage"),
    "on_picture": View("Pict&ure", "Ctrl+7", "on_picture.page.OnPicturePage", True),
}
"""The ways to show a step, in the order of their tabs. A line here is all that tabs,
menu, keys and command line need of one."""
FIRST_VIEW = next(iter(VIEWS))
"""The view that a window opens with, unless a step is too large for it."""
MOST_TOKENS_OF_FIRST = 32
"""The most tokens for which that view is readable."""
PICTURE_VIEW = "heatmap"
"""The view of a picture for which none is named, and of longer texts."""
PICTURES = {
    "png": "PNG",
    "svg": "SVG",
    "pdf": "PDF",
    "gif": "GIF",
}
"""The formats of pictures, and their names in dialogs."""
PICTURE_SCALES = (0.5, 16.0)
"""The range of a picture's scale, in pixels per screen pixel."""

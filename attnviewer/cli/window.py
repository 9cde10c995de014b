"""``attnviewer SOURCE``: the window."""

import argparse
import contextlib
from collections.abc import Iterator

from attnviewer.cli.output import RefusedError
from attnviewer.cli.parsing import Parser, add_source
from attnviewer.sources import FIRST_EXAMPLE
from attnviewer.version import __version__

_EPILOG = """\
commands:
  attnviewer examples             list the bundled examples
  attnviewer doctor FILE ...      tell what is wrong with an implementation
  attnviewer exercise COMMAND ... make, print, check and grade exercises of a course
  attnviewer export SOURCE ...    write the steps to files, or a picture of one
  attnviewer model PATH ...       open a real model, export a layer, draw a head,
                                  or tell what its heads look at
  attnviewer screenshot SOURCE ...
                                  draw the window into a PNG file
'attnviewer COMMAND --help' tells more. For a file that is named like a command
write ./export.
"""


def open_window(arguments: list[str]) -> int:
    """Open the window and run until it is closed."""
    parser = Parser(
        "attnviewer",
        description="Open the workbench for the attention mechanism.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=__version__)
    add_source(parser, default=FIRST_EXAMPLE)
    options = parser.parse_args(arguments)
    with window_system():
        from attnviewer.ui.launch import launch

        return launch(options.source, options.assign)


@contextlib.contextmanager
def window_system() -> Iterator[None]:
    """Report a broken installation of Qt instead of a traceback."""
    try:
        yield
    except ImportError as error:
        if not (error.name or "").startswith(("PySide6", "shiboken6", "pyqtgraph")):
            raise
        raise RefusedError(f"The window cannot be loaded: {error}") from None

"""Files of numbers come in: the dialog that tells what is what, and the ways to it."""

from attnviewer.ui.import_.drop_and_paste import DropAndPaste
from attnviewer.ui.import_.importer import Importer

__all__ = ["DropAndPaste", "Importer"]

"""Files of numbers come in: the dialog that tells what is what, and the ways to it."""

from attnviewer.ui.assigning.importer import Importer
from attnviewer.ui.assigning.ways_in import WaysIn

__all__ = ["Importer", "WaysIn"]

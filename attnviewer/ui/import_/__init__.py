"""Importing files of numbers: assigning arrays to roles, drop and paste."""

from attnviewer.ui.import_.drop_and_paste import DropAndPaste
from attnviewer.ui.import_.importer import Importer

__all__ = ["DropAndPaste", "Importer"]

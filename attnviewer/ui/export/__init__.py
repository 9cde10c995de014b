"""Exports: which part, to which format, and writing them beside the window."""

from attnviewer.ui.export.exporter import Exporter

__all__ = ["Exporter"]

"""Exports: choosing what and how, and writing it in the background."""

from attnviewer.ui.export.exporter import Exporter

__all__ = ["Exporter"]

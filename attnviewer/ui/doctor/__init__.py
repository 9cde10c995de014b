"""Checking an implementation: the dialog, the jobs, and the document of the result."""

from attnviewer.ui.doctor.checker import Checker

__all__ = ["Checker"]

"""Checking an implementation: the dialog, the work, and what is opened after it."""

from attnviewer.ui.doctor.checker import Checker

__all__ = ["Checker"]

"""Crash recovery: autosaving, and offering unsaved work at the next start."""

from attnviewer.ui.recovery.recovery import Recovery

__all__ = ["Recovery"]

"""Nothing is lost: unsaved work is kept, and offered after an unexpected end."""

from attnviewer.ui.recovery.recovery import Recovery

__all__ = ["Recovery"]

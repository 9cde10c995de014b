"""What happened, in a file for those who report a mistake."""

from attnviewer.ui.log.file import (
    FILE,
    LOG,
    Log,
    log_error,
    log_file,
    log_folder,
)

__all__ = ["FILE", "LOG", "Log", "log_error", "log_file", "log_folder"]

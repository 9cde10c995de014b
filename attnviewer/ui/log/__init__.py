"""The log file, for bug reports."""

from attnviewer.ui.log.file import (
    FILE,
    LOG,
    Log,
    log_error,
    log_file,
    log_folder,
)

__all__ = ["FILE", "LOG", "Log", "log_error", "log_file", "log_folder"]

"""Session files: saved documents."""

from attnviewer.io.session.file import SUFFIX, read_session, save_session

__all__ = ["SUFFIX", "read_session", "save_session"]

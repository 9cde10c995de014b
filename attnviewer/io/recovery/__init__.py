"""Unsaved documents, kept in case their process ends unexpectedly.

Each process has a folder of its own, with a file that it keeps locked. The lock ends
with the process, however that ends: a folder without a lock is left over.
"""

from attnviewer.io.recovery.about import About
from attnviewer.io.recovery.folder import RecoveryFolder
from attnviewer.io.recovery.recoverable import (
    RecoverableDocument,
    RecoverableDocuments,
    find_recoverable,
)

__all__ = [
    "About",
    "RecoverableDocument",
    "RecoverableDocuments",
    "RecoveryFolder",
    "find_recoverable",
]

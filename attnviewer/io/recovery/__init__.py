"""Unsaved documents, kept in case their process ends unexpectedly.

Each process has a folder of its own, with a file that it keeps locked. The lock ends
with the process, however that ends: a folder without a lock is left over.
"""

from attnviewer.io.recovery.about import About
from attnviewer.io.recovery.folder import RecoveryFolder
from attnviewer.io.recovery.leftovers import Leftover, Leftovers, find_leftovers

__all__ = ["About", "Leftover", "Leftovers", "RecoveryFolder", "find_leftovers"]

"""Unsaved documents, kept for the case that their process ends unexpectedly.

Each process has a folder of its own, with a file in it that it holds locked. The lock
ends with the process, however that ends: what lies in a folder without one was left
behind.
"""

from attnviewer.io.recovery.about import About
from attnviewer.io.recovery.folder import RecoveryFolder
from attnviewer.io.recovery.leftovers import Leftover, Leftovers, find_leftovers

__all__ = ["About", "Leftover", "Leftovers", "RecoveryFolder", "find_leftovers"]

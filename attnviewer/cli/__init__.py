"""The ``attnviewer`` command, a file for each of its commands.

What reads and computes is imported by the commands that do so: it takes longer than
all else, and the window does not wait for it.
"""

from attnviewer.cli.command import main as main

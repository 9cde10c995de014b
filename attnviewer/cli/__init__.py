"""The ``attnviewer`` command, one file per subcommand.

Modules that read and compute are imported inside the commands: they load slowly, and
the window does not wait for them.
"""

from attnviewer.cli.command import main as main

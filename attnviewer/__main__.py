"""``python -m attnviewer`` is the ``attnviewer`` command."""

import sys

from attnviewer.cli import main

if __name__ == "__main__":
    sys.exit(main())

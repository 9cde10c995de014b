"""Start attnviewer, making its environment first where that is needed.

``python3 scripts/run.py [arguments]``; the arguments are those of ``attnviewer``.
"""

import os
import subprocess
import sys

import environment


def main() -> None:
    # With all that the window offers: sentences for models, and moving pictures.
    environment.prepare("gif", "models")
    # -P keeps a numpy.py among the user's own files from being imported.
    command = [str(environment.PYTHON), "-P", "-m", "attnviewer", *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


if __name__ == "__main__":
    main()

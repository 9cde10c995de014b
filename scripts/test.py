"""Run every check of attnviewer, making its environment first where needed.

``python3 scripts/test.py [arguments]``; the arguments are pytest's. All checks run
even if one fails; pytest comes last, and its closing line is the last one. All tests
are shared among the cores; those that the arguments pick run in one process.
"""

import os
import subprocess
import sys

import environment

CHECKS = (
    ("ruff", "check"),
    ("ruff", "format", "--check"),
    ("mypy",),
    ("lint-imports", "--no-logo"),
)
# `auto` asks tests/conftest.py. Neighbours stay together, and so do their fixtures.
SHARED = ("--numprocesses=auto", "--maxprocesses=8", "--dist=worksteal")


def main(arguments: "list[str]") -> int:
    os.environ.update(
        QT_QPA_PLATFORM="offscreen", QT_API="pyside6", PYQTGRAPH_QT_LIB="PySide6"
    )
    programs = environment.prepare("test")
    # Hundreds of tests start a Python; without bytecode each would compile everything.
    os.environ["PYTHONPYCACHEPREFIX"] = str(environment.VENV / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(name: str, *options: str) -> int:
        print(f"== {' '.join((name, *options))} ==", flush=True)
        command = [str(programs / name), *options]
        return subprocess.call(command, cwd=environment.ROOT)

    failed = [" ".join(check) for check in CHECKS if run(*check)]
    if failed:
        print(f"Failed before pytest: {', '.join(failed)}", flush=True)
    return run("pytest", *SHARED, *arguments) or int(bool(failed))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

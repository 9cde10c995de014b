"""Run every check of attnviewer, making its environment first where needed.

``python3 scripts/test.py [arguments]``; the arguments are pytest's. All checks run
even if one fails; pytest comes last, and its closing line is the last one. All tests
are shared among the cores; those that the arguments pick run in one process. Without
arguments, the other checks run beside the first of pytest's minutes.
"""

import os
import subprocess
import sys
import threading

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

    failed = [" ".join(check) for check in CHECKS]  # until they have passed

    def check() -> None:
        """Print what each check says as a whole, as pytest may print beside it."""
        for name, *options in CHECKS:
            done = subprocess.run(
                [str(programs / name), *options],
                cwd=environment.ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
            )
            line = " ".join((name, *options))
            print(f"\n== {line} ==\n{done.stdout.rstrip()}", flush=True)
            if not done.returncode:
                failed.remove(line)
        if failed:
            print(f"Failed: {', '.join(failed)}", flush=True)

    checks = threading.Thread(target=check, daemon=True)
    checks.start()
    if arguments:  # which may have pytest end first
        checks.join()
    print(f"\n== pytest {' '.join((*SHARED, *arguments))} ==", flush=True)
    command = [str(programs / "pytest"), *SHARED, *arguments]
    code = subprocess.call(command, cwd=environment.ROOT)
    checks.join()
    return code or int(bool(failed))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

"""Runs programs where nothing can be imported but Python's own modules and NumPy."""

import json
import subprocess
import sys
from pathlib import Path

ALONE = """
import sys

class Alone:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top.startswith("_sysconfigdata"):  # a part of Python that it does not list
            return
        if top not in sys.stdlib_module_names and top not in {allowed!r}:
            raise ImportError(name + " is not there")

sys.meta_path.insert(0, Alone())
"""
RUN = """
import contextlib, io, json, runpy
results = []
for path in sys.argv[1:]:
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            runpy.run_path(path)
        results.append([None, said.getvalue()])
    except BaseException as error:
        results.append([type(error).__name__, said.getvalue() + str(error)])
print(json.dumps(results))
"""


def run_alone(
    paths: list[Path],
    allowed: tuple[str, ...] = ("numpy",),
    python: str = sys.executable,
) -> list[tuple[str | None, str]]:
    """Return what each program raised, None if nothing, and what it printed."""
    done = subprocess.run(
        [python, "-I", "-W", "error", "-c", ALONE.format(allowed=allowed) + RUN]
        + [str(path) for path in paths],
        capture_output=True,
        text=True,
        timeout=250,
        check=True,
    )
    return [tuple(result) for result in json.loads(done.stdout)]

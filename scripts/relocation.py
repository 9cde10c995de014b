"""Lets a `.venv` run in another folder than the one that it was made in.

Only the standard library. The programs that pip wrote name their Python, and the
package is found by the path of the checkout.
"""

from pathlib import Path

LONGEST_LINE = 127
"""Most bytes of a first line with which Linux starts a program."""


def relocate(programs: Path, packages: Path, before: Path, after: Path) -> None:
    """Replace the path of the checkout.

    Parameters
    ----------
    programs, packages : Path
        The folders of programs and of packages.
    before, after : Path
        The paths of the checkout.
    """
    old, new = bytes(before), bytes(after)
    folder = bytes(programs.parent.relative_to(after))
    for path in programs.iterdir():
        content = path.read_bytes()
        # Compiled programs have no path that could be replaced.
        if not path.is_symlink() and b"\0" not in content:
            there, here = old + b"/" + folder, new + b"/" + folder
            write(path, startable(content.replace(there, here)))
    for path in packages.glob("*.pth"):
        lines = path.read_bytes().splitlines()
        if old in lines:
            write(path, b"\n".join(new if line == old else line for line in lines))


def startable(program: bytes) -> bytes:
    """Return a program that starts wherever its Python is, as pip writes it."""
    first, _, rest = program.partition(b"\n")
    fits = b" " not in first and len(first) <= LONGEST_LINE
    if fits or not first.startswith(b"#!/") or first.startswith(b"#!/bin/sh"):
        return program
    return b"#!/bin/sh\n'''exec' \"%b\" \"$0\" \"$@\"\n' '''\n%b" % (first[2:], rest)


def write(path: Path, content: bytes) -> None:
    """Replace a file's content at once, unless it is the same."""
    if content == path.read_bytes():
        return
    whole = path.with_name(f"{path.name}.new")
    whole.write_bytes(content)
    whole.chmod(path.stat().st_mode)
    whole.replace(path)

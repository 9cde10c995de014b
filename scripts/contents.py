"""What a `.venv` holds, and what it has lost. Only the standard library."""

import os
from pathlib import Path

INFO = ".dist-info"


def distributions(packages: Path) -> list[str]:
    """Name what is installed in the folder of packages, without versions."""
    return sorted(info.name.split("-")[0] for info in packages.glob(f"*{INFO}"))


def lost(packages: Path, installed: list[str]) -> list[str]:
    """Name what is no longer there of the distributions that were `installed`.

    Their files are looked for as deep as one folder in: quick, and enough to notice
    a removed package, or one that was unpacked in part.
    """
    gone = set(installed) - set(distributions(packages))
    return sorted(gone) + [
        file
        for record in packages.glob(f"*{INFO}/RECORD")
        for file in recorded(record)
        if not os.path.exists(packages / file)  # noqa: PTH110
    ]


def recorded(record: Path) -> list[str]:
    """Return the files that a distribution's RECORD names, one folder in at most."""
    lines = record.read_text(encoding="utf-8").splitlines()
    shallow = (line for line in lines if line.count("/") <= 1)
    return [
        line.split(",")[0]
        for line in shallow
        if not line.startswith(('"', ".")) and ".pyc," not in line
    ]

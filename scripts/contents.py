"""What a `.venv` holds, and what it has lost. Only the standard library."""

import os
import shutil
from pathlib import Path

INFO = ".dist-info"
REPLACED = "~"
"""Begins the names that pip gives to what it is about to replace."""


def distributions(packages: Path) -> list[str]:
    """Name what is installed in the folder of packages, without versions."""
    return sorted(info.name.split("-")[0] for info in infos(packages))


def lost(packages: Path, installed: list[str]) -> list[str]:
    """Name what is no longer there of the distributions that were `installed`.

    Their files are looked for as deep as one folder in: quick, and enough to notice
    a removed package, or one that was unpacked in part.
    """
    gone = set(installed) - set(distributions(packages))
    return sorted(gone) + [
        file
        for info in infos(packages)
        for record in info.glob("RECORD")
        for file in recorded(record)
        if not os.path.exists(packages / file)  # noqa: PTH110
    ]


def infos(packages: Path) -> list[Path]:
    """Return the folders that describe what is installed."""
    return list(packages.glob(f"[!{REPLACED}]*{INFO}"))


def remove_replaced(packages: Path) -> None:
    """Remove what a pip that was killed had set aside."""
    for path in packages.glob(f"{REPLACED}*"):
        shutil.rmtree(path, ignore_errors=True)


def recorded(record: Path) -> list[str]:
    """Return the files that a distribution's RECORD names, one folder in at most."""
    lines = record.read_text(encoding="utf-8").splitlines()
    shallow = (line for line in lines if line.count("/") <= 1)
    return [
        line.split(",")[0]
        for line in shallow
        if not line.startswith(('"', ".")) and ".pyc," not in line
    ]

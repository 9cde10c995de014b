"""Paths of data files, in the wheel and in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_FOLDERS = (_PACKAGE / "_resources", _PACKAGE.parent / "resources")


def resource(*parts: str) -> Path:
    """Find a data file or a folder of them.

    Parameters
    ----------
    *parts
        The path below the data folder, part by part.

    Returns
    -------
    Path
        The existing file or folder.

    Raises
    ------
    FileNotFoundError
        If the installation lacks it.
    """
    for folder in _FOLDERS:
        path = folder.joinpath(*parts)
        if path.exists():
            return path
    name = "/".join(parts)
    folders = " nor ".join(map(str, _FOLDERS))
    raise FileNotFoundError(f"attnviewer's data file {name} is in neither {folders}.")

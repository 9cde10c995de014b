"""The format of an output file, from its name or from ``--format``."""

import os
from pathlib import Path

from attnviewer.cli.output import RefusedError
from attnviewer.views import PICTURES

FOLDERS = "csv"
"""The default format of a folder."""
_TORCH = ".torch.py"


def chosen_format(flag: str, text: str, choice: str | None) -> str:
    """Return the format of a file or a folder.

    Parameters
    ----------
    flag : str
        The option that gives the path, such as ``--to``.
    text : str
        The path.
    choice : str or None
        The value of ``--format``.

    Raises
    ------
    RefusedError
        If no format, or not the chosen one, has files of such a name.
    """
    from attnviewer.io.export import FORMATS
    from attnviewer.io.reading import is_folder

    endings = {name: format_.suffix for name, format_ in FORMATS.items()}
    endings |= {name: f".{name}" for name in PICTURES}
    known = {ending: name for name, ending in reversed(endings.items())}
    path = Path(text)
    ending = path.suffix.lower()
    of_folder = not ending or text.endswith(("/", os.sep)) or is_folder(path)
    if choice is not None:
        of_picture = choice in PICTURES
        if ending != endings[choice] and (
            of_picture or (not of_folder and ending in known)
        ):
            raise RefusedError(
                f"argument {flag}: With --format {choice} the name must end in "
                f"{endings[choice]}{'' if of_picture else ', or be that of a folder'}. "
                f"Got '{text}'"
            )
        return choice
    if of_folder:
        return FOLDERS
    if path.name.lower().endswith(_TORCH):
        return "torch"
    if ending not in known:
        raise RefusedError(
            f"argument {flag}: No format has names that end in {ending}. They end in "
            f"{', '.join(known)}; end the name of a folder with {os.sep}. Got '{text}'"
        )
    return known[ending]

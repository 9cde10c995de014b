"""Matrices from files of any supported format."""

from collections.abc import Callable
from pathlib import Path

from attnviewer.io.errors import FileFormatError
from attnviewer.io.matrices.csv_file import read_csv_file
from attnviewer.io.matrices.json_file import read_json_file
from attnviewer.io.matrices.kinds import (
    ATTN,
    EXCEL,
    EXERCISE,
    GIF,
    JPEG,
    MARKDOWN,
    OF_MODEL,
    PICKLE,
    PNG,
    PYTORCH,
    kind_of,
)
from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.matrices.numpy_files import read_npy_file, read_npz_file
from attnviewer.io.matrices.printed_file import (
    NOTEBOOK,
    read_notebook_file,
    read_text_file,
)
from attnviewer.io.matrices.safetensors_file import read_safetensors_file
from attnviewer.io.matrices.xlsx_file import read_xlsx_file
from attnviewer.io.reading import check_ordinary
from attnviewer.sources import EXERCISE as EXERCISE_SUFFIX
from attnviewer.sources import LESSON

READERS: dict[str, Callable[[Path, int], Matrices]] = {
    **dict.fromkeys((".csv", ".tsv"), read_csv_file),
    ".txt": read_text_file,
    NOTEBOOK: read_notebook_file,
    ".json": read_json_file,
    ".npy": read_npy_file,
    ".npz": read_npz_file,
    ".safetensors": read_safetensors_file,
    ".xlsx": read_xlsx_file,
}
_WITH_NAN: dict[str, Callable[..., Matrices]] = {
    ".npz": read_npz_file,
    ".safetensors": read_safetensors_file,
}
"""Readers of formats that programs write whatever they have computed to."""
FOREIGN = {
    **dict.fromkeys((".pt", ".pth", ".ckpt", ".bin"), PYTORCH),
    **dict.fromkeys((".pkl", ".pickle", ".joblib"), PICKLE),
    **dict.fromkeys((".xls", ".xlsb"), EXCEL),
    ".attn": ATTN,
    LESSON: MARKDOWN,
    EXERCISE_SUFFIX: EXERCISE,
}
"""The kind of a file by its suffix, if its content does not decide."""
_WAYS = {
    PYTORCH: "Loading it could run code. Convert it where it comes from: "
    "safetensors.torch.save_file(torch.load({old!r}, weights_only=True), "
    "{safe!r})",
    **dict.fromkeys(
        (PNG, JPEG, GIF),
        "Models for pictures take it: attnviewer model FOLDER --text {old}",
    ),
    OF_MODEL: "A model is opened by its folder: attnviewer model FOLDER, or Ctrl+M in "
    "the window.",
    PICKLE: "Loading it could run code. Save its arrays where they come from: "
    "np.savez({npz!r}, **arrays)",
    EXCEL: "Save it as .xlsx, without a password.",
    ATTN: "It is opened rather than imported.",
    MARKDOWN: "The window opens it: attnviewer {old}",
    EXERCISE: "The window opens it: attnviewer {old}",
}


def read_matrices(
    path: str | Path, limit: int = 2**29, *, finite: bool = True
) -> Matrices:
    """Return the matrices of a file.

    Nothing in a file is run. Content above the limit is memory-mapped where the format
    allows, or else refused.

    Parameters
    ----------
    path : str or Path
        A text table, a workbook (``.xlsx``), a file of JSON, NumPy (``.npy``, ``.npz``)
        or safetensors, or a Jupyter notebook (``.ipynb``).
    limit : int
        Maximum number of bytes to read into memory.
    finite : bool
        Whether arrays with NaN or +∞ are left out; without it, those of ``.npz`` and
        ``.safetensors`` files are kept as they are.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is unusable.

    Examples
    --------
    >>> from attnviewer.io import read_matrices
    >>> matrices = read_matrices("trained.npz")  # doctest: +SKIP
    >>> matrices.values["W_Q"].shape  # doctest: +SKIP
    (8, 8)
    """
    path = Path(path)
    kind = readable_kind(path)
    if kind in _WITH_NAN:
        matrices = _WITH_NAN[kind](path, limit, finite=finite)
    else:
        matrices = READERS[kind](path, limit)
    if kind != path.suffix.lower():
        matrices.notices.insert(0, f"By its content it is a {kind} file.")
    return matrices


def readable_kind(path: Path) -> str:
    """Return which of `READERS` reads a file, by its first bytes and its name.

    Raises
    ------
    FileError
        If none does.
    """
    check_ordinary(path)
    suffix = path.suffix.lower()
    kind = kind_of(path)
    if kind in READERS:
        return kind
    kind = kind or FOREIGN.get(suffix)
    if kind is not None:
        way = _WAYS.get(kind, "It holds no numbers that can be read.")
        advice = way.format(
            old=path.name, safe=f"{path.stem}.safetensors", npz=f"{path.stem}.npz"
        )
        raise FileFormatError(path, f"It is {kind}. {advice}")
    if suffix in READERS:
        return suffix
    raise FileFormatError(
        path,
        "It is not known what the file is. Its name must end in one of "
        f"{', '.join(READERS)}.",
    )

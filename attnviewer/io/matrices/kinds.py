"""The kind of a file by its first bytes, whatever its name."""

from pathlib import Path

from attnviewer.io.archive import entry_names
from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.matrices.workbook.parts import BOOK
from attnviewer.io.session.file import DESCRIPTION as SESSION

PYTORCH = "a PyTorch file"
PICKLE = "a pickle of Python"
EXCEL = "a workbook in an older or binary format of Excel, or an encrypted one"
ATTN = "a session of attnviewer"
PNG, JPEG, GIF = "a PNG image", "a JPEG image", "a GIF image"
MARKDOWN = "a text in Markdown, as lessons are"
EXERCISE = "an exercise, or a copy of one"
OF_MODEL = "a file of a model, without its weights"
_NAMES_OF_MODEL = {
    *("config.json", "generation_config.json", "model.safetensors.index.json"),
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"),
    *("added_tokens.json", "vocab.json", "vocab.txt", "merges.txt"),
    *("preprocessor_config.json", "modules.json"),
}
_BEGINNINGS = {
    b"\x93NUMPY": ".npy",
    # Before 1.6 PyTorch wrote no archive, but first a pickle of this number.
    b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.": PYTORCH,
    **{bytes((0x80, protocol)): PICKLE for protocol in range(2, 6)},
    b"\x89PNG": PNG,
    b"\xff\xd8\xff": JPEG,
    b"GIF89a": GIF,
    b"%PDF-": "a PDF document",
    b"\x1f\x8b": "a gzip archive",
    b"BZh91AY": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"\x89HDF": "an HDF5 file",
    b"PAR1\x15": "a Parquet file",
    b"\xd0\xcf\x11\xe0": EXCEL,
    b"\x7fELF": "a program",
}


def kind_of(path: Path) -> str | None:
    """Return the suffix that a file of numbers should have, or what else it is.

    Returns
    -------
    str or None
        Such as ``.npz`` or ``a PNG image``; None for text and for unknown kinds.

    Raises
    ------
    FileError
        If it cannot be read, or is empty.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(16)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    if not start:
        raise FileFormatError(path, "The file is empty.")
    for beginning, kind in _BEGINNINGS.items():
        if start.startswith(beginning):
            return kind
    if start.startswith(b"PK"):
        return _archived(path)
    described = int.from_bytes(start[:8], "little")
    if start[8:9] == b"{" and described <= size - 8:
        return ".safetensors"
    return OF_MODEL if path.name in _NAMES_OF_MODEL else None


def _archived(path: Path) -> str | None:
    """Return the kind of a ZIP archive by the names of its parts."""
    try:
        names = entry_names(path)
    except FileError:
        return None  # damaged; the reader for its suffix reports it best
    if SESSION in names:
        return ATTN
    if any(name.endswith("data.pkl") for name in names):
        return PYTORCH
    if BOOK in names:
        return ".xlsx"
    if any(name.startswith("xl/") for name in names):
        return EXCEL
    if any(name.endswith(".npy") for name in names):
        return ".npz"
    return "a ZIP archive without arrays"

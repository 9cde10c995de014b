"""Documents restored from exported files."""

from dataclasses import dataclass
from pathlib import Path

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.document.array_roles.building import build_described
from attnviewer.io.errors import FileFormatError
from attnviewer.io.export_markers import NOTES, SPEC
from attnviewer.io.matrices import Matrices
from attnviewer.io.session.spec_part import spec_from_plain

_CHANGED = "attnviewer exported it, but its description does not fit its arrays."
_ASSIGN = (
    "To assign them yourself, use File ▸ Import… in the window, or --assign (in "
    "Python: assign=)."
)


@dataclass(frozen=True, slots=True, eq=False)
class ExportedDocument:
    """An exported file from which a document can be restored.

    Parameters
    ----------
    path : Path
        The file.
    read : Matrices
        Its content.
    """

    path: Path
    read: Matrices

    @classmethod
    def of(cls, path: Path, read: Matrices) -> "ExportedDocument | None":
        """Return a file's exported document; None if it has none, or only a part."""
        return cls(path, read) if SPEC in read.statement else None

    def document(self) -> Document:
        """Return the document.

        Raises
        ------
        FileFormatError
            If the file's statement is unreadable, or does not fit its arrays.
        """
        read = self.read
        title, notes = (read.statement.get(name) for name in ("title", NOTES))
        try:
            return build_described(
                title if isinstance(title, str) else self.path.stem,
                _spec(read.statement[SPEC]),
                read.values,
                read.tokens,
                read.context_tokens or read.tokens,
                notes=notes if isinstance(notes, str) else "",
            )
        except (ValueError, TypeError) as error:
            left_out = (notice for notice in read.notices if "was left out" in notice)
            reason = " ".join([_CHANGED, str(error), *left_out, _ASSIGN])
            raise FileFormatError(self.path, reason) from None


def _spec(plain: object) -> Spec:
    if not isinstance(plain, dict):
        raise ValueError("The 'spec' must be an object.")
    return spec_from_plain(plain)

"""Names of files for students, whose ids come from elsewhere."""

from urllib.parse import quote

_DEVICES = frozenset(
    {"CON", "PRN", "AUX", "NUL"}
    | {f"{port}{number}" for port in ("COM", "LPT") for number in range(10)}
)
"""Names that Windows takes for devices, whatever follows a full stop."""


def student_file_name(student: str) -> str:
    """Return the name of a student's file, without a suffix.

    Everything but ASCII letters, digits and ``_.-~@+`` is written as its bytes, such
    as ``%2F``, so that an id can lead to no other folder and to no device. Two ids give
    two names.

    Parameters
    ----------
    student : str
        The student's id.
    """
    name = quote(student, safe="@+")
    if name.partition(".")[0].upper() in _DEVICES or name.startswith("."):
        name = f"%{ord(name[0]):02X}{name[1:]}"
    return name

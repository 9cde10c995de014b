"""Names of files for students, whose ids come from elsewhere."""

import string

_KEPT = frozenset(f"{string.ascii_letters}{string.digits}_.-~@+")
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
    name = "".join(sign if sign in _KEPT else _escaped(sign) for sign in student)
    if name.partition(".")[0].upper() in _DEVICES or name.startswith("."):
        name = f"{_escaped(name[0])}{name[1:]}"
    return name


def _escaped(sign: str) -> str:
    return "".join(f"%{byte:02X}" for byte in sign.encode())

"""Archives that somebody has tampered with."""

import io
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

Tamper = Callable[[Mapping[str, bytes]], bytes]


def parts_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts: Mapping[str, bytes] | list[tuple[str, bytes]]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        items = parts if isinstance(parts, list) else list(parts.items())
        for name, content in items:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def bomb(parts: Mapping[str, bytes]) -> bytes:
    """Return an archive whose first part says that it is large, and is."""
    first, *_ = parts
    return zipped({**parts, first: b" " * (9 * 2**20)})


def lying_bomb(parts: Mapping[str, bytes]) -> bytes:
    """Return an archive whose first part says that it is small, and is large."""
    data = bytearray(bomb(parts))
    for signature, offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        at = data.index(signature) + offset
        data[at : at + 4] = struct.pack("<I", 10)
    return bytes(data)


def traversal(parts: Mapping[str, bytes]) -> bytes:
    return zipped({**parts, "../../evil.txt": b"x"})


def absolute(parts: Mapping[str, bytes]) -> bytes:
    return zipped({**parts, "/etc/evil": b"x"})


def unknown(parts: Mapping[str, bytes]) -> bytes:
    return zipped({**parts, "extra.py": b"x"})


def twice(parts: Mapping[str, bytes]) -> bytes:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile's own, of a duplicate
        return zipped([*parts.items(), *list(parts.items())[:1]])


def missing(parts: Mapping[str, bytes]) -> bytes:
    first, *_ = parts
    return zipped({name: content for name, content in parts.items() if name != first})


def link(parts: Mapping[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in parts:
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
    return data.getvalue()


def encrypted(parts: Mapping[str, bytes]) -> bytes:
    data = bytearray(zipped(parts))
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(signature) + offset] |= 1
    return bytes(data)


def cut(parts: Mapping[str, bytes]) -> bytes:
    return zipped(parts)[:-30]


def no_archive(parts: Mapping[str, bytes]) -> bytes:
    return b"no archive at all"


def empty(parts: Mapping[str, bytes]) -> bytes:
    return b""


TAMPERED: dict[str, tuple[Tamper, str]] = {
    "bomb": (bomb, "bytes together"),
    "lying bomb": (lying_bomb, "damaged"),
    "traversal": (traversal, "'../../evil.txt', which does not belong in it"),
    "absolute": (absolute, "'/etc/evil', which does not belong in it"),
    "unknown": (unknown, "'extra.py', which does not belong in it"),
    "twice": (twice, "Two of its parts have the same name"),
    "missing": (missing, "json is missing"),
    "link": (link, "symbolic link"),
    "encrypted": (encrypted, "encrypted"),
    "cut": (cut, "damaged"),
    "no archive": (no_archive, "no ZIP archive"),
    "empty": (empty, "no ZIP archive"),
}
"""What may be done to an archive, and what is said of it."""

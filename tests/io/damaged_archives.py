"""Archives of which zipfile refuses the list of parts, each in another way."""

import io
import zipfile


def _with_a_part() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mine_ä.npy", b"")
    return file.getvalue()


def _of_a_later_version() -> bytes:
    whole = bytearray(_with_a_part())
    whole[whole.index(b"PK\1\2") + 6] = 99  # the version needed to extract
    return bytes(whole)


def listing(count: int) -> bytes:
    """Return an archive that is only a list of parts without names."""
    listed = (b"PK\1\2" + bytes(42)) * count
    return listed + b"PK\5\6" + bytes(8) + len(listed).to_bytes(4, "little") + bytes(6)


DAMAGED = {
    "empty": b"",
    "cut short": _with_a_part()[:-1],
    "a name that is no UTF-8": _with_a_part().replace("ä".encode(), b"\xff\xff"),
    "of a later version": _of_a_later_version(),
    "of too many parts": listing(30_000),
}

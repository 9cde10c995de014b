"""The chunks of PNG files."""

SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""How every PNG file begins."""
_GREY = 0
"""The colour type of images without colours and alpha."""


def chunk(data: bytes, kind: bytes) -> bytes | None:
    """Return the contents of the first chunk of a kind, or None if there is none."""
    start = len(SIGNATURE)
    while start + 8 <= len(data):
        length = int.from_bytes(data[start : start + 4], "big")
        if data[start + 4 : start + 8] == kind:
            return data[start + 8 : start + 8 + length]
        start += length + 12  # length, kind and checksum have four bytes each
    return None


def has_grey_levels(data: bytes) -> bool:
    """Return whether a file is a PNG of grey levels."""
    if data[: len(SIGNATURE)] != SIGNATURE:
        return False
    header = chunk(data, b"IHDR")
    return header is not None and header[9:10] == bytes([_GREY])

"""Detection of images whose pixels end early.

Decoders of these formats fill what is missing with grey or black and report nothing;
those of PNG and WebP refuse it.
"""

import re

_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])")
"""A marker of JPEG, apart from the restarts within a scan."""
_WITHOUT_LENGTH, _END = (0x01, 0xD8), 0xD9


def is_truncated(data: bytes) -> bool:
    """Return whether a JPEG, GIF or BMP ends before its pixels do.

    Parameters
    ----------
    data : bytes
        The file. Of other formats the result is False.
    """
    if data[:2] == b"\xff\xd8":
        return _jpeg(data)
    if data[:4] == b"GIF8":
        return _gif(data)
    return data[:2] == b"BM" and _bmp(data)


def _jpeg(data: bytes) -> bool:
    """Return whether no marker ends the image: ITU-T T.81, annex B."""
    start = 2
    while found := _MARKER.search(data, start):
        marker, start = found[1][0], found.end()
        if marker == _END:
            return False
        if marker not in _WITHOUT_LENGTH:
            # Segments may hold whole images, such as thumbnails.
            start += max(2, int.from_bytes(data[start : start + 2], "big"))
    return True


def _gif(data: bytes) -> bool:
    """Return whether the blocks of the first image have no end: GIF89a, 20–23."""
    start = 13 + _gif_table(data[10:11])
    while start < len(data):
        kind = data[start : start + 1]
        if kind == b",":  # an image
            start += 11 + _gif_table(data[start + 9 : start + 10])
        elif kind == b"!":  # an extension
            start += 2
        else:
            return True
        while length := data[start : start + 1]:
            start += 1 + length[0]
            if length == b"\0":
                break
        else:
            return True
        if kind == b",":
            return False
    return True


def _gif_table(flags: bytes) -> int:
    """Return the bytes of a table of colours."""
    return 3 << (flags[0] & 7) + 1 if flags and flags[0] & 0x80 else 0


def _bmp(data: bytes) -> bool:
    """Return whether there are fewer bytes than rows of plain pixels."""

    def number(start: int, size: int, *, signed: bool = False) -> int:
        return int.from_bytes(data[start : start + size], "little", signed=signed)

    if number(14, 4) == 12:  # OS/2
        width, height, bits = number(18, 2), number(20, 2), number(24, 2)
        compression = 0
    else:
        width, height = (number(start, 4, signed=True) for start in (18, 22))
        bits, compression = number(28, 2), number(30, 4)
    plain = compression in (0, 3)  # numbers, or numbers with masks
    line = (width * bits + 31) // 32 * 4
    return plain and number(10, 4) + line * abs(height) > len(data)

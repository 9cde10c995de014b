"""Tags of TIFF, which Exif has, too."""

_BITS, _SHORT = 0x0102, 3


def bits_of_levels(data: bytes) -> int:
    """Return how many bits each level of a TIFF has; 0 if it does not say.

    Parameters
    ----------
    data : bytes
        The file. Of other formats the result is 0.
    """
    return short(data, _BITS)


def short(data: bytes, tag: int) -> int:
    """Return the first number of a tag in the first directory; 0 where there is none.

    Parameters
    ----------
    data : bytes
        A TIFF, or Exif without its prefix.
    tag : int
        The tag, whose numbers have 16 bits.
    """
    if data[:4] not in (b"II*\0", b"MM\0*"):
        return 0

    def number(start: int, size: int) -> int:
        bytes_ = data[start : start + size]
        return int.from_bytes(bytes_, "little" if data[:1] == b"I" else "big")

    directory = number(4, 4)
    for entry in range(number(directory, 2)):
        start = directory + 2 + 12 * entry
        if number(start, 2) == tag and number(start + 2, 2) == _SHORT:
            inside = number(start + 4, 4) <= 2
            return number(start + 8 if inside else number(start + 8, 4), 2)
    return 0

"""The orientation of images, as their files state it."""

from attnviewer.io.images import png, tiff

_TAG = 0x0112
_PREFIX = b"Exif\0\0"


def orientation(data: bytes) -> int:
    """Return the orientation that a PNG or a WebP states; 1 if it states none.

    Parameters
    ----------
    data : bytes
        The file. Decoders turn JPEG and TIFF by themselves.

    References
    ----------
    CIPA DC-008, "Exchangeable image file format", tag Orientation: 1 to 8.
    """
    if data[: len(png.SIGNATURE)] == png.SIGNATURE:
        exif = png.chunk(data, b"eXIf")
    elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        exif = _webp_chunk(data, b"EXIF")
    else:
        return 1
    return 1 if exif is None else _of_exif(exif.removeprefix(_PREFIX))


def _webp_chunk(data: bytes, kind: bytes) -> bytes | None:
    start = 12
    while start + 8 <= len(data):
        length = int.from_bytes(data[start + 4 : start + 8], "little")
        if data[start : start + 4] == kind:
            return data[start + 8 : start + 8 + length]
        start += 8 + length + length % 2
    return None


def _of_exif(exif: bytes) -> int:
    """Return the orientation in a directory of tags, as TIFF has them."""
    found = tiff.short(exif, _TAG)
    return found if 1 <= found <= 8 else 1

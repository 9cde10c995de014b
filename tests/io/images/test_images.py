"""What the bytes of an image say of its end, and of the way it is turned."""

import struct

import pytest

from attnviewer.io.images import is_truncated, orientation

_SEGMENT = b"\xff\xe1\x00\x08\xff\xda\xff\xd9\x00\x00"  # a thumbnail has an end, too
_SCAN = b"\xff\xda\x00\x04\x01\x02" + b"\x12\xff\x00\x34\xff\xd0\x56"
_JPEG = b"\xff\xd8" + _SEGMENT + _SCAN + b"\xff\xc4\x00\x02" + _SCAN
_GIF = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + bytes(6)
_GIF += b"\x21\xf9\x04\x00\x0a\x00\x00\x00"
_GIF += (
    b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0x80) + bytes(6) + b"\x02\x02\x44\x01"
)
_BMP = b"BM" + struct.pack("<IIIIiiHHI20x", 0, 0, 54, 40, 3, -2, 1, 24, 0) + bytes(23)
_OS2 = b"BM" + struct.pack("<IIIIHHHH", 0, 0, 26, 12, 9, 2, 1, 4) + bytes(15)


@pytest.mark.parametrize(
    ("data", "last"),
    [(_JPEG, b"\xff\xff\xd9"), (_GIF, b"\0"), (_BMP, b"\0"), (_OS2, b"\0")],
    ids=["JPEG", "GIF", "BMP", "BMP of OS/2"],
)
def test_an_image_without_its_end_is_truncated(data: bytes, last: bytes) -> None:
    assert not is_truncated(data + last)
    assert not is_truncated(data + last + b"what follows")
    # The header of a BMP alone says how long it is.
    shortest = 30 if data[:2] == b"BM" else 3
    assert all(is_truncated(data[:n]) for n in range(len(data), shortest, -1))


def test_orientation_is_read_from_png_and_webp_in_either_byte_order() -> None:
    little = b"II*\0" + struct.pack("<IHHHIHHHHIH", 8, 2, 256, 3, 1, 9, 0, 274, 3, 1, 6)
    big = b"MM\0*" + struct.pack(">IHHHIH", 8, 1, 274, 3, 1, 8)
    png = b"\x89PNG\r\n\x1a\n\0\0\0\1tEXt?0000" + struct.pack(">I", len(little))
    assert orientation(png + b"eXIf" + little) == 6
    webp = b"RIFF0000WEBPVP8 \1\0\0\0??EXIF" + struct.pack("<I", 6 + len(big))
    assert orientation(webp + b"Exif\0\0" + big) == 8
    for nothing in (b"", png, webp, png + b"eXIf" + little[:9], png + b"eXIfnothing"):
        assert orientation(nothing) == 1

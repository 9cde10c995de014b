"""Files that were whole before somebody changed them."""

from hypothesis import strategies as st

_PIECES = [
    *(b"", b",", b";", b"\t", b"\n", b"\r", b'"', b"#", b"[", b"]", b"{", b"}", b":"),
    *(b"-", b"e", b"1e400", b"nan", b"9" * 400, b"null", b"1_0", b"[" * 3000, b"=1+1"),
    *(
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\xe2\x80\xae",
        b"\x1b[31m",
    ),
    *((2**k).to_bytes(8, "little") for k in (16, 31, 32, 53, 63)),
]
"""What tends to lead readers astray."""


@st.composite
def forged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Draw a file with pieces taken out, put in, repeated, or cut off."""
    content = whole
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(start + 20, len(content))))
        piece = draw(st.sampled_from(_PIECES) | st.binary(max_size=20))
        way = draw(st.sampled_from(["change", "repeat", "splice", "cut"]))
        if way == "change":
            content = content[:start] + piece + content[end:]
        elif way == "repeat":
            content = content[:end] + content[start:end] * draw(st.integers(1, 40))
        elif way == "splice":
            content = content[:end] + whole[start:]
        else:
            content = content[:start]
    return content

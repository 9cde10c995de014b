"""The layout of an example file, and decoding it strictly."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

import msgspec

from attnviewer.compute import Spec

FORMAT = "attnviewer-example"
VERSION = 1

MatrixName = Literal["X", "W_Q", "W_K", "W_V", "W_O"]
SPEC_PARTS = (
    "projected",
    "n_heads",
    "output_projection",
    "scale",
    "causal",
    "normalizer",
)
"""The fields of `Spec` that a file may give: those that the window shows."""
Positive = Annotated[int, msgspec.Meta(ge=1, le=2**31)]
# Within ±2⁵³ a drawn integer is exact as a float.
Exact = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
_Layout = TypeVar("_Layout")


class DrawPart(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One call of ``randint``; `matrix` is None for a draw thrown away."""

    shape: tuple[Positive, Positive]
    high: Exact
    low: Exact = 0
    matrix: MatrixName | None = None


class RecipePart(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A seed of NumPy's legacy generator, and the draws in their order."""

    seed: Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]
    draws: tuple[DrawPart, ...]


class ExampleFile(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A whole file. Rows of matrices stay undecoded until their size is known."""

    format: str
    version: int
    title: str
    tokens: tuple[str, ...]
    matrices: dict[MatrixName, list[msgspec.Raw]] = {}
    notes: str = ""
    recipe: RecipePart | None = None
    spec: dict[str, Any] = {}
    order: int = 0


class _Header(msgspec.Struct, frozen=True):
    format: str = ""
    version: int = 0


class SchemaError(ValueError):
    """Content that does not fit the layout, with its place as a JSON path or line."""

    def __init__(self, reason: str, place: str | None = None) -> None:
        super().__init__(reason)
        self.place = place


def decode_example(data: bytes) -> ExampleFile:
    """Decode the bytes of an example file.

    A key that stands twice in one object counts with its last value.

    Raises
    ------
    SchemaError
        If the bytes are not strict JSON in UTF-8, or not in this layout.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise SchemaError("The file is empty.")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        place = _line(data, error.start)
        raise SchemaError("It is not text in UTF-8.", place) from None
    header = _decode(data, _Header)
    if header.format != FORMAT:
        raise SchemaError(f"It is not an example file: 'format' must be '{FORMAT}'.")
    if header.version != VERSION:
        raise SchemaError(
            f"The file has version {header.version} of the format; this program "
            f"reads version {VERSION}.",
            "$.version",
        )
    return _decode(data, ExampleFile)


def decode_row(row: msgspec.Raw, place: str) -> list[float]:
    """Decode one row of a matrix.

    Raises
    ------
    SchemaError
        If it is not a list of numbers.
    """
    try:
        return msgspec.json.decode(row, type=list[float])
    except msgspec.ValidationError as error:
        reason, inner = _told(error)
        raise SchemaError(reason, place + inner.removeprefix("$")) from None


def convert_spec(parts: Mapping[str, Any]) -> Spec:
    """Return the spec that an example names; what it leaves out is the default.

    Raises
    ------
    SchemaError
        If a part is unknown or does not fit.
    """
    types = get_type_hints(Spec)
    converted = {}
    for name, value in parts.items():
        if name not in SPEC_PARTS:
            reason = f"There is no '{name}'; it may hold {', '.join(SPEC_PARTS)}."
            raise SchemaError(reason, "$.spec")
        try:
            converted[name] = msgspec.convert(value, types[name])
        except msgspec.ValidationError as error:
            reason, _ = _told(error)
            raise SchemaError(reason, f"$.spec.{name}") from None
    try:
        return Spec(**converted)
    except ValueError as error:
        raise SchemaError(str(error), "$.spec") from None


def _decode(data: bytes, layout: type[_Layout]) -> _Layout:
    try:
        return msgspec.json.decode(data, type=layout)
    except msgspec.ValidationError as error:
        reason, place = _told(error)
        raise SchemaError(reason, place) from None
    except msgspec.DecodeError as error:
        raise _malformed(data, str(error)) from None
    except RecursionError:
        raise SchemaError("Its lists are nested too deeply.") from None


def _malformed(data: bytes, message: str) -> SchemaError:
    found = re.search(r"\(byte (\d+)\)", message)
    if found is None:
        return SchemaError("It is not JSON: the text breaks off.", _line(data))
    position = int(found[1])
    place = _line(data, position)
    # The decoder stops behind the minus sign.
    start = position - (data[position - 1 : position] == b"-")
    word = re.match(rb"-?(NaN|Infinity)", data[start : start + 9])
    if word:
        reason = f"{word[0].decode()} is not allowed: numbers must be finite."
        return SchemaError(reason, place)
    told = re.sub(r"^JSON is malformed: | \(byte \d+\)$", "", message)
    return SchemaError(f"It is not JSON: {told}.", place)


def _line(data: bytes, position: int | None = None) -> str:
    end = len(data) if position is None else position
    breaks = data.count(b"\n", 0, end)
    return f"line {breaks + 1}"


_TYPES = {
    "`float`": "a number",
    "`int`": "a whole number",
    "`str`": "a text",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "an object",
    "`null`": "null",
}


def _told(error: msgspec.ValidationError) -> tuple[str, str]:
    reason, _, where = str(error).partition(" - at ")
    place = next(iter(re.findall(r"`(\$[^`]*)`", where)), "$")
    reason = reason.replace("Invalid enum value", "Unknown name")
    for name, words in _TYPES.items():
        reason = reason.replace(name, words)
    reason = reason.replace("`", "'")
    end = "" if reason.endswith((".", "?")) else "."
    return reason + end, place

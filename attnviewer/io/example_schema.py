"""The layout of an example file, decoded strictly."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_type_hints

import msgspec

from attnviewer.compute import Sinusoidal, Spec
from attnviewer.io.strict_json import (
    SchemaError,
    bare,
    decode,
    line,
    reason_and_location,
)

FORMAT = "attnviewer-example"
VERSION = 1

MatrixName = Literal["X", "W_Q", "W_K", "W_V", "W_O", "Q", "K", "V"]
SPEC_PARTS = (
    "projected",
    "given",
    "n_heads",
    "output_projection",
    "positions",
    "scale",
    "causal",
    "normalizer",
)
"""The fields of `Spec` that a file may set, as plain values; positions by their
name, which can only be ``sinusoidal``."""
Positive = Annotated[int, msgspec.Meta(ge=1, le=2**31)]
Index = Annotated[int, msgspec.Meta(ge=0)]
# Within ±2⁵³ a drawn integer is exact as a float.
Exact = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]


class DrawPart(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One call of ``randint``; `matrix` is None for a discarded draw."""

    shape: tuple[Positive, Positive]
    high: Exact
    low: Exact = 0
    matrix: MatrixName | None = None


class RecipePart(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A seed of NumPy's legacy generator, and the draws in their order."""

    seed: Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]
    draws: tuple[DrawPart, ...]


class CellPart(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The attention weight that the example is about, counted from zero."""

    query: Index
    key: Index
    head: Index = 0


class TrainingPart(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The training that the example is about."""

    task: Literal["copy_previous", "same_token", "reverse", "repeated", "next_token"]
    free: Annotated[tuple[MatrixName, ...], msgspec.Meta(min_length=1)]
    optimizer: Literal["sgd", "momentum", "adam", "adamw"] = "adam"
    lr: Annotated[float, msgspec.Meta(gt=0)] = 0.01
    steps: Positive = 300


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
    cell: CellPart | None = None
    training: TrainingPart | None = None


class _Header(msgspec.Struct, frozen=True):
    format: str = ""
    version: int = 0


def decode_example(data: bytes) -> ExampleFile:
    """Decode the bytes of an example file.

    Of a repeated key the last value counts.

    Raises
    ------
    SchemaError
        If the bytes are not strict JSON in UTF-8, or not in this layout.
    """
    data = bare(data)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        location = line(data, error.start)
        raise SchemaError("It is not text in UTF-8.", location) from None
    header = decode(data, _Header)
    if header.format != FORMAT:
        raise SchemaError(f"It is not an example file: 'format' must be '{FORMAT}'.")
    if header.version != VERSION:
        raise SchemaError(
            f"The file has version {header.version} of the format; this program "
            f"reads version {VERSION}.",
            "$.version",
        )
    return decode(data, ExampleFile)


def decode_row(row: msgspec.Raw, location: str) -> list[float]:
    """Decode one row of a matrix.

    Raises
    ------
    SchemaError
        If it is not a list of numbers.
    """
    try:
        return decode(row, list[float])
    except SchemaError as error:
        inner = (error.location or "").removeprefix("$")
        raise SchemaError(str(error), location + inner) from None


def convert_spec(parts: Mapping[str, Any]) -> Spec:
    """Return the spec of an example; missing fields have their defaults.

    Raises
    ------
    SchemaError
        If a part is unknown or does not fit.
    """
    types = get_type_hints(Spec) | {"positions": Literal["sinusoidal"]}
    converted = {}
    for name, value in parts.items():
        if name not in SPEC_PARTS:
            reason = f"There is no '{name}'; it may hold {', '.join(SPEC_PARTS)}."
            raise SchemaError(reason, "$.spec")
        try:
            converted[name] = msgspec.convert(value, types[name])
            if name == "positions":
                converted[name] = Sinusoidal()
        except msgspec.ValidationError as error:
            reason, _ = reason_and_location(error)
            raise SchemaError(reason, f"$.spec.{name}") from None
    try:
        return Spec(**converted)
    except ValueError as error:
        raise SchemaError(str(error), "$.spec") from None

"""Expressions as Python code, with NumPy or PyTorch."""

from collections.abc import Mapping
from dataclasses import dataclass

from attnviewer.compute.expression import (
    Absolute,
    Difference,
    Exponential,
    Expression,
    HyperbolicTangent,
    Logarithm,
    Logistic,
    LogOnePlus,
    Maximum,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    SquareRoot,
)
from attnviewer.compute.notation.printer import (
    ANY,
    BARE,
    BASE,
    FACTOR,
    PRODUCT,
    QUOTIENT,
    SUM,
    Form,
    Notation,
    Piece,
    Pieces,
    call,
    infix,
)


@dataclass(frozen=True, slots=True)
class Library:
    """The names that an array library has for what programs need.

    Parameters
    ----------
    module : str
        The name under which programs import it.
    row_sum, row_maximum, row_winner : str
        The calls that reduce (..., rows, n_k) to (..., rows, 1).
    logistic : Form
        The logistic function.
    """

    module: str
    row_sum: str
    row_maximum: str
    row_winner: str
    logistic: Form


NUMPY = Library(
    "np",
    "sum(axis=-1, keepdims=True)",
    "max(axis=-1, keepdims=True)",
    "argmax(axis=-1)[..., None]",
    Form(("1 / (1 + np.exp(-", "))"), (FACTOR,), QUOTIENT),
)
TORCH = Library(
    "torch",
    "sum(dim=-1, keepdim=True)",
    "amax(dim=-1, keepdim=True)",
    "argmax(dim=-1)[..., None]",
    call("torch.sigmoid"),
)


class Program(Notation):
    """Code for arrays.

    Parameters
    ----------
    library : Library
        The library that it uses.
    names : mapping of Expression to str
        The variables that hold some expressions.
    """

    def __init__(
        self, library: Library, names: Mapping[Expression, str] | None = None
    ) -> None:
        super().__init__(names)
        self.library = library
        module = library.module
        self._forms: dict[type, Form] = {
            Difference: infix(" - ", SUM, QUOTIENT, SUM),
            Product: infix(" * ", QUOTIENT, FACTOR, PRODUCT),
            Quotient: infix(" / ", QUOTIENT, FACTOR, QUOTIENT),
            Exponential: call(f"{module}.exp"),
            Logarithm: call(f"{module}.log"),
            LogOnePlus: call(f"{module}.log1p"),
            Logistic: library.logistic,
            SquareRoot: call(f"{module}.sqrt"),
            Negative: Form(("-", ""), (FACTOR,), SUM),
            Power: infix(" ** ", BASE, BARE, FACTOR),
            HyperbolicTangent: call(f"{module}.tanh"),
            Absolute: call(f"{module}.abs"),
            Maximum: Form((f"{module}.maximum(", ", ", ")"), (ANY, ANY), BASE),
        }

    @property
    def forms(self) -> Mapping[type, Form]:
        return self._forms

    def number(self, number: Number) -> Pieces:
        return (Piece(repr(number.value).removesuffix(".0")),)

    def number_strength(self, number: Number) -> int:
        return BARE if number.value >= 0 else BASE

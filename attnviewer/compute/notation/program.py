"""Expressions as Python code, with NumPy or PyTorch."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from attnviewer.compute.expression import (
    Difference,
    Expression,
    Maximum,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
)
from attnviewer.compute.functions import (
    Absolute,
    Cosine,
    Exponential,
    HyperbolicTangent,
    Logarithm,
    Logistic,
    LogOnePlus,
    Sine,
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
    """The names of the functions of an array library that programs use.

    Parameters
    ----------
    module : str
        The name under which programs import it.
    axis, keepdims : str
        The parameters for the axis of a call, and for keeping it with length 1.
    largest : str
        The method for the largest number along an axis.
    copy : str
        The call that copies an array.
    bool_type : str
        The type of truth values.
    sorted_values : str
        The suffix of a sort that returns the sorted numbers.
    logistic : Form
        The logistic function.
    functions : mapping of str to str
        Its names of functions that differ from NumPy's.
    """

    module: str
    axis: str
    keepdims: str
    largest: str
    copy: str
    bool_type: str
    sorted_values: str
    logistic: Form
    functions: Mapping[str, str] = field(default_factory=dict)

    def call(self, function: str, *arguments: object, axis: int | None = None) -> str:
        """Return the call of a function given by its NumPy name."""
        written = [*map(str, arguments)]
        if axis is not None:
            written.append(f"{self.axis}={axis}")
        name = self.functions.get(function, function)
        return f"{self.module}.{name}({', '.join(written)})"

    @property
    def row_sum(self) -> str:
        """The call that adds up (..., rows, n_k) to (..., rows, 1)."""
        return f"sum({self._whole_rows})"

    def sum_over(self, axes: tuple[int, ...]) -> str:
        """Return the call that adds up over some axes, each kept with length 1."""
        over = str(axes[0]) if len(axes) == 1 else str(axes)
        return f"sum({self.axis}={over}, {self.keepdims}=True)"

    @property
    def row_maximum(self) -> str:
        """The call that returns the largest number of each row, (..., rows, 1)."""
        return f"{self.largest}({self._whole_rows})"

    @property
    def row_winner(self) -> str:
        """The call that returns the position of that number, (..., rows, 1)."""
        return f"argmax({self.axis}=-1)[..., None]"

    @property
    def _whole_rows(self) -> str:
        return f"{self.axis}=-1, {self.keepdims}=True"


NUMPY = Library(
    module="np",
    axis="axis",
    keepdims="keepdims",
    largest="max",
    copy="copy()",
    bool_type="bool",
    sorted_values="",
    logistic=Form(("1 / (1 + np.exp(-", "))"), (FACTOR,), QUOTIENT),
)
TORCH = Library(
    module="torch",
    axis="dim",
    keepdims="keepdim",
    largest="amax",
    copy="clone()",
    bool_type="torch.bool",
    sorted_values=".values",
    logistic=call("torch.sigmoid"),
    functions={
        "array": "tensor",
        "concatenate": "cat",
        "repeat": "repeat_interleave",
        "take_along_axis": "take_along_dim",
    },
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
            Cosine: call(f"{module}.cos"),
            Sine: call(f"{module}.sin"),
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

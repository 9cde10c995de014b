"""The table of fills."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from attnviewer.document import (
    MASK,
    Document,
    Draw,
    Edit,
    Recipe,
    exact_text,
    parse_number,
)
from attnviewer.document.drawing.distributions import (
    Distribution,
    Integers,
    Normal,
    Orthogonal,
    Uniform,
    Xavier,
)
from attnviewer.document.drawing.draws import draw_edit
from attnviewer.document.fills import (
    Constant,
    Fill,
    Identity,
    Negate,
    OneHot,
    Round,
    Scale,
    Transpose,
    fill_edit,
    suits_mask,
)
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.inputs.fills.targets import Target

_tr = translate_in("FillChoices")

Number: TypeAlias = float | int


@dataclass(frozen=True, slots=True)
class Field:
    """A number that a fill asks for.

    Parameters
    ----------
    name : str
        Its name in reasons.
    label : str
        Its label in dialogs, with mnemonic.
    start : str
        Its initial text.
    whole : bool
        Whether it must be an integer.
    fills : bool
        Whether it is written to the cells, and so may be −inf where they may.
    """

    name: str
    label: str
    start: str
    whole: bool = False
    fills: bool = False

    def read(self, text: str, *, infinite: bool = False) -> Number:
        """Parse a typed number.

        Parameters
        ----------
        text : str
            The typed text.
        infinite : bool
            Whether the cells may hold −inf.

        Raises
        ------
        ValueError
            With the reason why the text is refused.
        """
        if self.whole:
            return read_whole(self.name, text)
        return parse_number(text, infinite=infinite and self.fills)


@dataclass(frozen=True, slots=True)
class FillChoice:
    """One kind of fill.

    Parameters
    ----------
    name : str
        Its internal name.
    text : str
        Its menu text, with mnemonic.
    label : str
        Its undo text, with ``{cells}`` and the names of the fields; for draws,
        ``{drawn}`` and ``{seed}``.
    make : callable
        Makes a fill from the fields' numbers.
    draw : callable
        Makes a distribution from the numbers and the shape of the whole matrix.
    fields : tuple of Field
        The numbers it asks for.
    """

    name: str
    text: str
    label: str
    make: Callable[..., Fill] | None = None
    draw: Callable[[Sequence[Number], tuple[int, int]], Distribution] | None = None
    fields: tuple[Field, ...] = ()

    def suits(self, matrix: str) -> bool:
        """Return whether cells of a matrix can be filled like this."""
        if matrix != MASK:
            return True
        return self.make is not None and not self.fields and suits_mask(self.make())

    @property
    def title(self) -> str:
        """Its title in lists."""
        return self.text.replace("&", "")


def choices() -> dict[str, FillChoice]:
    """Return all fills by name."""
    table = (*_constant_choices(), *_changing_choices(), *_random_choices())
    return {choice.name: choice for choice in table}


def order(
    document: Document,
    choice: FillChoice,
    numbers: Sequence[Number],
    targets: Sequence[Target],
    stream: Recipe | None = None,
) -> Edit | None:
    """Return the edit that fills cells.

    Parameters
    ----------
    document : Document
        The document.
    choice : FillChoice
        The fill.
    numbers : sequence of float or int
        The values of its fields.
    targets : sequence of Target
        The cells; more than one block only for draws.
    stream : Recipe, optional
        The random stream.

    Returns
    -------
    SetCells, Replace or None
        None if nothing would change.

    Raises
    ------
    ValueError
        With the reason, if they cannot be filled like this.
    """
    cells = ", ".join(target.text for target in targets)
    edit: Edit | None
    if choice.draw is None:
        assert choice.make is not None
        (target,) = targets
        texts = [exact_text(float(number)) for number in numbers]
        named = {f.name: t for f, t in zip(choice.fields, texts, strict=True)}
        label = choice.label.format(cells=cells, **named)
        fill = choice.make(*numbers)
        edit = fill_edit(document, target.matrix, target.block, fill, label)
    else:
        assert stream is not None
        draws = [
            _draw(choice.draw(numbers, target.shape), target) for target in targets
        ]
        drawn = draws[0].distribution.title
        label = choice.label.format(cells=cells, drawn=drawn, seed=stream.seed)
        edit = draw_edit(document, stream, draws, label)
    if edit is not None:
        document.check(edit)
    return edit


def read_whole(name: str, text: str) -> int:
    """Parse a typed integer.

    Raises
    ------
    ValueError
        With the reason why the text is refused.
    """
    number = parse_number(text)
    if not number.is_integer():
        raise ValueError(
            f"The '{name}' must be a whole number. Got {text.strip()} instead."
        )
    return int(number)


def _draw(distribution: Distribution, target: Target) -> Draw:
    block = target.block
    shape = block.height, block.width
    return Draw(shape, distribution, target.matrix, block.row, block.column)


def _constant_choices() -> tuple[FillChoice, ...]:
    return (
        FillChoice(
            "zeros",
            _tr("&Zeros"),
            _tr("Fill {cells} with zeros"),
            lambda: Constant(0.0),
        ),
        FillChoice(
            "ones",
            _tr("&Ones"),
            _tr("Fill {cells} with ones"),
            lambda: Constant(1.0),
        ),
        FillChoice(
            "constant",
            _tr("One n&umber"),
            _tr("Fill {cells} with {value}"),
            Constant,
            fields=(Field("value", _tr("Num&ber"), "0.5", fills=True),),
        ),
        FillChoice(
            "identity",
            _tr("&Identity"),
            _tr("Fill {cells} with the identity"),
            Identity,
        ),
        FillChoice(
            "one_hot",
            _tr("One-&hot rows"),
            _tr("Fill {cells} with one-hot rows"),
            OneHot,
        ),
    )


def _changing_choices() -> tuple[FillChoice, ...]:
    return (
        FillChoice("negate", _tr("&Negate"), _tr("Negate {cells}"), Negate),
        FillChoice(
            "scale",
            _tr("&Scale"),
            _tr("Scale {cells} by {factor}"),
            Scale,
            fields=(Field("factor", _tr("F&actor"), "2"),),
        ),
        FillChoice(
            "round",
            _tr("&Round"),
            _tr("Round {cells} to {decimals} decimals"),
            Round,
            fields=(Field("decimals", _tr("De&cimals"), "2", whole=True),),
        ),
        FillChoice(
            "transpose",
            _tr("&Transpose"),
            _tr("Transpose {cells}"),
            Transpose,
        ),
    )


def _random_choices() -> tuple[FillChoice, ...]:
    drawn = _tr("Draw {cells}: {drawn}, seed {seed}")
    return (
        FillChoice(
            "integers",
            _tr("Random &integers"),
            drawn,
            draw=lambda numbers, _: Integers(int(numbers[1]), int(numbers[0])),
            fields=(
                Field("low", _tr("&Low"), "0", whole=True),
                Field("high", _tr("H&igh (exclusive)"), "3", whole=True),
            ),
        ),
        FillChoice(
            "normal",
            _tr("Random &normal"),
            drawn,
            draw=lambda numbers, _: Normal(*numbers),
            fields=(
                Field("mean", _tr("Me&an"), "0"),
                Field("deviation", _tr("Standard dev&iation"), "1"),
            ),
        ),
        FillChoice(
            "uniform",
            _tr("Random &uniform"),
            drawn,
            draw=lambda numbers, _: Uniform(*numbers),
            fields=(Field("low", _tr("&Low"), "0"), Field("high", _tr("H&igh"), "1")),
        ),
        FillChoice(
            "xavier",
            _tr("Random &Xavier (Glorot)"),
            drawn,
            draw=lambda _, shape: Xavier(*shape),
        ),
        FillChoice(
            "orthogonal",
            _tr("Random &orthogonal"),
            drawn,
            draw=lambda _, shape: Orthogonal(),
        ),
    )

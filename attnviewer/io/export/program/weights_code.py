"""Code of the normaliser, from its rule."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from attnviewer.compute import Expression, Normalizer, Number
from attnviewer.compute.expression import Maximum
from attnviewer.compute.functions import Logarithm
from attnviewer.compute.notation import Library, Piece, Pieces, Program
from attnviewer.compute.notation.printer import ANY, BASE
from attnviewer.compute.rules import (
    SCORE,
    SINK,
    IsAt,
    KeyCount,
    Named,
    RowMaximum,
    RowSum,
    RowWinner,
    Symbol,
    Threshold,
    nodes,
    stays_masked,
    vanishes,
)


@dataclass(frozen=True, slots=True)
class ScoreRows:
    """The facts about the normalised scores that code depends on.

    Parameters
    ----------
    name : str
        The variable.
    n_keys : int
        The number of keys.
    hidden : bool
        Whether any score is −inf.
    blind : bool
        Whether all scores of some row are.
    idle : bool
        Whether all weights of some row are 0.
    undefined : bool
        Whether any weight is NaN.
    sink : str
        The sinks as an array that broadcasts to the scores; "" without them.
    """

    name: str
    n_keys: int
    hidden: bool
    blind: bool
    idle: bool
    undefined: bool
    sink: str = ""


def weights_code(
    normalizer: Normalizer, rows: ScoreRows, library: Library, name: str = "weights"
) -> list[str]:
    """Return the lines that compute the variable `name`, the normalised scores."""
    return list(_lines(normalizer, rows, library, name))


def _lines(
    normalizer: Normalizer, rows: ScoreRows, library: Library, result: str
) -> Iterator[str]:
    where, scores = f"{library.module}.where", rows.name
    if normalizer.temperature != 1.0 and not normalizer.cancels_temperature:
        scores = "cooled"
        yield f"{scores} = {rows.name} / {normalizer.temperature!r}"
    variables: dict[Expression, str] = {SCORE: scores}
    if rows.sink:
        variables[SINK] = "sink"
        yield f"sink = {rows.sink}"
    writer = _Rule(library, variables, rows)
    rule = normalizer.rule
    for node in nodes(rule):
        if not isinstance(node, Named) or not _varies(node):
            continue
        name = node.name
        yield f"{name} = {writer.text(node.body)}"
        variables[node] = name
        if rows.blind and isinstance(node.body, RowMaximum):
            yield f"{name} = {where}({name} == -inf, 0, {name})"
        if isinstance(node.body, RowSum):
            if normalizer.signed and rows.undefined:
                yield f"{name} = {where}({name} == 0, nan, {name})"
            elif rows.idle and not normalizer.signed:
                yield f"{name} = {where}({name} == 0, 1, {name})  # no key: no weight"
    weights = writer.text(rule)
    if rows.hidden and not vanishes(rule):
        weights = f"{where}({rows.name} == -inf, 0, {weights})"
    yield f"{result} = {weights}"


def _varies(named: Named) -> bool:
    """Return whether a part depends on the scores, so that each row has its own."""
    return SCORE in nodes(named)


class _Rule(Program):
    """Prints a rule as code.

    Parameters
    ----------
    library : Library
        The library.
    variables : mapping of Expression to str
        The nodes that are stored in variables.
    rows : ScoreRows
        The scores.
    """

    def __init__(
        self, library: Library, variables: Mapping[Expression, str], rows: ScoreRows
    ) -> None:
        super().__init__(library, variables)
        self._rows = rows

    def operation(self, expression: Expression, *, leading: bool) -> Pieces:
        if expression in self.names:
            return super().operation(expression, leading=leading)
        library, module = self.library, self.library.module
        match expression:
            case KeyCount():
                return (Piece(str(self._rows.n_keys)),)
            case RowMaximum(term):
                return (*self._open(term), Piece(f".{library.row_maximum}"))
            case RowSum(term):
                seen = self.operand(term, BASE)
                if self._rows.hidden and not vanishes(term):
                    seen = self._masked_as("0", term)
                return (*seen, Piece(f".{library.row_sum}"))
            case RowWinner(term):
                return (*self._open(term), Piece(f".{library.row_winner}"))
            case Threshold(term, power):
                terms = self._open(term, ANY)
                return (Piece("threshold("), *terms, Piece(f", {power})"))
            case IsAt(index):
                keys = f"{module}.arange({self._rows.n_keys}) == "
                test: Pieces = (Piece(keys), *self.operand(index, BASE))
                if self._rows.blind:
                    open_keys = f") & ({self._rows.name} > -inf)"
                    test = (Piece("("), *test, Piece(open_keys))
                return (Piece(f"{module}.where("), *test, Piece(", 1.0, 0.0)"))
            case Maximum(Number(least), other) | Maximum(other, Number(least)):
                clip = Piece(f".clip(min={least:g})")
                return (*self.operand(other, BASE), clip)
            case Logarithm(number) if SCORE not in nodes(number):
                return (Piece("math.log("), *self.write(number), Piece(")"))
        return super().operation(expression, leading=leading)

    def _open(self, term: Expression, least: int = BASE) -> Pieces:
        """Write terms such that none of a masked key is the largest."""
        if self._rows.hidden and not stays_masked(term):
            return self._masked_as("-inf", term)
        return self.operand(term, least)

    def _masked_as(self, number: str, term: Expression) -> Pieces:
        """Write terms with the same number for every masked key."""
        start = f"{self.library.module}.where({self._rows.name} == -inf, {number}, "
        return (Piece(start), *self.operand(term, ANY), Piece(")"))

    def strength(self, expression: Expression) -> int:
        if isinstance(expression, Symbol):
            return BASE
        return super().strength(expression)

"""From scores to weights as NumPy code, a function per normaliser."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from attnviewer.compute import Normalizer


@dataclass(frozen=True, slots=True)
class Rows:
    """The scores that are normalised, as code needs to know them.

    Parameters
    ----------
    name : str
        The variable.
    n_keys : int
        How many keys they are for.
    hidden : bool
        Whether any is −inf.
    blind : bool
        Whether all of some row are.
    undefined : bool
        Whether any weight is NaN.
    far : bool
        Whether two scores may differ by more than the largest number.
    """

    name: str
    n_keys: int
    hidden: bool
    blind: bool
    undefined: bool
    far: bool


def weights_code(normalizer: Normalizer, rows: Rows) -> list[str]:
    """Return the lines that compute ``weights``.

    Raises
    ------
    KeyError
        If there is no code for the normaliser.
    """
    if rows.far and normalizer.temperature > 1:
        # The differences of halves do not overflow, and half the temperature follows.
        rows = replace(rows, name=f"({rows.name} / 2)")
        normalizer = replace(normalizer, temperature=normalizer.temperature / 2)
    return NORMALIZER_CODE[normalizer.name](normalizer, rows)


def _over(normalizer: Normalizer, code: str) -> str:
    """Return code divided by the temperature."""
    if normalizer.temperature == 1.0:
        return code
    return f"({code}) / {normalizer.temperature!r}"


def _softmax(normalizer: Normalizer, rows: Rows) -> list[str]:
    lines = [f"largest = {rows.name}.max(axis=-1, keepdims=True)"]
    total = "exponentials.sum(axis=-1, keepdims=True)"
    if rows.blind:
        lines.append("largest = np.where(largest == -inf, 0, largest)")
    lines += [
        f"exponentials = np.exp({_over(normalizer, f'{rows.name} - largest')})",
        f"total = {total}",
    ]
    if rows.blind:
        lines.append("total = np.where(total == 0, 1, total)  # no key: no weight")
    return [*lines, "weights = exponentials / total"]


def _softmax1(normalizer: Normalizer, rows: Rows) -> list[str]:
    own = _over(normalizer, f"{rows.name} - largest")
    beside = _over(normalizer, "0 - largest")
    return [
        f"largest = {rows.name}.max(axis=-1, keepdims=True).clip(min=0)",
        f"exponentials = np.exp({own})",
        "# One more key, of score 0, takes part in the sum.",
        f"total = np.exp({beside}) + exponentials.sum(axis=-1, keepdims=True)",
        "weights = exponentials / total",
    ]


def _sigmoid(normalizer: Normalizer, rows: Rows) -> list[str]:
    lines = []
    scores = rows.name
    if normalizer.temperature != 1.0:
        scores = f"{scores} / {normalizer.temperature!r}"
    if getattr(normalizer, "length_bias", True):
        lines.append("# The log of the number of keys keeps the sums of rows near 1.")
        return [
            *lines,
            f"weights = 1 / (1 + np.exp(math.log({rows.n_keys}) - {scores}))",
        ]
    return [f"weights = 1 / (1 + np.exp(-{scores}))"]


def _sum(normalizer: Normalizer, rows: Rows) -> list[str]:
    lines, name = [], rows.name
    if rows.hidden:
        lines.append(f"seen_scores = np.where({name} == -inf, 0, {name})")
        name = "seen_scores"
    lines.append(f"total = {name}.sum(axis=-1, keepdims=True)")
    if rows.undefined:
        lines.append("total = np.where(total == 0, nan, total)")
    if rows.blind:
        blind = f"({rows.name} == -inf).all(axis=-1, keepdims=True)"
        lines.append(f"total = np.where({blind}, 1, total)  # no key: no weight")
    weights = f"{name} / total"
    if rows.hidden and rows.undefined:
        weights = f"np.where({rows.name} == -inf, 0, {weights})"
    return [*lines, f"weights = {weights}"]


def _thresholded(normalizer: Normalizer, rows: Rows) -> list[str]:
    arguments = rows.name
    if normalizer.temperature != 1.0:
        arguments += f", temperature={normalizer.temperature!r}"
    return [f"weights = {normalizer.name}({arguments})"]


def _unchanged(normalizer: Normalizer, rows: Rows) -> list[str]:
    scores = rows.name
    if normalizer.temperature != 1.0:
        scores = f"{scores} / {normalizer.temperature!r}"
    if not rows.hidden:
        return [f"weights = {scores}"]
    return [f"weights = np.where({rows.name} == -inf, 0, {scores})"]


def _hardmax(normalizer: Normalizer, rows: Rows) -> list[str]:
    chosen = f"np.arange({rows.n_keys}) == winner"
    if rows.blind:
        chosen = f"({chosen}) & ({rows.name} > -inf)"
    return [
        f"winner = {rows.name}.argmax(axis=-1)[..., None]  # of equal ones, the first",
        f"weights = np.where({chosen}, 1.0, 0.0)",
    ]


NORMALIZER_CODE: dict[str, Callable[[Normalizer, Rows], list[str]]] = {
    "softmax": _softmax,
    "softmax1": _softmax1,
    "sigmoid": _sigmoid,
    "sum": _sum,
    "sparsemax": _thresholded,
    "entmax15": _thresholded,
    "hardmax": _hardmax,
    "none": _unchanged,
}

"""Numbers one after the other as a curve in SVG, for light and dark pages."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.html import HIGH
from attnviewer.compute.number_text import format_number
from attnviewer.compute.statistics import finite_limits

MOST_POINTS = 512
"""The most points of a curve; of more numbers, as many at equal distances."""
_WIDTH, _HEIGHT, _MARGIN = 384, 120, 4
_DECIMALS = 4


def curve_svg(values: Sequence[float] | np.ndarray) -> str:
    """Return a curve with its largest and smallest number; "" without two finite ones.

    It has gaps where numbers are not finite.

    Parameters
    ----------
    values : array_like, shape (n,)
        The numbers.
    """
    numbers = np.asarray(values, np.float64)
    if np.isfinite(numbers).sum() < 2:
        return ""
    ends = finite_limits(numbers)
    assert ends is not None
    low, high = ends
    places = np.unique(
        np.linspace(0, len(numbers) - 1, MOST_POINTS).round().astype(np.intp)
    )
    height = _HEIGHT - 2 * _MARGIN
    x = _MARGIN + places * ((_WIDTH - 2 * _MARGIN) / (len(numbers) - 1))
    shares = (high - numbers[places]) / ((high - low) or 1.0)  # 0 is the top
    y = _MARGIN + height * shares
    path, pen = "", "M"
    for across, down in zip(x.tolist(), y.tolist(), strict=True):
        if np.isfinite(down):
            path, pen = f"{path}{pen}{across:.1f} {down:.1f}", "L"
        else:
            pen = "M"
    labels = "".join(
        f'<text x="{_WIDTH + _MARGIN}" y="{at}">'
        f"{format_number(number, _DECIMALS)}</text>"
        for number, at in ((high, 12), (low, _HEIGHT - _MARGIN))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH + 80}" '
        f'height="{_HEIGHT}" font-size="11" font-family="sans-serif" '
        f'fill="currentColor"><rect x="0.5" y="0.5" width="{_WIDTH - 1}" '
        f'height="{_HEIGHT - 1}" fill="none" stroke="currentColor" '
        f'stroke-opacity="0.3"/><path fill="none" stroke="rgb({HIGH})" '
        f'stroke-width="1.5" d="{path}"/>{labels}</svg>'
    )

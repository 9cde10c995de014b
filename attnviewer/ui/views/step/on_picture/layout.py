"""The layout of special tokens, the grid and the colour bar."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from attnviewer.document.token_grid import TokenGrid

MARGIN, GAP, BAR = 16.0, 10.0, 12.0
"""Around all, between the parts, and the width of the colour bar, in pixels."""


@dataclass(frozen=True, slots=True)
class GridLayout:
    """The rectangles of tokens in a widget.

    Parameters
    ----------
    grid : TokenGrid
        The grid.
    special : tuple of QRectF
        The special tokens, side by side above the grid.
    picture : QRectF
        The grid.
    bar : QRectF
        The colours.
    """

    grid: TokenGrid
    special: tuple[QRectF, ...]
    picture: QRectF
    bar: QRectF

    @classmethod
    def of(
        cls, grid: TokenGrid, room: QRectF, line: float, wide: float, beside: float
    ) -> "GridLayout":
        """Lay a grid out, as large as there is room for.

        Parameters
        ----------
        grid : TokenGrid
            The grid.
        room : QRectF
            The room.
        line : float
            Height of a line of text.
        wide : float
            Width of the widest special token.
        beside : float
            Width of the colour bar's numbers.
        """
        inner = room.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        above = 1.8 * line + GAP if grid.n_special else 0.0
        width = max(1.0, inner.width() - GAP - BAR - beside)
        height = max(1.0, inner.height() - above)
        shape = grid.columns / grid.rows
        if grid.image is not None:
            shape = grid.image.shape[1] / grid.image.shape[0]
        width, height = min(width, height * shape), min(height, width / shape)
        left = inner.left() + (inner.width() - GAP - BAR - beside - width) / 2
        picture = QRectF(max(left, inner.left()), inner.top() + above, width, height)
        each = min(wide + line, (inner.width() - GAP) / max(1, grid.n_special))
        special = tuple(
            QRectF(picture.left() + k * each, inner.top(), each, 1.8 * line)
            for k in range(grid.n_special)
        )
        bar = QRectF(picture.right() + GAP, picture.top(), BAR, height)
        return cls(grid, special, picture, bar)

    def rect(self, token: int) -> QRectF:
        """Return the rectangle of a token."""
        place = self.grid.place(token)
        if place is None:
            return self.special[token]
        width = self.picture.width() / self.grid.columns
        height = self.picture.height() / self.grid.rows
        row, column = place
        left, top = self.picture.left(), self.picture.top()
        return QRectF(left + column * width, top + row * height, width, height)

    def token_at(self, point: QPointF) -> int | None:
        """Return the token at a point; None beside them."""
        for token, rect in enumerate(self.special):
            if rect.contains(point):
                return token
        if not self.picture.contains(point):
            return None
        at = point - self.picture.topLeft()
        grid = self.grid
        row = min(int(at.y() / self.picture.height() * grid.rows), grid.rows - 1)
        column = int(at.x() / self.picture.width() * grid.columns)
        return grid.token(row, min(column, grid.columns - 1))

"""Places everything of the strip, given its sizes."""

from PySide6.QtCore import QPoint, QRect, QSize

from attnviewer.ui.views.flow.graph import Edge, Node
from attnviewer.ui.views.flow.places import CardPlace, FlowLayout, Line, WordsPlace
from attnviewer.ui.views.flow.sizes import (
    BESIDE,
    NAME_GAP,
    TO_NAME,
    Sizes,
)

_WIDEST_GAP = 70
_BEYOND = 6
_APART = 5
"""By how much edges part that lead to the same pill."""


def placed(sizes: Sizes, width: int) -> FlowLayout:
    """Place everything, spread over the width."""
    gaps, spare = list(sizes.gaps), width - sizes.needed
    if gaps:
        widest = sizes.letters.pixels(_WIDEST_GAP)
        each = min(max(0, spare) // len(gaps), widest)
        gaps = [gap + each for gap in gaps]
        spare -= each * len(gaps)
    x = sizes.margin + max(0, spare) // 2
    lefts = []
    for column, gap in zip(sizes.widths, [*gaps, 0], strict=True):
        lefts.append(x)
        x += column + gap
    return _Placing(sizes, lefts, gaps).layout()


class _Placing:
    """Places everything in columns whose left edges are known."""

    def __init__(self, sizes: Sizes, lefts: list[int], gaps: list[int]) -> None:
        self._sizes = sizes
        self._lefts = lefts
        self._gaps = gaps
        self._cards: dict[str, CardPlace] = {}
        self._pills: dict[str, WordsPlace] = {}
        self._words: dict[str, WordsPlace] = {}

    def layout(self) -> FlowLayout:
        sizes = self._sizes
        mixing = [node.column for node in sizes.graph.nodes if node.operation]
        for node in sizes.graph.nodes:
            if node.operation:
                self._pills[node.name] = self._place_pill(node)
            else:
                last = max(mixing, default=-1)
                after = node.place == "main" and node.column > last
                self._cards[node.name] = self._place_card(node, free_below=after)
        for edge in sizes.graph.edges:
            if edge.operation:
                self._words[edge.target] = self._place_words(edge)
        lines = tuple(map(self._line, sizes.graph.edges))
        names = sizes.names
        return FlowLayout(self._cards, self._pills, self._words, lines, names)

    def _middle(self, column: int) -> int:
        return self._lefts[column] + self._sizes.widths[column] // 2

    def _place_pill(self, node: Node) -> WordsPlace:
        size = self._sizes.pill(node)
        corner = QPoint(
            self._middle(node.column) - size.width() // 2,
            self._sizes.centre(node) - size.height() // 2,
        )
        return WordsPlace(QRect(corner, size), self._sizes.pill_lines(node))

    def _place_card(self, node: Node, *, free_below: bool) -> CardPlace:
        sizes, letters = self._sizes, self._sizes.letters
        size, out = sizes.card(node), sizes.out(node)
        n_sheets = sizes.sheets(node) if out else 0
        top = sizes.centre(node) - (size.height() - out) // 2
        if node.place in BESIDE:
            left = self._lefts[node.column] + sizes.names_beside(node.column)
        else:
            left = self._middle(node.column) - (size.width() + out) // 2
        frame = QRect(QPoint(left, top), size)
        sheets = tuple(
            frame.translated(out * k // n_sheets, -out * k // n_sheets)
            for k in range(n_sheets, 0, -1)
        )
        cards = QRect(frame)
        for sheet in sheets:
            cards |= sheet
        title = self._title(node, frame, cards)
        picture = caption = QRect()
        if not sizes.mapless:
            inside = sizes.map(node)
            corner = QPoint(
                left + (size.width() - inside.width()) // 2,
                top + (size.height() - inside.height()) // 2,
            )
            picture = QRect(corner, inside)
            wide = letters.word("000×000")
            joining = sizes.entered.get(node.key)
            if joining is not None and sizes.stands_below(node.key, joining):
                free_below = False
            elif node.place in ("all", "keys and values"):
                free_below = True
            if free_below:
                middle = frame.center().x()
                room = QRect(0, 0, wide, letters.word_height)
                room.moveTo(middle - wide // 2, frame.bottom() + letters.pixels(3))
                column, beyond = self._lefts[node.column], self._beyond(node.column)
                if room.left() >= column - beyond >= 0 and wide <= (
                    sizes.widths[node.column] + 2 * beyond
                ):
                    caption = room
        whole = cards | title | caption if not caption.isNull() else cards | title
        name = sizes.name_lines(node)
        return CardPlace(whole, frame, picture, title, name, caption, sheets)

    def _beyond(self, column: int) -> int:
        """Return by how much a caption may exceed its column on either side."""
        beside = self._gaps[max(0, column - 1) : column + 1]
        # Captions of two columns side by side share the gap between them.
        return min([self._sizes.letters.pixels(_BEYOND), *[gap // 2 for gap in beside]])

    def _title(self, node: Node, frame: QRect, cards: QRect) -> QRect:
        sizes, letters = self._sizes, self._sizes.letters
        lines = 1 if sizes.mapless else len(sizes.name_lines(node))
        size = QSize(sizes.name(node), lines * sizes.title_height)
        if sizes.mapless:
            left = frame.center().x() - size.width() // 2
            return QRect(left, frame.top(), size.width(), frame.height())
        if node.place in BESIDE:
            left = frame.left() - sizes.across(NAME_GAP) - size.width()
            middle = sizes.centre(node) - size.height() // 2
            return QRect(QPoint(left, middle), size)
        left = self._middle(node.column) - size.width() // 2
        if node.place == "joining":
            return QRect(QPoint(left, frame.bottom() + letters.pixels(2)), size)
        return QRect(QPoint(left, cards.top() - size.height() - 1), size)

    def _place_words(self, edge: Edge) -> WordsPlace:
        """Place the words on an edge: in it in a lane, above it elsewhere."""
        sizes, letters = self._sizes, self._sizes.letters
        target = sizes.nodes[edge.target]
        size, lines = sizes.words(edge.target), sizes.lines(edge.target)
        centre = sizes.centre(target)
        end = self._lefts[target.column]
        if edge.target in sizes.entered:
            joining = sizes.entered[edge.target].column
            middle = self._middle(joining)
        else:
            middle = end - self._gaps[target.column - 1] // 2
        if not lines:
            # Where a pointer still finds the words in a tool tip.
            size = QSize(max(4, self._gaps[target.column - 1] - 2), letters.word_height)
            corner = QPoint(end - size.width() - 1, centre - size.height() // 2)
            return WordsPlace(QRect(corner, size), ())
        if target.place in BESIDE:
            own = self._cards[edge.target].title.left()
            left = own - sizes.across(TO_NAME) - size.width()
            return WordsPlace(
                QRect(QPoint(left, centre - size.height() // 2), size), lines
            )
        corner = QPoint(
            middle - size.width() // 2, centre - size.height() - letters.pixels(3)
        )
        return WordsPlace(QRect(corner, size), lines)

    def _line(self, edge: Edge) -> Line:
        sizes, pixels = self._sizes, self._sizes.letters.pixels
        source, target = sizes.nodes[edge.source], sizes.nodes[edge.target]
        start = self._start(source)
        if source.place == "joining":
            level = sizes.centre(target)
            top = self._cards[source.name].frame.top()
            x = self._cards[source.name].frame.center().x()
            end = QPoint(x, level)
            if sizes.stands_below(target.name, source):
                end.setY(self._cards[target.name].frame.bottom() + 1)
            return Line(None, QPoint(x, top), end, level, (x, x))
        if target.operation:
            return self._line_to_pill(edge, start)
        card = self._cards[target.name]
        left = card.frame.left()
        if target.place in BESIDE and not sizes.mapless:
            left = card.title.left() - pixels(2)
        end = QPoint(left - 1, sizes.centre(target))
        bent = end.x()
        words = self._words.get(edge.target)
        if words and words.lines and target.place in BESIDE:
            bent = words.rect.left() - pixels(2)
        elif start.y() != end.y():
            bent = max(start.x() + pixels(4), end.x() - pixels(7))
        return Line(edge.lane, start, end, end.y(), (bent, end.x()), arrow=True)

    def _start(self, source: Node) -> QPoint:
        if source.operation:
            right = self._pills[source.name].rect.right()
        else:
            right = self._cards[source.name].frame.right()
        return QPoint(right + 1, self._sizes.centre(source))

    def _line_to_pill(self, edge: Edge, start: QPoint) -> Line:
        sizes, pixels = self._sizes, self._sizes.letters.pixels
        source, target = sizes.nodes[edge.source], sizes.nodes[edge.target]
        pill = self._pills[target.name].rect
        gap = self._gaps[target.column - 1]
        if edge.lane == "value":
            level = sizes.level_of_values
            bend = start.x() + self._gaps[source.column]
            end = QPoint(pill.center().x(), pill.bottom() + 1)
            bent = bend if level != start.y() else start.x()
            return Line("value", start, end, level, (bent, end.x()), rises=True)
        apart = {"query": -1, "key": 1, None: 0}[edge.lane] * pixels(_APART)
        if source.place not in BESIDE:
            start += QPoint(0, apart if source.place != "keys and values" else 0)
        end = QPoint(pill.left() - 1, sizes.centre(target) + apart)
        turn = self._lefts[target.column] - gap
        arrow = edge.lane is None
        return Line(edge.lane, start, end, start.y(), (start.x(), turn), arrow=arrow)

"""Names of groups along the heatmap."""

import itertools

import pytest
from PySide6.QtGui import QFont, QFontMetricsF

from attnviewer.document.token_groups import TokenGroup
from attnviewer.ui.state.folds import Bracket
from attnviewer.ui.views.step.heatmap.group_axis import GroupAxis


@pytest.mark.parametrize("edge", ["top", "left"])
def test_a_long_name_takes_the_free_room_beside_its_bracket(qapp, edge):
    axis = GroupAxis(edge)
    assert list(axis.named()) == []
    # Over columns 1 and 2, 12 and 13, 14, and 18 and 19 of 20.
    groups = [("unbelievably", 1, 3), ("hippopotamus", 12, 14), ("A", 14, 15)]
    groups += [("electroencephalogram", 18, 20)]
    brackets = tuple(
        Bracket(TokenGroup(name, first, stop), first, stop - 1, folded=False)
        for name, first, stop in groups
    )
    axis.set_brackets(brackets, QFont(), foldable=True)
    long = 20 * QFontMetricsF(QFont()).horizontalAdvance("0000")
    axis.resize(*((long, 30) if edge == "top" else (30, long)))
    axis.set_range(0, 20)
    found = list(axis.named())
    assert {name for _, _, name, _ in found} == {name for name, *_ in groups}
    for (*_, room), (_, place, _, after) in itertools.pairwise(found):
        assert room.right() < min(place.left(), after.left())
    assert found[0][3].left() >= 0
    assert found[-1][3].right() <= long


def test_the_mark_of_a_folded_group_grows_with_the_texts(qapp):
    axis, sides = GroupAxis("top"), []
    for size in (12, 24):
        font = QFont()
        font.setPixelSize(size)
        folded = Bracket(TokenGroup("cat", 0, 2), 0, 0, folded=True)
        axis.set_brackets((folded,), font, foldable=True)
        axis.resize(60, axis.extent())
        place = next(axis.placed())[1]
        sides.append(axis.mark_in(place).width())
        assert place.contains(axis.mark_in(place))
    assert sides[1] > 1.8 * sides[0]

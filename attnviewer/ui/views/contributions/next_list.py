"""The most probable next tokens, one of which is chosen to be split."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.text.tokens import quoted_token, token_label
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models.next_token import NextToken
    from attnviewer.ui.state.output_split import Prediction

_tr = translate_in("Contributions")

DECIMALS = 4
MOST_ROWS = 5
"""That are seen without scrolling: all that there are."""


class NextTokenList(LinkList):
    """Lists the most probable next tokens; `chosen` emits one of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(2, wide=1, parent=parent)
        self.setObjectName("contributions.next")
        self.setAccessibleName(self.tr("Next token"))
        self.setAccessibleDescription(self.tr("Enter splits the logit of the token."))
        self.be_as_high_as_rows(MOST_ROWS)

    def show_prediction(self, prediction: "Prediction") -> None:
        """List the tokens of another prediction."""
        tokens = prediction.lens.most_probable[-1]
        most = tokens[0].probability
        self.show_rows([_row(token, most, prediction.token) for token in tokens])


def _row(next_token: "NextToken", most: float, chosen: str) -> Row:
    _, token, probability = next_token
    number = format_number(probability, DECIMALS)
    tip = _tr("{token}: {number}. Splits its logit.")
    tip = tip.format(token=quoted_token(token), number=number)
    share = probability / most if most else 0.0
    bold = token == chosen
    name = Cell(token_label(token), tip, color="link", bold=bold)
    return Row(next_token.id, (name, Cell(number, tip, share, bold=bold)))

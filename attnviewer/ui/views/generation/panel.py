"""The Generate dock: play, one step, one step back, and every token so far."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.generation import Generating
from attnviewer.ui.text.tokens import how_many_tokens
from attnviewer.ui.views.generation.form import SamplingForm
from attnviewer.ui.views.generation.texts import (
    cache_text,
    cache_tip,
    prompt_row,
    step_row,
)
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.labels import note
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.play_button import PlayButton
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.symbol_button import symbol_button
from attnviewer.ui.widgets.tab_order import forward_focus
from attnviewer.ui.widgets.tool_tips import plain_tip

INSIDE = 12
_POSITION, _TOKEN, _PROBABILITY = range(3)


class GenerationPanel(QWidget):
    """Lets a decoder go on, and lists what it has generated.

    Parameters
    ----------
    generating : Generating
        What generates.
    appearance : Appearance
        The theme in force.
    parent : QWidget
        The dock.

    Attributes
    ----------
    heading : QWidget
        For the title bar.
    empty : EmptyState
        Shown without a decoder.
    form : SamplingForm
        How the next token is chosen.
    list : LinkList
        The sentence, and each token with its probability.
    """

    def __init__(
        self, generating: Generating, appearance: Appearance, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("generation")
        self.setAccessibleName(self.tr("Generate"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._generating, self._appearance = generating, appearance
        self._summary = ElidedLabel("generation.summary")
        title = QLabel(self.tr("Generate"))
        self.heading = heading_row(title, self._summary, self)
        self.empty = EmptyState("generation", self)
        self._content = content = QWidget(self)
        self.play = PlayButton(content)
        self.play.setObjectName("generation.play")
        self.first = symbol_button(
            "generation.first", "|‹", self.tr("Without generated tokens"), content
        )
        self.back = symbol_button(
            "generation.back", "‹", self.tr("One token back"), content
        )
        self.step = symbol_button("generation.step", "›", "", content)
        self.form = SamplingForm(content)
        self._reason = ReasonLabel("generation.reason", content)
        self._cache = note("generation.cache")
        self.list = LinkList(3, wide=_TOKEN, parent=content)
        self.list.setObjectName("generation.list")
        self.list.setAccessibleName(self.tr("Generated tokens"))
        self.list.rows.texts = 2
        self._refused = ""
        self._lay_out()
        self.play.clicked.connect(generating.toggle)
        self.first.clicked.connect(self._go_to_first)
        self.back.clicked.connect(generating.back)
        self.step.clicked.connect(generating.advance)
        self.list.chosen.connect(generating.go_to)
        self.form.changed.connect(self._on_choice)
        generating.changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        forward_focus(self, self.play, event.reason())

    def _why_not(self) -> str:
        """Return why no tokens can be generated."""
        if not self._generating.has_model:
            return self.tr("No model is open. Choose File ▸ Open model…")
        if self._generating.crosses:
            return self.tr(
                "Cross-attention predicts no next token. To generate, choose Decoder "
                "as the part of the model."
            )
        return self.tr("An encoder predicts no next token.")

    @Slot()
    def refresh(self) -> None:
        """Show what was generated, and what can be done next."""
        generating = self._generating
        usable = generating.has_decoder
        self._content.setVisible(usable)
        self.empty.setVisible(not usable)
        self.empty.say(self._why_not())
        steps, shown, prompt = generating.steps, generating.shown, generating.prompt
        self._summary.setText(how_many_tokens(len(steps)) if steps else "")
        self._show_buttons()
        notices = " ".join(filter(None, (generating.stopped, generating.notice)))
        self._reason.say(self._refused or notices, error=bool(self._refused))
        self._cache.setText(cache_text(generating.step))
        self._cache.setToolTip(plain_tip(cache_tip(generating.step)))
        self.list.set_theme(self._appearance.theme)
        if not usable or prompt is None:
            self.list.show_rows([])
            return
        titles = "", self.tr("token"), self.tr("probability")
        self.list.rows.set_titles(titles)
        rows = [prompt_row(prompt, shown=not shown)]
        rows += [
            step_row(number, step, shown=number == shown)
            for number, step in enumerate(steps, 1)
        ]
        self.list.show_rows(rows)
        self.list.setCurrentIndex(self.list.rows.index(shown, _TOKEN))

    def _show_buttons(self) -> None:
        generating = self._generating
        playing = generating.playing
        self.play.show_playing(playing=playing)
        texts = (
            self.tr("Go on token by token"),
            self.tr("Pause"),
        )
        self.play.setToolTip(self._refused or texts[playing])
        self.play.setAccessibleName(texts[playing])
        one = (
            self.tr("One token; the tokens after the shown one are dropped")
            if generating.shown < len(generating.steps)
            else self.tr("One token")
        )
        self.step.setToolTip(self._refused or one)
        self.step.setAccessibleName(one)
        for button in (self.first, self.back):
            button.setEnabled(generating.shown > 0)
        for button in (self.play, self.step):
            button.setEnabled(not self._refused)

    @Slot()
    def _on_choice(self) -> None:
        try:
            choices = self.form.choices()
        except ValueError as error:
            self._refused = str(error)
            self._generating.pause()
        else:
            self._refused = ""
            self._generating.choose(choices)
        self.refresh()

    @Slot()
    def _go_to_first(self) -> None:
        self._generating.go_to(0)

    def _lay_out(self) -> None:
        self.list.horizontalHeader().setHighlightSections(False)
        self.list.horizontalHeader().show()
        buttons = QHBoxLayout()
        buttons.setSpacing(2)
        for button in (self.play, self.first, self.back, self.step):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self._content)
        column.setContentsMargins(INSIDE, 4, INSIDE, INSIDE)
        column.setSpacing(8)
        column.addLayout(buttons)
        column.addWidget(self.form)
        column.addWidget(self._reason)
        column.addWidget(self.list, 1)
        column.addWidget(self._cache)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self.empty, 1)
        layout.addWidget(self._content, 1)

"""The content of the Lesson dock while a lesson is open: its page, and its places."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.lesson import Learner
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.views.lesson.buttons import lesson_button
from attnviewer.ui.views.lesson.dots import Dots
from attnviewer.ui.views.lesson.page_view import PageView
from attnviewer.ui.views.lesson.summary import Summary
from attnviewer.ui.views.lesson.task_card import TaskCard
from attnviewer.ui.widgets.actions import ActionRow, fill_menu
from attnviewer.ui.widgets.announcing import announce
from attnviewer.ui.widgets.reason import ReasonBubble, global_rect
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.tab_order import chain_tabs, order_tabs
from attnviewer.ui.widgets.tool_tips import plain_tip
from attnviewer.ui.widgets.vertical_scroll import VerticalScroll


class LessonContent(QWidget):
    """The open page in a scroll area, and the buttons that turn it.

    Attributes
    ----------
    choosing, closing, saving : Signal
        The learner wants the list of lessons, to leave this one, or to save answers.
    filled : Signal
        There is another page, whose widgets Tab has yet to find.
    wanted : Signal
        There is something to go on with, while the dock may be behind another one.
    """

    filled = Signal()
    wanted = Signal()
    choosing = Signal()
    closing = Signal()
    saving = Signal()

    def __init__(
        self,
        learner: Learner,
        selection: SelectionModel,
        appearance: Appearance,
        reason: ReasonBubble,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("lesson.content")
        # Without it, a plain widget does not paint its background.
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._learner, self._selection, self._reason = learner, selection, reason
        self._page: PageView | Summary | None = None
        self._scroll = scroll = VerticalScroll("lesson.scroll", self)
        # A stop, so that the keys can scroll a text without tasks.
        scroll.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._dots = Dots(self)
        self._dots.chosen.connect(self._go)
        self._back = lesson_button("back", self.tr("‹ Back"), self._go_back, self)
        self._next = lesson_button("next", self.tr("Next ›"), self._go_on, self)
        self._more = self._menu_button()
        self._build_note()
        self._lay_out()
        self._focus_card: TaskCard | None = None
        self._told: TaskCard | None = None
        self._beginning = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._focus)
        self._telling = QTimer(self, singleShot=True, interval=0)
        self._telling.timeout.connect(self._show_told)
        learner.turned.connect(self._turn)
        learner.judged.connect(self._on_judged)
        learner.edited.connect(self._show_note)
        appearance.changed.connect(self._restyle)
        self._turn()

    @property
    def page(self) -> PageView | Summary | None:
        """The open page, or the summary."""
        return self._page

    def commit(self) -> None:
        """Take what is being typed."""
        if self._page is not None:
            self._page.commit()

    def enter(self) -> None:
        """Give the focus to where the learner begins.

        The first task that is left, or the button that turns the page; but a text that
        is longer than the dock is read first, with the keys that scroll.
        """
        cards = self._page.cards if isinstance(self._page, PageView) else []
        left = (c for c in cards if not self._learner.standing(c.task).finished)
        self._beginning = True
        self._go_to_card(next(left, None))

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(20 * line, 30 * line)

    @Slot()
    def _turn(self) -> None:
        """Show the open page."""
        learner, old = self._learner, self._page
        if learner.lesson is None:
            return
        page: PageView | Summary
        focused = QApplication.focusWidget()
        had_focus = (
            old is not None and focused is not None and old.isAncestorOf(focused)
        )
        # Where it stays: all of it would be styled anew with another parent.
        around = self._scroll.viewport()
        if learner.at_summary:
            page = Summary(learner, around)
            page.going.connect(self._go)
            page.choosing.connect(self.choosing)
        else:
            page = PageView(learner, self._selection, self._reason, around)
            page.finished.connect(self._on_finished)
        self._page, self._told = page, None
        if old is not None:
            self._scroll.takeWidget()
            # Its own signal may have turned the page.
            old.deleteLater()
        self._scroll.setWidget(page)
        self._scroll.verticalScrollBar().setValue(0)
        # A new page would come last, behind the buttons that turn it.
        order_tabs(self.window(), [self._scroll, self._note, self._footer])
        self.filled.emit()
        self._show_places()
        self._show_note()
        title = self.tr("Summary") if learner.page is None else learner.page.title
        self._scroll.setAccessibleName(title)
        announce(self, title)
        if had_focus:
            self.enter()

    def _show_places(self) -> None:
        learner = self._learner
        lesson = learner.lesson
        if lesson is None:
            return
        pages = (*lesson.pages, None, *lesson.exercises)
        titles = tuple(self.tr("Summary") if p is None else p.title for p in pages)
        here = learner.place
        finished = tuple(
            bool(p.tasks) and learner.finished(p)
            if p is not None and p.tasks
            else number < here
            for number, p in enumerate(pages)
        )
        self._dots.show_place(here, titles, finished)
        self._back.setEnabled(here > 0)
        last = here == len(pages) - 1
        self._next.setText(self.tr("Lessons…") if last else self.tr("Next ›"))
        refused = self._why_not(here + 1)
        self._next.setEnabled(not refused)
        self._next.setToolTip(plain_tip(refused))
        page = learner.page
        through = page is None or learner.finished(page)
        set_styled(self._next, "primary", through)
        self._another.setVisible(learner.varies and (learner.is_exercise))

    @Slot(str)
    def _on_judged(self, task: str) -> None:
        page = self._page
        card = page.card(task) if isinstance(page, PageView) else None
        if card is not None:
            card.show_standing()
            self._told = card
            self._telling.start()
        self._show_places()

    @Slot(object)
    def _on_finished(self, card: TaskCard | None) -> None:
        # Qt calls a dock behind another one visible, too.
        if self.visibleRegion().isEmpty():
            self.wanted.emit()
        self._go_to_card(card)

    def _go_to_card(self, card: TaskCard | None) -> None:
        """Give the focus to a task, or to the button that turns the page."""
        self._focus_card = card
        # Once the layout knows the height of the message.
        self._soon.start()

    @Slot()
    def _focus(self) -> None:
        card, self._focus_card = self._focus_card, None
        beginning, self._beginning = self._beginning, False
        # What is made is made elsewhere in the window.
        elsewhere = card is not None and not card.answer.checkable
        if elsewhere or (beginning and not self._is_in_sight(card)):
            self._scroll.setFocus(Qt.FocusReason.OtherFocusReason)
        elif card is None:
            # After the last exercise follows the same one with other numbers.
            last = self._learner.place == self._learner.places - 1
            button = self._another if last and self._another.isVisible() else self._next
            if button.isEnabled():
                button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            card.answer.enter()
            self._scroll.ensureWidgetVisible(card, 0, 12)
            self._show_told()

    @Slot()
    def _show_told(self) -> None:
        """Scroll as far as a new message of a task, and its hints, need."""
        card, page = self._told, self._page
        if card is None or page is None:
            return
        message = QRect(card.message.mapTo(page, QPoint()), card.message.size())
        margin = self._scroll.fontMetrics().height() // 2
        bar = self._scroll.verticalScrollBar()
        bottom = card.geometry().bottom() + margin - self._scroll.viewport().height()
        bar.setValue(min(max(bar.value(), bottom), message.top() - margin))

    def _is_in_sight(self, card: TaskCard | None) -> bool:
        """Return whether a task, or else all of the page, is seen without scrolling."""
        page = self._page
        assert page is not None
        seen = self._scroll.viewport().height()
        if card is None:
            return page.height() <= seen
        return card.geometry().bottom() <= seen

    @Slot()
    def _show_note(self) -> None:
        learner = self._learner
        shown = learner.lesson is not None and not learner.away and learner.is_changed
        text = self.tr("You changed the document. The tasks are about the original.")
        if learner.page is None or learner.makes:
            text = self.tr("To begin again with the document as it was:")
        self._changed_text.setText(text)
        self._note.setVisible(shown)

    @Slot(int)
    def _go(self, place: int) -> None:
        self.commit()
        refused = self._why_not(place)
        if refused:
            self._reason.say(refused, global_rect(self._dots))
        else:
            self._learner.go(place)

    def _why_not(self, place: int) -> str:
        """Return why the learner may not go to a place yet; "" if they may."""
        page = self._learner.page_before(place)
        if page is None:
            return ""
        text = self.tr("“{page}” has a task that cannot be skipped")
        return text.format(page=page.title)

    @Slot()
    def _go_back(self) -> None:
        self._go(self._learner.place - 1)

    @Slot()
    def _go_on(self) -> None:
        learner = self._learner
        if learner.place == learner.places - 1:
            self.choosing.emit()
            return
        self._go(learner.place + 1)
        # The keys go on with the new page.
        self.enter()

    @Slot()
    def _put_back(self) -> None:
        self.commit()
        self._learner.put_back(self.tr("Reset the page"))

    @Slot()
    def _do_another(self) -> None:
        self.commit()
        self._learner.another()
        self.enter()

    @Slot()
    def _restart(self, _data: object = None) -> None:
        self._learner.restart()
        self.enter()

    @Slot()
    def _restyle(self) -> None:
        if isinstance(self._page, PageView | Summary):
            self._page.restyle()

    def _menu_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("lesson.menu")
        button.setText("⋯")
        button.setAccessibleName(self.tr("More"))
        button.setToolTip(self.tr("Restart or close the lesson, or choose another"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        rows = [
            ActionRow("lesson.restart", self.tr("&Restart lesson"), self._restart),
            ActionRow("lesson.save", self.tr("&Save my answers…"), self._emit_saving),
            ActionRow("lesson.choose", self.tr("&Lessons…"), self._emit_choosing),
            ActionRow("lesson.close", self.tr("&Close lesson"), self._emit_closing),
        ]
        fill_menu(menu, rows)
        self._save_row = menu.actions()[1]
        self._save_row.setVisible(False)
        button.setMenu(menu)
        return button

    def offer_saving(self, *, offered: bool) -> None:
        """Offer to save the answers, for a teacher."""
        self._save_row.setVisible(offered)

    def _emit_saving(self, _data: object) -> None:
        self.commit()
        self.saving.emit()

    def _emit_choosing(self, _data: object) -> None:
        self.choosing.emit()

    def _emit_closing(self, _data: object) -> None:
        self.commit()
        self.closing.emit()

    def _build_note(self) -> None:
        """Build the line that is there while the document was changed."""
        self._note = QFrame(self)
        self._note.setObjectName("lesson.note")
        self._changed_text = QLabel(self._note)
        self._changed_text.setObjectName("lesson.changed")
        self._changed_text.setWordWrap(True)
        put_back = lesson_button(
            "put_back", self.tr("Reset the page"), self._put_back, self
        )
        put_back.setToolTip(
            self.tr("Make the document as the page opened it; Undo brings yours back")
        )
        row = QHBoxLayout(self._note)
        row.setContentsMargins(14, 6, 14, 6)
        row.addWidget(self._changed_text, 1)
        row.addWidget(put_back)

    def _lay_out(self) -> None:
        self._another = lesson_button(
            "another", self.tr("Another one"), self._do_another, self
        )
        self._another.setToolTip(self.tr("The same exercise with other numbers"))
        self._footer = QFrame(self)
        self._footer.setObjectName("lesson.footer")
        turning = QHBoxLayout(self._footer)
        turning.setContentsMargins(14, 8, 14, 10)
        turning.setSpacing(8)
        turning.addWidget(self._more)
        turning.addWidget(self._back)
        turning.addWidget(self._dots, 1)
        turning.addWidget(self._next)
        turning.insertWidget(3, self._another)
        chain_tabs([self._more, self._back, self._another, self._next])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._scroll, 1)
        column.addWidget(self._note)
        line = QFrame(self)
        line.setObjectName("lesson.line")
        line.setFixedHeight(1)
        column.addWidget(line)
        column.addWidget(self._footer)

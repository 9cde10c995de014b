"""A notification bar over an edge of the window."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from attnviewer.ui.widgets.announcing import announce
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.tab_order import chain_tabs, stop_before

Offer = tuple[str, Callable[[], None]]
"""The text of a button, with its mnemonic, and what it does."""


NEWS_MS = 12_000
"""How long messages stay."""


class NoticeBar(QWidget):
    """Shows a message, a refusal or an offer until it is dismissed or replaced.

    Messages disappear after a while, unless the pointer or the focus is on them. The
    bar interrupts nothing: it opens no dialog, takes no focus and moves nothing. Its
    offers are taken by a click, or by Alt and the underlined letter; Shift+Escape
    dismisses it. Focus that Tab moved into the bar returns to where it came from.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._text = QLabel(self)
        self._text.setObjectName("notice.text")
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._dismiss = dismiss = QToolButton(self)
        dismiss.setText("✕")
        dismiss.setObjectName("notice.dismiss")
        dismiss.setAccessibleName(self.tr("Dismiss"))
        dismiss.setAutoRaise(True)
        dismiss.setShortcut("Shift+Escape")
        dismiss.clicked.connect(self.dismiss)
        self._news = QTimer(self, singleShot=True, interval=NEWS_MS)
        self._news.setObjectName("notice.news")
        self._news.timeout.connect(self._pass)
        self._came_from: QWidget | None = None
        self._at_top = False
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._remember)
        self._buttons: list[QPushButton] = []
        self._layout = layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 4, 8, 4)
        layout.addWidget(self._text, 1)
        layout.addWidget(dismiss)
        self.hide()

    @property
    def text(self) -> str:
        """Its text; empty while it is hidden."""
        return self._text.text() if not self.isHidden() else ""

    def lie_over(self, centre: QWidget) -> None:
        """Overlay the lower edge of a part of the window from now on."""
        self.setParent(centre)
        centre.installEventFilter(self)

    def keep_to_top(self, *, top: bool) -> None:
        """Overlay the upper edge instead, or the lower one again."""
        self._at_top = top
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget():
            self._fit()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # another text or other buttons
            self._fit()
        return done

    def _fit(self) -> None:
        """Fit the height to the text, at its edge."""
        centre = self.parentWidget()
        if centre is None or self.isHidden():
            return
        height = self._layout.totalHeightForWidth(centre.width())
        top = 0 if self._at_top else centre.height() - height
        self.setGeometry(0, top, centre.width(), height)
        self.raise_()

    def show_message(self, text: str, offers: Sequence[Offer] = ()) -> None:
        """Report that something was done, with buttons for follow-up actions.

        The message disappears after a while.
        """
        self._say(text, error=False)
        self._add_buttons(offers)
        self._news.start()

    @Slot(str)
    def refuse(self, reason: str, offers: Sequence[Offer] = ()) -> None:
        """Say why something was refused, with buttons for alternatives."""
        self._say(reason, error=True)
        self._add_buttons(offers)

    @Slot(str, list)
    def offer(self, text: str, offers: Sequence[Offer]) -> None:
        """Say what has not been done, with buttons that do it."""
        self._say(text, error=False)
        self._add_buttons(offers)

    def add(self, text: str) -> None:
        """Append to the message, whatever it is."""
        if self.isHidden():
            self.show_message(text)
            return
        if self._news.isActive():
            self._news.start()
        self._text.setText(f"{self._text.text()}\n{text}")
        self.setAccessibleName(self._text.text())
        announce(self, text)

    @Slot()
    def withdraw(self) -> None:
        """Hide the bar if it shows an offer."""
        if self._buttons:
            self.dismiss()

    @Slot()
    def dismiss(self) -> None:
        """Hide the bar."""
        inside = self._has_keys(QApplication.focusWidget())
        # First, as Qt would choose another widget for the focus of a hidden one.
        if inside and self._came_from is not None and isValid(self._came_from):
            self._came_from.setFocus(Qt.FocusReason.OtherFocusReason)
        self._news.stop()
        self._drop_buttons()
        self.hide()

    @Slot()
    def _pass(self) -> None:
        """Hide a message, unless the pointer or the focus is on it."""
        if self.underMouse() or self._has_keys(QApplication.focusWidget()):
            self._news.start()
        else:
            self.dismiss()

    def _has_keys(self, widget: QWidget | None) -> bool:
        return widget is not None and self.isAncestorOf(widget)

    @Slot(QWidget, QWidget)
    def _remember(self, old: QWidget | None, new: QWidget | None) -> None:
        if self._has_keys(new) and old is not None and not self._has_keys(old):
            self._came_from = old

    def _add_buttons(self, offers: Sequence[Offer]) -> None:
        for number, (title, callback) in enumerate(offers):
            button = QPushButton(title, self)
            button.setObjectName(f"notice.offer.{number}")
            button.setAccessibleName(title.replace("&", ""))
            button.setAutoDefault(True)
            # First, as the callback may show a message itself.
            button.clicked.connect(self.dismiss)
            button.clicked.connect(callback)
            self._layout.insertWidget(1 + number, button)
            self._buttons.append(button)
            button.show()
        chain_tabs([stop_before(self._dismiss), *self._buttons, self._dismiss])

    def _drop_buttons(self) -> None:
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons.clear()

    def _say(self, text: str, *, error: bool) -> None:
        self._news.stop()
        self._drop_buttons()
        self._text.setText(text)
        self.setAccessibleName(text)
        for part in (self, self._text):
            set_styled(part, "error", error)
        self.show()
        self._fit()
        announce(self, text, urgent=error)

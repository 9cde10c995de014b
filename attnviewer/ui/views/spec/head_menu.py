"""The menu that switches the chosen head off, or sets it to its mean."""

from PySide6.QtCore import QPoint, QRect, QSize, Slot
from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.document import EditError
from attnviewer.document.variants.ablation import Ablation, ablation, is_ablated
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.concepts import ABLATIONS
from attnviewer.ui.views.spec.choice_actions import explain, offer
from attnviewer.ui.views.spec.reasons import no_ablation
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow, Rows, fill_menu
from attnviewer.ui.widgets.reason import ReasonBubble


class HeadMenu(QMenu):
    """The context menu of the chosen head."""

    def __init__(
        self, workbench: Workbench, reason: ReasonBubble, parent: QWidget
    ) -> None:
        super().__init__(self.tr("&Head"), parent)
        self.setObjectName("menu.head")
        self.setAccessibleName(self.tr("Head"))
        self.setToolTipsVisible(True)
        self._workbench = workbench
        self._reason = reason
        texts: dict[Ablation, str] = {
            "off": self.tr("Switch &off {head}"),
            "mean": self.tr("Set {head} to its &mean"),
        }
        self._texts = texts
        rows = [
            ActionRow(f"head.{how}", text, self._ablate, data=how)
            for how, text in texts.items()
        ]
        fill_menu(self, rows)
        self._own, self._offered = self.actions(), self.actions()[:0]
        self._as_context = False
        self.aboutToShow.connect(self._refresh)
        self._refresh()

    def offer(self, rows: Rows) -> None:
        """Have further rows, where it opens as a context menu."""
        own = len(self.actions())
        fill_menu(self, [SEPARATOR, *rows])
        self._offered += self.actions()[own:]

    @Slot(QPoint)
    def open_at(self, point: QPoint) -> None:
        """Open as a context menu at a position on the screen."""
        if not self.isVisible():
            self._as_context = True
            self.popup(point)

    @property
    def _head(self) -> int:
        workbench = self._workbench
        return present_head(workbench.engine.current.trace, workbench.selection.head)

    @property
    def _name(self) -> str:
        """The name of the head, with its layer in a model."""
        return self._workbench.head_location(self._head).name

    @Slot()
    def _refresh(self) -> None:
        reason = self._reason_against()
        for action in self._offered:
            action.setVisible(self._as_context)
        self._as_context = False
        for action in self._own:
            action.setText(self._texts[action.data()].format(head=self._name))
            explain(action, ABLATIONS[action.data()])
            offer(action, reason)

    def _reason_against(self) -> str:
        trace = self._workbench.engine.current.trace
        if is_ablated(trace, self._head):
            text = self.tr(
                "{head} is ablated already (switched off or set to its mean). Undo "
                "brings it back."
            )
            return text.format(head=self._name)
        return no_ablation(trace.spec)

    def _ablate(self, how: Ablation) -> None:
        workbench = self._workbench
        if reason := workbench.outdated_reason():
            self._refuse(reason)
            return
        head, document = self._head, workbench.document
        labels: dict[Ablation, str] = {
            "off": self.tr("Switch off {head}"),
            "mean": self.tr("Set {head} to its mean"),
        }
        label = labels[how].format(head=self._name)
        trace = workbench.engine.current.trace
        try:
            workbench.edits.submit(ablation(document, head, how, trace, label))
        except EditError as error:
            self._refuse(str(error))
        else:
            self._reason.clear()

    def _refuse(self, reason: str) -> None:
        """Show the reason where the menu was."""
        self._reason.say(reason, QRect(self.pos(), QSize(1, 1)))

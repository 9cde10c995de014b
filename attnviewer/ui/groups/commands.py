"""Commands on groups of tokens."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.compute import FoldRule
from attnviewer.document import EditError
from attnviewer.document.grouping import find_groups, ungroup
from attnviewer.ui.groups.dialog import GroupDialog
from attnviewer.ui.groups.pointed import pointed_tokens
from attnviewer.ui.state.folds import Side
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.widgets.actions import ActionRow, Rows, fill_choice, fill_menu
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.pending_input import commit_pending_input


class GroupCommands(QObject):
    """Groups the tokens of the open document, and folds and opens their groups.

    Attributes
    ----------
    menu : QMenu
        The commands.
    """

    def __init__(
        self, workbench: Workbench, notice: NoticeBar, window: QWidget
    ) -> None:
        super().__init__(window)
        self._workbench, self._notice, self._window = workbench, notice, window
        self._folds = workbench.folds
        self.menu = QMenu(self.tr("&Group tokens"), window)
        # No shortcut: the heatmap has a key for it.
        find, here = self._find, self.tr("Fold or &open here (G in the heatmap)")
        fill_menu(
            self.menu,
            [
                ActionRow("groups.words", self.tr("&Words"), find, data="words"),
                ActionRow(
                    "groups.sentences", self.tr("&Sentences"), find, None, "sentences"
                ),
                ActionRow(
                    "groups.segments", self.tr("S&egments"), find, None, "segments"
                ),
                ActionRow(
                    "groups.speakers", self.tr("S&peakers"), find, None, "speakers"
                ),
                ActionRow("groups.by_hand", self.tr("&By hand…"), self.ask),
                ActionRow("groups.none", self.tr("&None"), self._ungroup),
                None,
                ActionRow("groups.here", here, self._toggle_here),
                ActionRow("groups.fold", self.tr("&Fold all"), self._fold_all),
                ActionRow("groups.open", self.tr("Open &all"), self._open_all),
                None,
            ],
        )
        self._add_rules(self.tr("&Rows of a folded group"), "queries", ("mean", "sum"))
        self._add_rules(self.tr("&Columns of a folded group"), "keys", ("sum", "mean"))

    def _add_rules(self, title: str, side: Side, rules: tuple[FoldRule, ...]) -> None:
        menu = QMenu(title, self.menu)
        titles = {"mean": self.tr("&Mean"), "sum": self.tr("&Sum")}
        group = fill_choice(
            menu,
            [
                ActionRow(
                    f"groups.{side}.{rule}",
                    titles[rule],
                    self._combine,
                    None,
                    (side, rule),
                )
                for rule in rules
            ],
        )
        group.actions()[0].setChecked(True)  # as `Folds` begins
        self.menu.addMenu(menu)

    def _find(self, kind: str) -> None:
        commit_pending_input()
        labels = {
            "words": self.tr("Group the tokens into words"),
            "sentences": self.tr("Group the tokens into sentences"),
            "segments": self.tr("Group the tokens into segments"),
            "speakers": self.tr("Group the tokens by speakers"),
        }
        edits = self._workbench.edits
        try:
            edits.submit(find_groups(edits.document, kind, labels[kind]))
        except EditError as error:
            self._notice.refuse(str(error))

    def _ungroup(self, _data: object) -> None:
        commit_pending_input()
        document = self._workbench.document
        if document.groups or document.context_groups:
            self._workbench.edits.submit(
                ungroup(self.tr("Remove the groups of tokens"))
            )

    def rows(self, prefix: str) -> Rows:
        """Return rows for the context menu of a step."""
        folds = self._folds.current
        rows = [ActionRow(f"{prefix}.group", self.tr("&Group tokens…"), self.ask)]
        if folds.queries or folds.keys:
            here = self.tr("&Fold or open the groups here")
            rows.append(ActionRow(f"{prefix}.fold", here, self._toggle_here))
        return rows

    @Slot()
    def ask(self, _data: object = None) -> None:
        """Ask for the name of the group that the marked tokens shall be."""
        commit_pending_input()
        pointed = pointed_tokens(self._workbench)
        if pointed is None:
            self._notice.refuse(
                self.tr(
                    "Mark neighbouring tokens first: drag over their labels in the "
                    "heatmap, extend from the selected cell by Shift and an arrow key, "
                    "or select their rows in the table of tokens."
                )
            )
            return
        GroupDialog(self._workbench.edits, pointed, self._window).open()

    def _fold_all(self, _data: object) -> None:
        if self._can_fold():
            self._folds.fold_all()

    def _open_all(self, _data: object) -> None:
        self._folds.open_all()

    def _toggle_here(self, _data: object) -> None:
        """Fold or open the groups of the selected cell's row and column."""
        selection = self._workbench.selection
        axes = self._workbench.engine.current.trace.stages[selection.step].axes
        if selection.cell is None:
            self._notice.refuse(self.tr("Select a cell of a group to fold first."))
            return
        if not self._can_fold():
            return
        if not self._folds.toggle_at(axes, selection.cell):
            self._notice.refuse(
                self.tr("Neither the row nor the column of the cell is in a group.")
            )

    def _combine(self, rule: tuple[Side, FoldRule]) -> None:
        self._folds.combine(*rule)

    def _can_fold(self) -> bool:
        """Return whether groups can be folded; say why not, or where it shows."""
        folds, workbench = self._folds.current, self._workbench
        if not (folds.queries or folds.keys):
            self._notice.refuse(self.tr("The tokens have no groups. Group them first."))
            return False
        if workbench.selection.step != STEP_OF_ALL:
            self._notice.show_message(
                self.tr(
                    "Groups are folded in the weights. Other steps show every token."
                )
            )
        return True

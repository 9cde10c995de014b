"""The inputs: their dock, and the commands on tables and tokens."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Slot

from attnviewer.ui.features.token_lights import TokenLights
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.inputs import InputsPanel, TokenCommands
from attnviewer.ui.views.inputs.column import InputsColumn
from attnviewer.ui.views.inputs.commands import has_numbers, has_tokens, has_widths
from attnviewer.ui.views.inputs.look_menu import LookMenu
from attnviewer.ui.views.notes import NotesArea
from attnviewer.ui.widgets.docks import Panel


class InputsFeature(Feature):
    """Tables of the inputs, which the user edits.

    Attributes
    ----------
    token_menu : QMenu
        The commands on tokens.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        window, workbench = frame.window, frame.workbench
        edits, notice, status = workbench.edits, frame.notice, frame.status
        dock = frame.dock(self.tr("Inputs"))
        self._column = column = InputsColumn(dock)
        self.panel = panel = InputsPanel(edits, frame.reason, column)
        column.set_inputs(panel)
        panel.look.follow_sensitivity(workbench.sensitivity)
        panel.status_changed.connect(status.show_input)
        panel.statistics_changed.connect(status.show_statistics)
        panel.clipboard.notified.connect(notice.show_message)
        panel.clipboard.offered.connect(notice.offer)
        panel.clipboard.withdrawn.connect(notice.withdraw)
        TokenLights(workbench, panel, window)
        frame.panels.append(
            Panel(
                "inputs",
                dock,
                self.tr("&Inputs"),
                lambda: (column, panel.heading),
                Qt.DockWidgetArea.LeftDockWidgetArea,
                narrowest=22,
                keys="F8",
            )
        )
        tokens = TokenCommands(panel, edits, frame.reason, window)
        self.token_menu = frame.menus.submenu(self.tr("T&okens"), tokens.rows)
        look = LookMenu(panel, edits.cursor, window)
        frame.menus.add("edit.cells", panel.commands.rows())
        frame.menus.add("edit.fill", [panel.fills.menu])
        frame.menus.add("tokens", [self.token_menu])
        frame.menus.add("view.look", look.rows)
        panel.commands.set_menu(
            [
                (has_numbers, [panel.fills.menu]),
                (has_tokens, [self.token_menu]),
                (has_numbers, [look.format_menu, look.heat]),
                (has_widths, [look.widths]),
            ]
        )

    @property
    def offers(self) -> Mapping[str, object]:
        return {"inputs": self.panel}

    def add_notes(self, notes: NotesArea) -> None:
        """Put the notes into the dock, below the tables."""
        self._column.add_below(notes)
        self._column.freed.connect(notes.set_free)

    def join(self) -> None:
        self.frame.workbench.opened.connect(self._show_document)

    def commit_editors(self) -> bool:
        return self.panel.commit_editors()

    def release(self) -> None:
        self.panel.release()

    @Slot()
    def _show_document(self) -> None:
        self.panel.set_document(self.frame.workbench.document)

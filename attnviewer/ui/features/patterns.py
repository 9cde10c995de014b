"""The Patterns dock: where the chosen head attends, and what may be left out."""

from collections.abc import Iterator

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from attnviewer.document.text.formula_guard import guard_text
from attnviewer.io.export import file_stem
from attnviewer.io.export.csv_text import Row, csv_pieces
from attnviewer.io.export.tables import write_export
from attnviewer.ui.files.file_dialogs import ask_and_write
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.patterns import Costs, Patterns
from attnviewer.ui.widgets.docks import Panel

COLUMNS = "query", "query token", "key", "key token", "distance", "weight"


class PatternsFeature(Feature):
    """Names the pattern of the chosen head, and tells what a sparse kernel loses.

    Attributes
    ----------
    patterns : Patterns
        Finds the patterns.
    costs : Costs
        Computes the costs.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.patterns = Patterns(frame.workbench, frame.window)
        self.costs = Costs(frame.workbench, self.patterns, frame.window)
        self._folder = documents_folder()
        self._dock = dock = frame.dock(self.tr("Patterns"))
        frame.work.follow(self.patterns)
        frame.work.follow(self.costs)
        frame.panels.append(
            Panel(
                "patterns",
                dock,
                self.tr("Patterns o&f attention"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=26,
                opened=False,
                beside="explain",
            )
        )

    def release(self) -> None:
        self.costs.close()
        self.patterns.close()

    def _parts(self) -> tuple[QWidget, QWidget]:
        # Its plots load pyqtgraph, which the start does not wait for.
        from attnviewer.ui.views.patterns import PatternsPanel

        frame = self.frame
        panel = PatternsPanel(
            self.patterns, self.costs, frame.workbench, frame.appearance, self._dock
        )
        panel.copied.connect(self._copy)
        panel.exported.connect(self._export)
        return panel, panel.heading

    @Slot()
    def _copy(self) -> None:
        text = b"".join(csv_pieces(self._rows())).decode()
        QGuiApplication.clipboard().setText(text)

    @Slot()
    def _export(self) -> None:
        """Ask for a file and write the distant weights to it."""
        frame, title = self.frame, self.tr("Export the largest distant weights")
        name = file_stem(f"{frame.workbench.document.title}_needles")
        suggested = self._folder / f"{name}.csv"
        path = ask_and_write(
            *(frame.window, frame.notice, title, suggested, self.tr("CSV")),
            lambda path: write_export(path, csv_pieces(self._rows())),
        )
        if path is not None:
            self._folder = path.parent

    def _rows(self) -> Iterator[Row]:
        """Yield the distant weights as a table."""
        found = self.patterns.found
        assert found is not None
        queries, keys = self.patterns.labels_of_found
        yield COLUMNS
        for query, key, weight in found.needles:
            tokens = guard_text(queries[query]), guard_text(keys[key])
            distance = abs(query + found.marginals.query_offset - key)
            yield query, tokens[0], key, tokens[1], distance, weight

"""The contents of a window: a workbench with features around it."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QMainWindow

from attnviewer.document import Document
from attnviewer.ui.features.table import FEATURES
from attnviewer.ui.frame.frame import Frame
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.pending_input import commit_pending_input


class Contents(QObject):
    """The features of a window, and the frame that they share.

    Parameters
    ----------
    window : QMainWindow
        The window, which may be visible already.
    workbench : Workbench
        The document and the state that all views share.
    step_view : StepView
        The central view, which may be visible already.
    appearance : Appearance
        The theme in force.
    """

    def __init__(
        self,
        window: QMainWindow,
        workbench: Workbench,
        step_view: StepView,
        appearance: Appearance,
    ) -> None:
        super().__init__(window)
        self.frame = frame = Frame(window, workbench, step_view, appearance)
        for kind in FEATURES:
            frame.build(kind)
        frame.assemble()
        for feature in frame.features:
            feature.join()
        frame.fill_menus()
        workbench.opened.connect(self._show_model_path)
        workbench.model.changed.connect(self._show_model_path)
        workbench.engine.failed.connect(frame.notice.refuse)
        appearance.changed.connect(self.fit)
        appearance.changed.connect(frame.docks.follow_font)

    def offered(self) -> Iterator[tuple[str, object]]:
        """Yield the attributes to set on the window, by name."""
        frame = self.frame
        for name in ("docks", "notice", "reason", "status", "work"):
            yield name, getattr(frame, name)
        for feature in frame.features:
            yield from feature.offers.items()

    def prepare(self) -> None:
        """Lay everything out before the window is shown.

        Hidden widgets are told of their sizes only once, when they are shown.
        """
        layout = self.frame.window.layout()
        assert layout is not None
        layout.activate()
        self.frame.docks.open()
        layout.activate()

    def settle(self) -> None:
        """Lay everything out when the window is shown."""
        frame = self.frame
        frame.docks.open()
        for feature in frame.features:
            feature.settle()
        if frame.window.focusWidget() is None:
            # Qt would focus the first widget in the tab order, wherever that is.
            frame.step_view.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def fit(self) -> None:
        """Adapt to another window size."""
        self.frame.bar.fit()
        self.frame.menu_bar.fit()
        for feature in self.frame.features:
            feature.fit()

    def changed_documents(self) -> list[Document]:
        """Return the documents whose changes would be lost."""
        workbench = self.frame.workbench
        commit_pending_input()
        taken = [feature.commit_editors() for feature in self.frame.features]
        changed = workbench.changed
        if not all(taken) and not workbench.modified:
            changed.append(workbench.document)
        return changed

    def release(self) -> None:
        """Release everything but the workbench; running exports are finished first."""
        for feature in reversed(self.frame.features):
            feature.release()
        # Qt leaves floating docks visible. One that is deleted with the window would
        # pass its focus on, and an open editor would then write to deleted objects.
        # Only now, as hidden ones would be missing from the layout that is stored.
        self.frame.docks.hide_floating()
        self.frame.reason.clear()

    @Slot()
    def _show_model_path(self) -> None:
        self.frame.status.show_model_path(self.frame.workbench.location)

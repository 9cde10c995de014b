"""Recovery comes to its end in a window, in which it can then start again."""

import shutil

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from attnviewer.ui.features.recovery import RecoveryFeature
from attnviewer.ui.recovery.dialog import RecoveryDialog
from attnviewer.ui.state.folders import data_folder


def end_recovery(window) -> None:
    """End recovery; leave nothing kept, and an example without changes open."""
    feature = window.frame._features.pop(RecoveryFeature)
    feature.release()
    feature._recovery.deleteLater()
    for dialog in window.findChildren(RecoveryDialog):
        dialog.close()
    shutil.rmtree(data_folder() / "recovery", ignore_errors=True)
    workbench = window.workbench
    for document in workbench.changed:
        workbench.reopen(document)
        workbench.edits.mark_saved(document)
    window.opener.open_example("four-words")
    window.notice.dismiss()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QApplication.processEvents()
    assert workbench.changed == []

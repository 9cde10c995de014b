"""The panel opens ready to play with a document that is about training, only then."""

from PySide6.QtWidgets import QApplication, QDockWidget, QToolButton, QWidget

from attnviewer.ui.features.training import SHARE, TrainingFeature


def dock(window):
    return window.findChild(QDockWidget, "dock.training")


def test_the_example_opens_it_high_enough_for_the_run(appearance, open_window):
    window = open_window("example:look-back", (1366, 768))
    QApplication.processEvents()
    assert abs(dock(window).height() / window.centralWidget().height() - SHARE) < 0.02
    assert window.findChild(QToolButton, "training.play").isVisible()
    assert not window.findChild(QWidget, "training.form").isVisible()


def test_in_a_narrow_window_it_is_in_front(appearance, open_window, qtbot):
    window = open_window("example:look-back", (960, 700))
    play = window.findChild(QToolButton, "training.play")
    qtbot.waitUntil(lambda: not play.visibleRegion().isEmpty())


def test_other_documents_leave_it_closed(window):
    assert not dock(window).isVisible()


def test_a_panel_that_was_closed_stays_closed_when_the_window_settles_again(
    appearance, open_window
):
    window = open_window("example:look-back", (1366, 768))
    QApplication.processEvents()
    dock(window).close()
    window.feature(TrainingFeature).settle()
    QApplication.processEvents()
    assert not dock(window).isVisible()

"""Whether animations are shown, and how long they take."""

from PySide6.QtWidgets import QStyle, QWidget


def duration_of(wanted: int, widget: QWidget) -> int:
    """Return how long a movement may take, in milliseconds.

    0, where the system or the style asks for reduced motion.

    Parameters
    ----------
    wanted : int
        How long it takes otherwise.
    widget : QWidget
        What moves.
    """
    return 0 if is_reduced(widget) else wanted


def is_reduced(widget: QWidget) -> bool:
    """Return whether the system or the style asks for reduced motion."""
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    return widget.style().styleHint(hint, None, widget) <= 0

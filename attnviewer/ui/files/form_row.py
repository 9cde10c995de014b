"""Rows of a form whose captions stand beside their controls."""

from PySide6.QtWidgets import QFormLayout, QLabel, QWidget


def add_row(
    form: QFormLayout, title: str, control: QWidget, row: QWidget | None = None
) -> None:
    """Add a control with its caption, and more widgets beside it if they are a row.

    Parameters
    ----------
    form : QFormLayout
        Where they go.
    title : str
        The caption, with its mnemonic.
    control : QWidget
        What the mnemonic leads to.
    row : QWidget, optional
        What holds the control together with others.
    """
    caption = QLabel(title, control.parentWidget())
    caption.setBuddy(control)
    # A form lays labels at the top of their rows.
    control.ensurePolished()
    caption.setMinimumHeight(control.sizeHint().height())
    form.addRow(caption, control if row is None else row)

"""Form rows with captions centred beside their controls."""

from PySide6.QtWidgets import QFormLayout, QLabel, QWidget


def add_row(
    form: QFormLayout, title: str, control: QWidget, row: QWidget | None = None
) -> None:
    """Add a control with its caption to a form.

    Parameters
    ----------
    form : QFormLayout
        The form.
    title : str
        The caption, with its mnemonic; names the control unless it has a name.
    control : QWidget
        The caption's buddy.
    row : QWidget, optional
        A widget that holds the control together with others.
    """
    caption = QLabel(title, control.parentWidget())
    caption.setBuddy(control)
    if not control.accessibleName():
        control.setAccessibleName(title.replace("&", ""))
    # QFormLayout aligns labels with the top of their rows.
    control.ensurePolished()
    caption.setMinimumHeight(control.sizeHint().height())
    form.addRow(caption, control if row is None else row)

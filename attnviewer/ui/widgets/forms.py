"""Forms in docks."""

from PySide6.QtWidgets import QFormLayout, QWidget


def plain_form(parent: QWidget) -> QFormLayout:
    """Return a form without margins, whose long rows wrap in a narrow dock."""
    form = QFormLayout(parent)
    form.setContentsMargins(0, 0, 0, 0)
    form.setHorizontalSpacing(12)
    form.setVerticalSpacing(6)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    return form

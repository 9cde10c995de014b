"""The first numbers of what is taken for a role."""

import math

from PySide6.QtWidgets import QWidget

from attnviewer.document import Pick, is_joined_below, shape_of, taken
from attnviewer.io import Arrays
from attnviewer.ui.views.inputs.fills.preview import FillPreview

LARGEST = 2**22
"""Cells of a matrix of which the first are shown: all are put together for that."""


class RolePreview(FillPreview):
    """Shows the upper left numbers of what is taken out of an array."""

    def __init__(self, arrays: Arrays, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("assign.preview")
        self._arrays = arrays

    def show_pick(self, role: str, pick: Pick | None) -> None:
        """Show what is taken for a role; None for nothing."""
        if pick is None:
            self.tell(self.tr("{role}: nothing").format(role=role))
            return
        array, below = self._arrays.values[pick.array], is_joined_below(role)
        try:
            size = math.prod(shape_of(pick, array.shape, below=below))
        except ValueError as error:
            self.tell(self.tr("{role}: {reason}").format(role=role, reason=error))
            return
        if size > LARGEST:
            told = self.tr("{role} is too large for a preview.")
            self.tell(told.format(role=role))
        else:
            self.show_cells({role: taken(pick, array, below=below)})

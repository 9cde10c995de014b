"""A preview of the numbers for a role."""

import math

from PySide6.QtWidgets import QWidget

from attnviewer.document.array_roles.assignment import is_joined_below
from attnviewer.document.array_roles.pick import HEADS, Pick, shape_of, taken
from attnviewer.io.importing import Arrays
from attnviewer.ui.views.inputs.fills.preview import FillPreview

LARGEST = 2**22
"""Most cells of a previewed matrix of several heads, all of which are joined for it."""


class RolePreview(FillPreview):
    """Shows the top left corner of the matrix picked from an array."""

    def __init__(self, arrays: Arrays, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("assign.preview")
        self._arrays = arrays

    def show_pick(self, role: str, pick: Pick | None) -> None:
        """Show the matrix picked for a role; None for none."""
        if pick is None:
            self.show_text(self.tr("{role}: nothing").format(role=role))
            return
        array, below = self._arrays.values[pick.array], is_joined_below(role)
        try:
            size = math.prod(shape_of(pick, array.shape, below=below))
        except ValueError as error:
            self.show_text(self.tr("{role}: {reason}").format(role=role, reason=error))
            return
        if HEADS in pick.index and size > LARGEST:
            text = self.tr("{role} is too large for a preview.")
            self.show_text(text.format(role=role))
        else:
            self.show_cells({role: taken(pick, array, below=below)})

"""Model indices, and item roles and alignments as numbers.

Views ask for every role of every cell on every paint, and comparing with an enum
takes three times as long as comparing with a number.
"""

from typing import TypeAlias

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

ModelIndex: TypeAlias = QModelIndex | QPersistentModelIndex
"""What Qt passes to models and delegates."""

DISPLAY = Qt.ItemDataRole.DisplayRole.value
EDIT = Qt.ItemDataRole.EditRole.value
TOOL_TIP = Qt.ItemDataRole.ToolTipRole.value
ALIGNMENT = Qt.ItemDataRole.TextAlignmentRole.value
FOREGROUND = Qt.ItemDataRole.ForegroundRole.value
FONT = Qt.ItemDataRole.FontRole.value
ACCESSIBLE_TEXT = Qt.ItemDataRole.AccessibleTextRole.value
PINNED = Qt.ItemDataRole.UserRole.value
"""Whether a cell is pinned."""

LEFT = (Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter).value
RIGHT = (Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter).value

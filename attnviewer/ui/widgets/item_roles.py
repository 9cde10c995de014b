"""Item roles and alignments as numbers.

Views ask for every role of every cell on every paint, and comparing with an enum
takes three times as long as comparing with a number.
"""

from PySide6.QtCore import Qt

DISPLAY = Qt.ItemDataRole.DisplayRole.value
EDIT = Qt.ItemDataRole.EditRole.value
TOOL_TIP = Qt.ItemDataRole.ToolTipRole.value
ALIGNMENT = Qt.ItemDataRole.TextAlignmentRole.value
FOREGROUND = Qt.ItemDataRole.ForegroundRole.value
ACCESSIBLE_TEXT = Qt.ItemDataRole.AccessibleTextRole.value

LEFT = (Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter).value
RIGHT = (Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter).value

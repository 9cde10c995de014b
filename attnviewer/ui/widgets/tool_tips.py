"""Tool tips with arbitrary text."""

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """Return a tool tip that shows a text verbatim, ``<s>`` and ``&lt;`` included.

    A text that Qt would not take for rich text is unchanged, as screen readers read the
    markup of tool tips, too.
    """
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text

"""Tool tips whose text is anybody's."""

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """Return a tool tip that shows a text as it is, ``<s>`` and ``&lt;`` included.

    A text that Qt would not take for rich text stays itself, as screen readers read
    tool tips with their markup.
    """
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text

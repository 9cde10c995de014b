"""The keys that the newest token of a generation has from the cache."""

from PySide6.QtCore import QObject, Signal


class CachedKeys(QObject):
    """The keys that the newest token of a generation has from the cache.

    Attributes
    ----------
    changed : Signal
        Other keys are, or none any more.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tokens = range(0)

    @property
    def tokens(self) -> range:
        """The tokens whose keys and values an earlier step has computed.

        The one after the last of them is the newest. Empty if nothing is generated.
        """
        return self._tokens

    def set(self, tokens: range) -> None:
        """Tell which they are now."""
        if tokens != self._tokens:
            self._tokens = tokens
            self.changed.emit()

"""Telling on a terminal that a command is still at work."""

import sys
import time
from threading import Event, Thread
from types import TracebackType

_PATIENCE, _INTERVAL = 2.0, 0.5
"""Seconds before anything is told, and between two times."""


class AtWork:
    """Tells in one line of stderr what a command does, how far and how long.

    The line goes when the block ends. Where stderr is no terminal, nothing is told.

    Parameters
    ----------
    doing : str
        What it does.
    """

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._share: float | None = None
        self._over = Event()
        self._thread = Thread(target=self._tell, daemon=True)

    def __call__(self, share: float) -> None:
        """Note how far it is, from 0 to 1."""
        self._share = share

    def __enter__(self) -> "AtWork":
        if sys.stderr is not None and sys.stderr.isatty():
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _tell(self) -> None:
        begun = time.monotonic()
        if self._over.wait(_PATIENCE):
            return
        while not self._over.is_set():
            sys.stderr.write(f"\r{self._line(time.monotonic() - begun)}\x1b[K")
            sys.stderr.flush()
            self._over.wait(_INTERVAL)
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()

    def _line(self, seconds: float) -> str:
        far = "" if self._share is None else f" {int(100 * self._share)} %,"
        return f"{self._doing}…{far} {seconds:.0f} s"

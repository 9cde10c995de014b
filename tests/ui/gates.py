"""Workers that wait until a test lets them go on."""

import threading
from contextlib import contextmanager


@contextmanager
def gated(monkeypatch, owner, name):
    """Hold workers, not the window, before a method while the event is cleared."""
    open_ = threading.Event()
    open_.set()
    method = getattr(owner, name)

    def held(*arguments):
        if threading.get_ident() != threading.main_thread().ident:
            assert open_.wait(20)
        return method(*arguments)

    monkeypatch.setattr(owner, name, held)
    yield open_
    open_.set()

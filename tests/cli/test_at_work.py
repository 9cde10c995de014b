"""A command that takes long tells on a terminal that it is at work."""

import io
import time

from attnviewer.cli import at_work
from attnviewer.cli.at_work import AtWork


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_how_far_a_command_is_in_a_line_that_goes_at_its_end(
    monkeypatch,
) -> None:
    monkeypatch.setattr(at_work, "_PATIENCE", 0)
    monkeypatch.setattr(at_work, "_INTERVAL", 0.001)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with AtWork("drawing") as work:
        _wait_for("\rdrawing… 0 s\x1b[K", terminal)
        work(0.256)
        _wait_for("\rdrawing… 25 %, 0 s\x1b[K", terminal)
    said = terminal.getvalue()
    assert said.endswith("\r\x1b[K")
    assert "\n" not in said
    time.sleep(0.005)
    assert terminal.getvalue() == said


def test_nothing_is_told_where_there_is_no_terminal_or_it_is_soon_done(
    monkeypatch, capsys
) -> None:
    terminal = Terminal()
    with monkeypatch.context() as patched:
        patched.setattr("sys.stderr", terminal)
        with AtWork("drawing"):
            pass
    assert not terminal.getvalue()
    monkeypatch.setattr(at_work, "_PATIENCE", 0)
    with AtWork("drawing") as work:
        work(0.5)
        time.sleep(0.005)
    assert not capsys.readouterr().err


def _wait_for(text: str, terminal: Terminal) -> None:
    end = time.monotonic() + 10
    while text not in terminal.getvalue():
        assert time.monotonic() < end
        time.sleep(0.001)

"""The protocols of the step view's pages, and their factory."""

from importlib import import_module
from typing import Protocol, runtime_checkable

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.views import VIEWS


class Page(Protocol):
    """A widget that shows a step; called only while it is visible.

    While hidden it holds no numbers but the newest ones.
    """

    painted: SignalInstance

    def show_step(self, shown: DisplayedStep) -> None:
        """Show a step."""

    def forget(self) -> None:
        """Drop the numbers; keep everything else, such as the zoom."""

    def choose(self, cell: Position | None) -> None:
        """Mark the selected cell."""


@runtime_checkable
class OpensHeads(Protocol):
    """A page of many heads, one of which can be opened or has a context menu."""

    head_opened: SignalInstance
    head_menu_wanted: SignalInstance


@runtime_checkable
class ShowsLine(Protocol):
    """A page that may have room for a line of which the header has none."""

    def show_line(self, line: str, tip: str) -> None:
        """Show a line with its tool tip; "" for none."""


def make_page(view: str, workbench: Workbench, parent: QWidget) -> Page:
    """Make the page of a view, one of `VIEWS`.

    Its module is imported lazily: pyqtgraph alone takes longer than the window.
    """
    module, _, name = VIEWS[view].page.rpartition(".")
    make = getattr(import_module(f"attnviewer.ui.views.step.{module}"), name)
    page: Page = make(workbench, parent)
    return page

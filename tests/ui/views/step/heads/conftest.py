import pytest

from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.views.step.heads.view import HeadsView

from .made import content_of


@pytest.fixture
def open_heads(qtbot, appearance):
    def open_on(source, size=(900, 700), **options):
        view = HeadsView()
        qtbot.addWidget(view, before_close_func=lambda widget: widget.hide())
        view.resize(*size)
        view.show_heads(source, content_of(source, **options), LIGHT)
        with qtbot.waitExposed(view):
            view.show()
        return view

    return open_on

"""What the tests of the window's parts have in common."""

import pytest
from shiboken6 import isValid

from attnviewer.ui.undo import EditStack


@pytest.fixture
def make_edits(qapp):
    """Return what makes the edits of a document, as part of a window or of nothing.

    After the test they are closed: Python's collector must not come first, see
    `EditStack.close`.
    """
    made = []

    def make(document, window=None):
        made.append(EditStack(document, window))
        return made[-1]

    yield make
    for edits in filter(isValid, made):
        edits.close()
        edits.deleteLater()

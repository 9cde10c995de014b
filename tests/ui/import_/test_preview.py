import numpy as np

from attnviewer.document.array_roles.pick import HEADS, Pick
from attnviewer.io.importing import Arrays
from attnviewer.ui.import_.preview import RolePreview


def test_only_large_heads_that_are_joined_have_no_preview(qtbot):
    one = np.broadcast_to(1.0, (2, 2**17, 64))  # takes no memory
    arrays = Arrays("Long", {"keys": one[0], "heads": one})
    preview = RolePreview(arrays, None)
    qtbot.addWidget(preview)
    preview.show_pick("K", Pick("keys", transposed=True))
    title, first, *_ = map(str.strip, preview.text().splitlines())
    assert (title, first) == ("K =", "1 1 1 1 1 1 …")
    preview.show_pick("K", Pick("heads", (HEADS, None, None)))
    assert preview.text() == "K is too large for a preview."

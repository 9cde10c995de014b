"""What is said of a split output."""

import numpy as np

from attnviewer.models.residual import Contributions, LogitLens
from attnviewer.ui.state.output_split import OutputParts, Prediction
from attnviewer.ui.views.contributions.texts import output_name


def test_a_logit_that_is_capped_is_said_to_be_split_before_the_cap() -> None:
    lens = LogitLens(0, np.zeros((1, 2)), ((),))
    names = []
    for capped in (False, True):
        parts = Prediction("a", "b", "", lens, np.zeros(1), capped)
        split = OutputParts(Contributions("logit", (), np.zeros(0)), parts)
        names.append(output_name(split))
    assert names == ["logit of “b”", "logit of “b” before the soft cap"]

"""Replaced activations lead to what hooks of PyTorch lead to, in transformers' models.

Recorded by ``python -m tests.models.record_hooked``, which says how.
"""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models.activations import Site
from tests.models import checkpoints, hooked


@pytest.mark.parametrize("family", hooked.FAMILIES)
def test_every_site_leads_to_what_hooks_lead_to(family: str, tmp_path: Path) -> None:
    run = models.load(checkpoints.write(family, tmp_path)).run(hooked.IDS)
    own = hooked.part_of(run.hidden_states[-1])
    for case, want in zip(hooked.CASES, hooked.load(family), strict=True):
        site = Site(case.kind, case.layer, case.head)
        replaced = run.with_activations({site: hooked.changed}, case.positions)
        got = hooked.part_of(replaced.hidden_states[-1])
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-5, err_msg=site.name)
        # The numbers of a case tell it from the others.
        assert np.abs(want - own).max() > 1e-2, site.name

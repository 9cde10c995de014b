"""The checkpoints of the tests are those whose results were recorded."""

from pathlib import Path

import pytest

from attnviewer.models.checkpoint import open_checkpoint
from attnviewer.models.part_words import part_in_words
from attnviewer.models.reading import read_architecture
from tests.models import recorded
from tests.models.configurations import CONFIGURATIONS as FIRST
from tests.models.fused_configurations import FUSED
from tests.models.growing_configurations import GROWING
from tests.models.normalised import NORMALISED

CONFIGURATIONS = FIRST | NORMALISED | FUSED | GROWING


def test_every_configuration_is_recorded_and_nothing_else() -> None:
    assert recorded.names() == sorted(CONFIGURATIONS)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_checkpoint_is_the_one_that_was_recorded(name: str, tmp_path: Path) -> None:
    case, asked = recorded.load(name), CONFIGURATIONS[name]
    assert case.told["family"] == asked.family
    assert case.told["options"] == asked.options
    assert case.input_ids == list(asked.input_ids)
    case.write(tmp_path)
    parts = read_architecture(open_checkpoint(tmp_path)).names
    assert not [part for part in parts if part_in_words(part) == part]

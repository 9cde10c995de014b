"""What a model's output is called."""

from pathlib import Path

import pytest

from attnviewer import models
from attnviewer.models.effect import predicted
from attnviewer.ui.views.model_effect.texts import result_title
from tests.models import output_heads
from tests.models.vision import recorded_vision


@pytest.mark.parametrize(
    ("name", "problem", "title"),
    [
        ("RobertaForSequenceClassification", None, "Predicted label"),
        ("RobertaForSequenceClassification", "regression", "Predicted numbers"),
        ("BertForSequenceClassification_number", None, "Predicted number"),
    ],
)
def test_an_output_that_is_no_class_is_called_a_number(
    name: str, problem: str | None, title: str, tmp_path: Path
) -> None:
    case = output_heads.cases()[name]
    case["config"]["problem_type"] = problem
    run = models.load(recorded_vision.write(case, tmp_path)).run(output_heads.IDS)
    assert result_title(run, predicted(run, None, -1)) == title

"""Heads of checkpoints give the logits that transformers computes."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.io import FileFormatError
from attnviewer.models.effect import Classes, predicted
from attnviewer.models.families import FAMILIES
from tests.models import output_heads
from tests.models.vision import recorded_vision

CASES = output_heads.cases()


def _load(case: dict, folder: Path, **config: object) -> models.Model:
    told = {**case, "config": case["config"] | config}
    return models.load(recorded_vision.write(told, folder))


def _without(case: dict, *ends: str) -> dict:
    kept = {n: s for n, s in case["shapes"].items() if not n.endswith(ends)}
    return {**case, "shapes": kept}


@pytest.mark.parametrize("name", CASES)
def test_a_head_gives_the_logits_of_transformers(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    model = _load(case, tmp_path)
    want = output_heads.logits(case)
    found = model.run(output_heads.given(case)).logits
    assert found.shape == want.shape
    np.testing.assert_allclose(found, want, atol=1e-5 * np.abs(want).max(), rtol=0)
    assert model.notices == ()


def test_classes_have_the_names_and_probabilities_of_their_logits(
    tmp_path: Path,
) -> None:
    case = CASES["DistilBertForTokenClassification"]
    model = _load(case, tmp_path)
    run = model.run(output_heads.IDS)
    row = output_heads.logits(case)[2]
    best = run.classes(2)[0]
    assert (
        best.label
        == ("bad", "fair", "good")[int(row.argmax())]
        == run.classes(-5)[0].label
    )
    assert best.logit == pytest.approx(row.max(), rel=1e-4)
    shares = np.exp(row) / np.exp(row).sum()
    assert best.probability == pytest.approx(shares.max(), rel=1e-4)
    with pytest.raises(IndexError, match="position"):
        run.classes(7)
    with pytest.raises(ValueError, match=r"predict tokens\. Got DistilBERT with"):
        run.next_tokens()
    # Of a sentence of another length, the last token is compared.
    shorter = model.run(output_heads.IDS[:2])
    found = predicted(run, shorter, 2)
    last = {one.id: one.probability for one in shorter.classes(1)}
    assert isinstance(found, Classes)
    assert found.before.tolist() == [pytest.approx(last[id]) for id in found.ids]


def test_the_start_of_a_span_is_shared_by_the_tokens(tmp_path: Path) -> None:
    case = CASES["BertForQuestionAnswering"]
    run = _load(case, tmp_path).run(output_heads.IDS)
    powers = np.exp(output_heads.logits(case))
    (start,) = (c.probability for c in run.classes(3) if c.label == "start")
    assert start == pytest.approx(powers[3, 0] / powers[:, 0].sum(), rel=1e-4)


def test_independent_labels_have_chances_and_numbers_have_none(tmp_path: Path) -> None:
    case = CASES["RobertaForSequenceClassification"]
    several = _load(case, tmp_path, problem_type="multi_label_classification")
    chances = {c.label: c.probability for c in several.run(output_heads.IDS).classes()}
    expected = 1 / (1 + np.exp(-output_heads.logits(case)))
    found = [chances[label] for label in ("bad", "fair", "good")]
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    number = CASES["BertForSequenceClassification_number"]
    (only,) = _load(number, tmp_path).run(output_heads.IDS).classes()
    assert np.isnan(only.probability)
    assert only.logit == pytest.approx(number["logits"][0], rel=1e-4)


def test_several_numbers_are_no_classes_either(tmp_path: Path) -> None:
    case = CASES["RobertaForSequenceClassification"]
    model = _load(case, tmp_path, problem_type="regression")
    found = model.run(output_heads.IDS).classes()
    assert all(np.isnan(one.probability) for one in found)
    numbers = {one.label: one.logit for one in found}
    expected = dict(
        zip(("bad", "fair", "good"), output_heads.logits(case), strict=True)
    )
    assert numbers == pytest.approx(expected, rel=1e-4)
    assert model.architecture.head is not None
    assert model.architecture.head.what == "3 numbers"
    # Heads for tokens are trained and read as classes, whatever is said.
    case = CASES["BertForTokenClassification"]
    model = _load(case, tmp_path, problem_type="regression")
    assert not np.isnan(model.run(output_heads.IDS).classes(0)[0].probability)


@pytest.mark.parametrize("said", [{}, {"pad_token_id": None}])
def test_padding_has_the_id_of_the_family_where_none_is_said(said, tmp_path) -> None:
    case = CASES["OPTForSequenceClassification"]
    assert case["config"].pop("pad_token_id", 1) == output_heads.IDS[-1] == 1
    found = _load(case, tmp_path, **said).run(output_heads.IDS).logits
    want = output_heads.logits(case)
    # Said to be none, it is none, and the last token is read.
    same = np.allclose(found, want, atol=1e-5 * np.abs(want).max(), rtol=0)
    assert same == (not said)


def test_each_family_of_decoders_has_its_id_of_padding() -> None:
    wide = dict.fromkeys(
        ("hidden_size", "intermediate_size", "num_attention_heads", "vocab_size"), 8
    )
    sizes = wide | {"num_hidden_layers": 1, "head_dim": 8, "num_key_value_heads": 8}
    expected = {  # those of transformers' classes of configurations
        **dict.fromkeys(("gemma", "gemma2", "gemma3_text"), 0),
        **dict.fromkeys(("gpt_oss", "llama", "mistral", "qwen2", "qwen3"), None),
        **{"olmo2": 1, "phi3": 32000, "smollm3": 128004},
    }
    for family, padding in expected.items():
        heads = FAMILIES[family](sizes).heads
        assert heads["ForSequenceClassification"].padding == padding, family


def test_what_is_left_out_of_a_head_is_told(tmp_path: Path) -> None:
    case = CASES["BertForTokenClassification"]
    other = _load(case, tmp_path, architectures=["BertForMultipleChoice"])
    (told,) = other.notices
    assert told.startswith("It was saved as BertForMultipleChoice, whose head is not")
    with pytest.raises(ValueError, match="BertForMultipleChoice"):
        _ = other.run(output_heads.IDS).logits
    bare = _load(_without(case, "classifier.weight", "classifier.bias"), tmp_path)
    (told,) = bare.notices
    assert "has no tensors of that head" in told
    with pytest.raises(ValueError, match="must have a head for classes"):
        bare.run(output_heads.IDS).classes()
    with pytest.raises(FileFormatError, match=r"'classifier\.weight' of BERT is"):
        _load(_without(case, "classifier.weight"), tmp_path)


@pytest.mark.parametrize(
    ("config", "where"),
    [
        ({"id2label": {"0": "a", "2": "b"}}, "id2label"),
        ({"id2label": ["a"]}, "id2label"),
        ({"id2label": None, "num_labels": 0}, "num_labels"),
        ({"id2label": None, "num_labels": 10**9}, "num_labels"),
        ({"id2label": {"0": "a"}}, "classifier.weight"),
    ],
)
def test_labels_that_do_not_fit_are_refused(
    config: dict, where: str, tmp_path: Path
) -> None:
    with pytest.raises(FileFormatError) as error:
        _load(CASES["BertForTokenClassification"], tmp_path, **config)
    assert where in str(error.value)


def test_a_masked_token_is_where_the_window_predicts(tmp_path: Path) -> None:
    words = ["[PAD]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmno"]
    (tmp_path / "vocab.txt").write_text("\n".join(words) + "\n")
    case = CASES["BertForMaskedLM"]
    model = _load(case, tmp_path)
    run = model.run(["[CLS]", "a", "[MASK]", "c", "[SEP]"])
    assert run.masked_position == 2
    assert run.next_tokens(1, run.masked_position)[0].id == run.logits[2].argmax()
    assert model.run(["a", "b"]).masked_position == 1

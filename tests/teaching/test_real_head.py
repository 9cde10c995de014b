"""The head of a real model that a lesson brings along."""

from pathlib import Path

import numpy as np

from attnviewer import models
from attnviewer.io.session import read_session
from attnviewer.paths import resource

_TIRED = "The animal didn't cross the street because it was too tired."
_WIDE = "The animal didn't cross the street because it was too wide."


def weights_of_it(model: Path, text: str) -> dict[str, float]:
    run = models.load(model).run(text)
    row = run.attention(3)["weights"][1, run.tokens.index("it")]
    return dict(zip(run.tokens, row.tolist(), strict=True))


def test_the_head_beside_the_lesson_computes_as_in_its_model(minilm: Path) -> None:
    document = read_session(resource("lessons") / "it-animal.attn")
    run = models.load(minilm).run(_TIRED)
    trace = document.compute()
    assert document.tokens == run.tokens
    for step in ("Q", "K", "V", "scaled", "weights"):
        want = run.attention(3)[step][1]
        np.testing.assert_allclose(trace[step], want, atol=2e-5)
    assert round(weights_of_it(minilm, _TIRED)["animal"], 4) == 0.6768


def test_another_last_word_does_what_the_lesson_says(minilm: Path) -> None:
    names = ("animal", "[CLS]", "street")
    tired, wide = (weights_of_it(minilm, text) for text in (_TIRED, _WIDE))
    assert [round(tired[name], 2) for name in names] == [0.68, 0.10, 0.05]
    assert [round(wide[name], 2) for name in names] == [0.28, 0.33, 0.12]
    assert max(wide, key=lambda name: wide[name]) == "[CLS]"
    assert round(tired["tired"], 2) == 0.02


def test_as_many_tokens_look_at_the_first_as_the_lesson_says() -> None:
    weights = read_session(resource("lessons") / "it-animal.attn").compute()["weights"]
    most = int((weights.argmax(axis=-1) == 0).sum())
    half = int((weights[..., 0] > 0.5).sum())
    lesson = (resource("lessons") / "11-real-head.md").read_text("utf-8")
    said = (
        f"{most} of the 16 tokens give [CLS] more than any other token, {half} of them"
    )
    assert said in lesson


def test_the_head_is_small_names_no_place_and_has_its_licence_beside_it() -> None:
    file = resource("lessons") / "it-animal.attn"
    assert file.stat().st_size < 500_000
    assert read_session(file).checkpoint is None
    licence = (resource("lessons") / "it-animal-license.txt").read_text("utf-8")
    assert "Apache License" in licence
    assert "all-MiniLM-L6-v2" in licence

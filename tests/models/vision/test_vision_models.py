"""Models of pictures, and CLIP, compute what transformers recorded of them."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from attnviewer import models
from attnviewer.document import Replace
from attnviewer.io import FileFormatError
from attnviewer.models.detectors.random_tokens import repeated_random_tokens
from attnviewer.models.detectors.readings import ModelReading, RunReading
from attnviewer.models.detectors.table import DETECTORS
from attnviewer.models.layer_documents import (
    attention_document,
    patch_of,
    with_patches,
)
from attnviewer.models.residual import components
from tests.models.vision import recorded_vision as recorded

_ALONE = [name for name in recorded.names() if name != "clip"]


def _close(got: np.ndarray, want: np.ndarray) -> None:
    np.testing.assert_allclose(got, want, atol=2e-5 * np.abs(want).max(), rtol=0)


def _assert_equal(run: models.ModelTrace, results: dict, prefix: str = "") -> None:
    states, weights = (results[prefix + k] for k in ("hidden_states", "attentions"))
    assert len(run.hidden_states) == len(states)
    for layer, want in enumerate(states):
        _close(run.hidden_states[layer], want)
    for layer, want in enumerate(weights):
        _close(run.attention(layer)["weights"], want)
    if (want := results.get(f"{prefix}embeds")) is not None:
        _close(run.sentence_embedding, want)


def _run(name: str, folder: Path) -> tuple[models.ModelTrace, dict]:
    told, results = recorded.load(name)
    model = models.load(recorded.write(told, folder))
    given = told.get("ids") or recorded.pixels(name, told["pixels"])
    return model.run(given), results


@pytest.mark.parametrize("name", _ALONE)
def test_a_tower_computes_what_transformers_does(name: str, tmp_path: Path) -> None:
    run, results = _run(name, tmp_path)
    _assert_equal(run, results)
    parts = components(run, run.model.n_layers)
    _close(parts.values.sum(axis=0), run.stream(run.model.n_layers))
    shares = run.embedding_shares()
    np.testing.assert_allclose(
        shares.total, np.linalg.norm(run.sentence_embedding), rtol=1e-5
    )


def test_clip_runs_texts_and_pictures_each_through_its_tower(tmp_path: Path) -> None:
    told, results = recorded.load("clip")
    model = models.load(recorded.write(told, tmp_path))
    text = model.run(told["ids"])
    seen = model.run(recorded.pixels("clip", told["pixels"]))
    _assert_equal(text, results, "text_")
    _assert_equal(seen, results, "vision_")
    assert (model.tower, seen.model.tower) == ("text", "vision")
    logit = results["logits_per_text"].item()
    assert text.similarity_logit(seen) == pytest.approx(logit, rel=1e-5)
    assert seen.similarity_logit(text) == pytest.approx(logit, rel=1e-5)
    with pytest.raises(ValueError, match="other tower of the same CLIP"):
        text.similarity_logit(text)
    assert seen.model.run(told["ids"]).model is model


def test_patches_are_named_by_row_and_column(tmp_path: Path) -> None:
    run, _ = _run("vit_wide", tmp_path)
    assert run.tokens[:6] == ("[CLS]", "0,0", "0,1", "0,2", "0,3", "1,0")
    assert run.encoded.picture is not None
    assert run.encoded.picture.grid == (2, 4)
    deit, _ = _run("deit", tmp_path)
    assert deit.tokens[:3] == ("[CLS]", "[DIST]", "0,0")


def test_equal_patches_have_equal_ids_and_others_not(tmp_path: Path) -> None:
    run, _ = _run("dinov2", tmp_path)
    pixels = np.zeros((3, 12, 12))
    pixels[:, :4, :4] = 1.0
    ids = run.model.run(pixels).ids
    assert len(set(ids[2:])) == 1
    assert ids[1] != ids[2]
    assert run.ids != ids


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (np.zeros((3, 12, 13)), "(3, 12, 12)"),
        (np.zeros((1, 12, 12)), "(3, 12, 12)"),
        (np.full((3, 12, 12), np.nan), "pixel values"),
        (np.zeros((5, 5, 3), np.uint8), "preprocessor_config.json"),
        ([1, 2, 3], "int64 of shape (3,)"),
        ("a cat", "text"),
    ],
)
def test_what_is_no_picture_of_the_model_is_refused(
    given: object, named: str, tmp_path: Path
) -> None:
    run, _ = _run("deit", tmp_path)
    with pytest.raises((ValueError, TypeError)) as caught:
        run.model.run(given)
    assert named in str(caught.value)


def test_an_image_of_pillow_is_read_by_its_colours_whatever_it_holds(
    tmp_path: Path,
) -> None:
    told, _ = recorded.load("deit")
    folder = recorded.write(told, tmp_path)
    config = json.dumps({"do_resize": False, "crop_size": 12})
    (folder / "preprocessor_config.json").write_text(config, encoding="utf-8")
    model = models.load(folder)
    colours = np.full((12, 12, 3), (255, 0, 9), np.uint8)
    wanted = model.run(colours)
    indices = Image.fromarray(np.full((12, 12), 1, np.uint8), "L")
    indices.putpalette([0, 0, 0, 255, 0, 9])  # makes it an image of mode P
    assert model.run(indices).ids == wanted.ids


def test_a_model_of_pictures_has_no_token_table(tmp_path: Path) -> None:
    run, _ = _run("deit", tmp_path)
    with pytest.raises(ValueError, match="reads images"):
        next(run.model.weights.blocks("tokens"))
    with pytest.raises(ValueError, match="predict tokens"):
        run.next_logits()


def test_a_patch_larger_than_the_picture_is_refused_with_its_place(
    tmp_path: Path,
) -> None:
    told, _ = recorded.load("deit")
    told["config"]["patch_size"] = 16
    with pytest.raises(FileFormatError, match="at most the image_size, 12 × 12") as e:
        models.load(recorded.write(told, tmp_path))
    assert e.value.location == "$.patch_size"


def test_a_dinov2_of_oblong_pictures_is_refused_with_its_place(tmp_path: Path) -> None:
    told, _ = recorded.load("dinov2")
    told["config"]["image_size"] = [16, 32]
    with pytest.raises(FileFormatError, match=r"must be square.*16 × 32") as e:
        models.load(recorded.write(told, tmp_path))
    assert e.value.location == "$.image_size"


@pytest.mark.parametrize("part", ["text", "vision"])
def test_a_second_configuration_of_a_tower_overrides_the_first(
    part: str, tmp_path: Path
) -> None:
    told, results = recorded.load("clip")
    config = told["config"]
    # What both leave out is the default of the class, not what the first one says.
    second = config[f"{part}_config_dict"] = dict(config[f"{part}_config"])
    del second["hidden_act"], second["layer_norm_eps"]
    config[f"{part}_config"] |= {"hidden_act": "gelu", "layer_norm_eps": 0.5}
    model = models.load(recorded.write(told, tmp_path))
    given = told["ids"] if part == "text" else recorded.pixels("clip", told["pixels"])
    _assert_equal(model.run(given), results, f"{part}_")
    second["hidden_size"] = 0
    with pytest.raises(FileFormatError) as caught:
        models.load(recorded.write(told, tmp_path))
    assert caught.value.location == f"$.{part}_config_dict.hidden_size"


def test_clip_without_a_tower_is_refused_with_its_place(tmp_path: Path) -> None:
    told, _ = recorded.load("clip")
    del told["config"]["vision_config"]
    with pytest.raises(FileFormatError) as caught:
        models.load(recorded.write(told, tmp_path))
    assert caught.value.location == "$.vision_config"


@pytest.mark.parametrize("name", ["dinov2_gated", "clip"])
def test_a_head_put_back_changes_only_later_layers(name: str, tmp_path: Path) -> None:
    run, _ = _seen(name, tmp_path)
    document = attention_document(run, 0, 1)
    assert document.grid is not None
    assert document.grid.n_tokens == len(run.ids)
    doubled = 2 * document.matrix("W_O")
    document.apply(Replace("Double", matrices={"W_O": doubled}))
    changed = with_patches(run, [patch_of(document)])
    np.testing.assert_array_equal(changed.stream(0), run.stream(0))
    # The head's output, as transformers adds it to the stream, is added once more.
    own = attention_document(run, 0, 1).compute()["output"]  # (n, d_model)
    more = changed.attention(0)["output"] - run.attention(0)["output"]
    np.testing.assert_allclose(more, own, atol=1e-5)
    assert not np.allclose(changed.stream(1), run.stream(1))


@pytest.mark.parametrize("name", ["dinov2_gated", "clip"])
def test_a_gradient_is_the_slope_of_the_embeddings_cosine(
    name: str, tmp_path: Path
) -> None:
    run, _ = _seen(name, tmp_path)
    pixels = recorded.pixels("another", recorded.load(name)[0]["pixels"])
    metric = models.EmbeddingCosine(run.model.run(pixels))
    site, step = models.Site("feed_forward", 0), 0.02
    gradient = models.Gradients(run, metric)[site]  # (n, d_model)
    toward = np.sign(gradient).astype(np.float32)
    there, back = (
        metric(run.with_activations({site: lambda a, s=sign: a + s * step * toward}))
        for sign in (1, -1)
    )
    slope = (there - back) / (2 * step)
    assert slope == pytest.approx(np.abs(gradient).sum(), rel=2e-2)


def _seen(name: str, folder: Path) -> tuple[models.ModelTrace, dict]:
    told, results = recorded.load(name)
    model = models.load(recorded.write(told, folder))
    return model.run(recorded.pixels(name, told["pixels"])), results


def test_what_needs_a_vocabulary_is_refused_for_pictures(tmp_path: Path) -> None:
    run, _ = _run("dinov2", tmp_path)
    with pytest.raises(ValueError, match="knows no tokens"):
        run.attribution(3)
    with pytest.raises(ValueError, match="predict tokens"):
        run.logit_lens()
    with pytest.raises(ValueError, match="must read tokens"):
        repeated_random_tokens(run.model)
    reading = RunReading(run, ModelReading(run.model))
    assert DETECTORS["prefix_matching"].lacks(reading) == "The model reads images."

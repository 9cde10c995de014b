"""Recordings of PyTorch's layers on the command line."""

from pathlib import Path

import numpy as np
import pytest

import attnviewer
from attnviewer import cli
from attnviewer.io import FileFormatError

FOLDER = Path(__file__).parents[1] / "data" / "recorded"
GPT2 = str(FOLDER / "gpt2.npz")


@pytest.mark.parametrize("layer", [None, 1])
def test_a_layer_of_a_recording_is_exported(layer, capsys, tmp_path) -> None:
    written = tmp_path / "layer.npz"
    chosen = [] if layer is None else ["--layer", str(layer)]
    assert cli.main(["export", GPT2, *chosen, "--to", str(written)]) == 0
    told = "It is a recording of 2 layers, of which the first is taken (see --layer)."
    assert (told in capsys.readouterr().err) == (layer is None)
    recorded = np.load(FOLDER / "gpt2_weights.npz")["weights"]  # by transformers
    with np.load(written) as found:
        np.testing.assert_allclose(found["weights"], recorded[layer or 0, 0], atol=1e-6)


def test_layers_that_are_not_there_are_refused(capsys, tmp_path) -> None:
    written = str(tmp_path / "layer.npz")
    assert cli.main(["export", GPT2, "--layer", "2", "--to", written]) == 2
    assert "layers.2: The 'layer' must be from 0 to 1." in capsys.readouterr().err
    assert cli.main(["patterns", "example:two-heads", "--layer", "0"]) == 2
    assert "only recordings have layers here" in capsys.readouterr().err


def test_the_reader_of_documents_names_that_of_recordings() -> None:
    with pytest.raises(FileFormatError, match=r"attnviewer\.load_recording\(path\)"):
        attnviewer.open(GPT2)


def test_a_layer_of_a_recording_is_diagnosed(capsys) -> None:
    assert cli.main(["doctor", GPT2, "--layer", "1"]) == 0
    assert capsys.readouterr().out.startswith("Agrees to within float32 rounding")
    assert cli.main(["doctor", GPT2, "--layer", "1", "--spec", "scale=1"]) == 1
    assert cli.main(["doctor", GPT2, "--layer", "2"]) == 2
    assert "The 'layer' must be from 0 to 1." in capsys.readouterr().err

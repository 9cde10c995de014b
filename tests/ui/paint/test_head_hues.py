"""Colours of heads against the published ways of seeing them."""

import itertools

import numpy as np
import pytest

from attnviewer.ui.paint.head_hues import DISTINCT, hue
from attnviewer.ui.paint.theme import DARK, LIGHT

# Machado, Oliveira and Fernandes 2009, severity 1.
SIGHT = {
    "normal": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(name):
    channels = np.array([int(name[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(
        channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
    )


def oklab(rgb):
    """Ottosson 2020, "A perceptual color space for image processing"."""
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return lab @ np.cbrt(cones @ np.clip(rgb, 0, 1))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_no_two_heads_look_alike_to_anybody(theme, sight):
    seen = [oklab(SIGHT[sight] @ linear(hue(theme, k))) for k in range(DISTINCT)]
    apart = min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2))
    assert apart > 0.08  # about four just noticeable differences


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_stand_out_from_the_window(theme):
    """WCAG 2.1 asks for a contrast of 3 to 1 (success criterion 1.4.11)."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    ground = weights @ linear(theme.window)
    for head in range(DISTINCT):
        ink = weights @ linear(hue(theme, head))
        assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) >= 3


def test_more_heads_start_over():
    assert hue(LIGHT, DISTINCT + 1) == hue(LIGHT, 1)

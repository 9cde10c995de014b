"""Chunked attention: each query sees the keys of its own chunk."""

import numpy as np
import pytest

from attnviewer import attention
from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.document.masks import MaskPreset, mask_edit, preset_of
from attnviewer.io.session.spec_part import spec_from_plain, spec_to_plain

Q, K, V = np.random.default_rng(2).normal(size=(3, 7, 4))


def test_a_causal_query_sees_the_keys_of_its_chunk_up_to_itself() -> None:
    trace = attention(Q, K, V, causal=True, chunk=3)
    want = np.zeros((7, 7), bool)
    for first in 0, 3, 6:
        size = min(3, 7 - first)
        want[first : first + size, first : first + size] = np.tri(size)
    np.testing.assert_array_equal(trace["weights"] > 0, want)
    assert "another chunk" in trace.explain("masked", (4, 1)).note


def test_positions_with_an_offset_count_from_the_first_key() -> None:
    trace = attention(Q[:2], K, V, chunk=4, query_offset=3)
    seen = [[1, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1]]
    np.testing.assert_array_equal(trace["weights"] > 0, np.array(seen, bool))


def test_a_document_with_chunks_has_no_other_preset_and_loses_them_to_one() -> None:
    spec = Spec(projected=False, causal=True, chunk=2)
    document = Document("", "abc", {"X": np.eye(3)}, spec)
    assert spec_from_plain(spec_to_plain(spec)) == spec
    assert preset_of(document).kind == "combined"
    document.apply(mask_edit(document, MaskPreset("causal"), "Mask"))
    assert document.spec.chunk is None


@pytest.mark.parametrize("size", [0, -3])
def test_chunks_of_nothing_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="'chunk' must be at least 1"):
        Spec(chunk=size)

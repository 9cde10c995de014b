"""Arrays of other libraries, and what they say when NumPy cannot read them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import attnviewer
from attnviewer.document import Document, EditError

_NUMBERS = np.array([[1.0, 2.0], [3.0, 5.0], [0.5, -1.0]])


class Arraying:
    """Offers its numbers through ``__array__`` alone."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = numbers

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.numbers if dtype is None else self.numbers.astype(dtype)


class Exchanging:
    """Offers its numbers through DLPack alone."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = numbers

    def __dlpack__(self, **options: Any) -> object:
        return self.numbers.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.numbers.__dlpack_device__()


class Parameter:
    """Is trained, and shows its numbers when that has been put aside."""

    requires_grad = True

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = numbers

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    def detach(self) -> Arraying:
        return Arraying(self.numbers)


class Elsewhere:
    """Keeps its numbers on another device."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise TypeError("can't convert cuda:0 device type tensor to numpy.")

    def cpu(self) -> Arraying:
        return Arraying(_NUMBERS)


class OnAnotherDevice:
    """Keeps its numbers where DLPack cannot lead NumPy."""

    def __dlpack__(self, **options: Any) -> object:
        raise BufferError("Cannot export readonly array")

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


_LIBRARIES: list[Callable[[np.ndarray], Any]] = [Arraying, Exchanging, Parameter]


@pytest.mark.parametrize("library", _LIBRARIES)
def test_attention_takes_them(library) -> None:
    x = library(_NUMBERS)
    trace = attnviewer.attention(x, x, x, scale=1.0, bias=library(np.zeros((3, 3))))
    assert trace["scores"].tolist() == [
        [5, 13, -1.5],
        [13, 34, -3.5],
        [-1.5, -3.5, 1.25],
    ]


@pytest.mark.parametrize("library", _LIBRARIES)
def test_weights_and_masks_are_taken(library) -> None:
    w = library(np.array([[0.0, 1.0], [1.0, 0.0]]))
    mask = library(np.tri(3, dtype=bool))
    trace = attnviewer.multi_head_attention(library(_NUMBERS), w, w, w, mask=mask)
    assert trace["Q"][0].tolist() == [[2, 1], [5, 3], [-1, 0.5]]
    assert np.isneginf(trace["masked"][0, 0]).tolist() == [False, True, True]


@pytest.mark.parametrize("library", _LIBRARIES)
def test_a_normaliser_takes_them(library) -> None:
    shares = attnviewer.normalize(library(np.array([1.0, 3.0])), "sum")
    assert shares.tolist() == [0.25, 0.75]


@pytest.mark.parametrize("library", _LIBRARIES)
def test_a_document_takes_copies_of_them(library) -> None:
    numbers = _NUMBERS.astype(np.float32)
    document = Document(
        "t",
        "abc",
        {
            "X": library(numbers),
            "mask": library(np.eye(3, dtype=bool)),
            **{n: library(np.eye(2)) for n in ("W_Q", "W_K", "W_V")},
        },
    )
    numbers[0, 0] = 9
    assert document.matrix("X").tolist() == [[1, 2], [3, 5], [0.5, -1]]
    assert document.matrix("X").dtype == np.float64
    assert document.matrix("mask").dtype == np.bool_


def test_numbers_on_another_device_are_refused_with_the_way_out() -> None:
    with pytest.raises(TypeError) as caught:
        attnviewer.normalize(Elsewhere())  # type: ignore[arg-type]
    assert str(caught.value) == (
        "The 'scores' parameter must be an array that NumPy can read. Got Elsewhere "
        "instead: can't convert cuda:0 device type tensor to numpy. "
        "Call .cpu().float() first."
    )


def test_what_cannot_be_exchanged_is_refused() -> None:
    with pytest.raises(TypeError, match="Got OnAnotherDevice instead: Cannot export"):
        attnviewer.normalize(OnAnotherDevice())  # type: ignore[arg-type]


def test_a_document_says_which_matrix_holds_no_numbers() -> None:
    with pytest.raises(EditError, match="The 'X' matrix must hold real numbers"):
        Document("t", "ab", {"X": np.ones((2, 2), complex)})
    with pytest.raises(EditError, match="The 'X' matrix must be an array"):
        Document("t", "ab", {"X": [[1.0], [2.0, 3.0]]})


def test_parameters_of_pytorch_are_taken() -> None:
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(2, 2, bias=False)
    x = torch.tensor(_NUMBERS, dtype=torch.float32)
    w = layer.weight.T
    trace = attnviewer.multi_head_attention(x, w, w, w)
    np.testing.assert_allclose(trace["Q"][0], layer(x).detach().numpy(), rtol=1e-6)


def test_pytorch_says_why_its_tensor_is_not_taken() -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(
        TypeError, match=r"BFloat16\. Call \.cpu\(\)\.float\(\) first\."
    ):
        attnviewer.normalize(torch.ones(3, dtype=torch.bfloat16))


def test_bfloat16_of_jax_is_refused_with_the_way_out() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    halves = np.ones((2, 2), ml_dtypes.bfloat16)
    told = r"Got bfloat16 instead\. Pass it as \.astype\('float32'\)\."
    with pytest.raises(TypeError, match=told):
        attnviewer.attention(halves, halves, halves)
    x = halves.astype("float32")
    assert attnviewer.attention(x, x, x)["output"].tolist() == [[1, 1], [1, 1]]

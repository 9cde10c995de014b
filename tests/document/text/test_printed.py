"""Arrays found in what sessions and notebooks show, with their names."""

from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.document.text.blocks import parse_block
from attnviewer.document.text.printed import printed_arrays

SQUARE = [[1, 2], [3, 4]]
ROW = [5, 6]


def found(text):
    printed = printed_arrays(text)
    assert printed.left_out == {}
    return {name: array.tolist() for name, array in printed.values.items()}


@pytest.mark.parametrize(
    "text",
    [
        "Q =\n[[1 2]\n [3 4]]\nK: [5 6]",
        "Q:\n [[1 2]\n [3 4]]\nK = [5, 6]\n",
        "Query matrix (Q):\n [[1 2]\n [3 4]]\nKey matrix (K):\n [5 6]",
        "Q (2, 2):\n[[1 2]\n [3 4]]\nK (2,):\n[5 6]",
        "Q [[1 2]\n [3 4]]\nK [5 6]",
        "Q: [[1, 2], [3, 4]] K: [5, 6]",
        "Q = X @ W_Q =\n[[1 2]\n [3 4]]\nK = X @ W_K =\n[5 6]",
        ">>> Q\narray([[1, 2],\n       [3, 4]])\n>>> K.round(2)\narray([5, 6])",
        "In [3]: Q\nOut[3]: \narray([[1, 2],\n       [3, 4]])\n\nIn [4]: K\n"
        "Out[4]: array([5, 6])\n",
        "Q, K\n\n(array([[1, 2],\n        [3, 4]]), array([5, 6]))",
        "print(Q)\nprint(np.round(K, 3))\n[[1 2]\n [3 4]]\n[5 6]",
        'print("queries:\\n", Q)\nprint("keys:", K, sep="\\n")\n'
        "queries:\n [[1 2]\n [3 4]]\nkeys:\n[5 6]",
        'print(f"queries:\\n{Q}")\nprint(f"keys {K!r}")\n'
        "queries:\n[[1 2]\n [3 4]]\nkeys array([5, 6])",
        "Q\ntensor([[1., 2.],\n        [3., 4.]], grad_fn=<MmBackward0>)\n"
        "K\ntensor([5., 6.], device='cuda:0', dtype=torch.float64)",
        "{'Q': array([[1, 2],\n       [3, 4]]), 'K': array([5, 6])}",
        '{"Q": [[1, 2], [3, 4]], "K": [5, 6]}',
        "Q = np.array([[1, 2],\n              [3, 4]])  # queries\n"
        "K = torch.tensor([5, 6], dtype=torch.float32)",
        "OrderedDict([('Q', tensor([[1., 2.],\n        [3., 4.]])), "
        "('K', tensor([5., 6.]))])",
        "[('Q', Parameter containing:\ntensor([[1., 2.],\n        [3., 4.]], "
        "requires_grad=True)), ('K', Parameter containing:\ntensor([5., 6.]))]",
        "print(len(X))\nprint(Q.shape)\nprint(Q, K)\n"
        "2\ntorch.Size([2, 2])\n[[1 2]\n [3 4]] [5 6]",
        'print("Q", Q.shape, Q)\nQ torch.Size([2, 2]) tensor([[1, 2],\n        [3, 4]])'
        "\nK shape: (2,)\n[5 6]",
        'print(f"queries {Q.shape}:\\n{Q}")\nqueries (2, 2):\n[[1 2]\n [3 4]]\n'
        "K: [5 6]",
        "both = {'Q': np.array([[1, 2], [3, 4]]), 'K': np.array([5, 6])}",
        "Q = np.array([[1, 4 / 2], [3, 2**2]]).astype(np.float32)\n"
        "K = np.array([5, 6], float)",
    ],
)
def test_arrays_are_called_as_the_text_calls_them(text):
    assert found(text) == {"Q": SQUARE, "K": ROW}


def test_words_alone_on_the_line_above_are_a_name():
    text = (
        "Query weights\nParameter containing:\ntensor([[1., 2.],\n        [3., 4.]])\n"
        "key weights\n[5 6]\nThe results are these rows\n[7 8]\nnot these\n\n[9 9]"
    )
    assert found(text) == {
        "Query weights": SQUARE,
        "key weights": ROW,
        "array 3": [7, 8],
        "array 4": [9, 9],
    }


def test_lines_of_numbers_below_a_name_are_an_array():
    text = "A =\n\n     1     2\n     3     4\n\nB =\n\n   0.5   1.5\n  -2.5   3e-1\n"
    assert found(text) == {"A": SQUARE, "B": [[0.5, 1.5], [-2.5, 0.3]]}


def test_tables_of_pandas_have_their_labels_and_one_cut_short_its_reason():
    cut = "    0  ...  9\n0  1.0  ...  2\n1  1.0  ...  2\n\n[2 rows x 10 columns]\n"
    text = (
        "pd.DataFrame(w, tokens, tokens)\n\n"
        "     the  cat\nthe  0.5    1\ncat  2.0    3\n\n"
        "print(x)\n     0  1\n0  0.5  1\n1  2.0  3\n" + f"cut\n\n{cut}\nQ: [5 6]"
    )
    printed = printed_arrays(text)
    table = [[0.5, 1], [2, 3]]
    values = {name: array.tolist() for name, array in printed.values.items()}
    assert values == {"w": table, "x": table, "Q": ROW}
    assert printed.tokens == {"w": ("the", "cat")}
    assert "In pandas, print it whole" in printed.left_out["cut"]


def test_arrays_without_a_name_are_numbered():
    text = "[[1 2]\n [3 4]]\n\n[[5 6]\n [7 8]]\nParameter containing:\ntensor([9., 9.])"
    assert found(text) == {
        "array 1": SQUARE,
        "array 2": [[5, 6], [7, 8]],
        "array 3": [9, 9],
    }


def test_other_numbers_of_a_name_are_numbered_and_the_same_are_there_once():
    text = "Q: [1 2]\nQ: [3 4]\nQ: [1 2]"
    assert found(text) == {"Q": [1, 2], "Q (2)": [3, 4]}


def test_each_array_of_a_list_is_one_and_truth_values_are_no_names():
    text = "heads = [tensor([[1, 2],\n        [3, 4]]), tensor([5, 6])]\n"
    assert list(found(text).values()) == [SQUARE, ROW]
    assert found("mask: tensor([True, True])") == {"mask": [1, 1]}


@pytest.mark.parametrize(
    "text",
    [
        "W =\n\n   1.0e+03 *\n\n    0.0010    2.5000    7.0000\n"
        "         0    4.0000   -0.1000\n\n",
        "W =\n   1.0e+03 *\n  Columns 1 through 2\n    0.0010    2.5000\n"
        "         0    4.0000\n  Column 3\n    7.0000\n   -0.1000\n",
        "W =\n\n Columns 1 and 2:\n\n      1   2500\n      0   4000\n\n"
        " Column 3:\n\n   7000\n   -100\n\n",
    ],
)
def test_the_common_factor_and_the_parts_of_matlab_are_put_together(text):
    whole = [[1, 2500, 7000], [0, 4000, -100]]
    assert found(f"{text}K =\n\n     5     6\n") == {"W": whole, "K": [ROW]}
    assert parse_block(text).values.tolist() == whole


def test_heads_and_layers_keep_their_axes_and_masked_scores_their_infinity():
    text = "weights:\ntensor([[[0, 1],\n  [2, 3]],\n\n [[4, 5],\n  [6, -inf]]])"
    assert found(text) == {"weights": [[[0, 1], [2, 3]], [[4, 5], [6, -np.inf]]]}


def test_vectors_that_code_joins_by_name_are_rows_with_these_names():
    printed = printed_arrays("a = array([1, 0])\nb = array([0, 1])\nX = array([b, a])")
    assert printed.values["X"].tolist() == [[0, 1], [1, 0]]
    assert printed.tokens == {"X": ("b", "a")}


def test_comments_beside_the_rows_of_a_matrix_name_them():
    rows = "[\n   [1, 2], # your [first]\n   [3, 4]  # journey\n  ]"
    text = f"X = torch.tensor(\n  {rows}\n)"
    printed = printed_arrays(text)
    assert printed.values["X"].tolist() == SQUARE
    assert printed.tokens == {"X": ("your (first)", "journey")}


@pytest.mark.parametrize(
    "text",
    [
        "x = a[1:3]\ny = a[0]\nz[1, 2]",
        "for i in [1, 2, 3]:\n    pass",
        "w = softmax(np.array([1, 2]))",
        "plt.plot([1, 2],\n         [3, 4])",
        "np.zeros([3, 4])",
        "scores = np.array([np.dot(q, k), np.dot(q, k)])",
        "X = np.array([a, b])",
        "as shown in [1, 2] before",
        "- [x] done\n- [ ] open\nsee [1]",
        "Epoch 1:\n0.5 loss\n",
        "",
    ],
)
def test_code_and_prose_are_no_arrays(text):
    assert found(text) == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Q:\n[[1 2 ... 3]\n ...\n [4 5 ... 6]]", "leaves numbers out where it has"),
        (
            "Q:\n[[1. nan]\n [2. 3.]]",
            "Line 1, cell 2 of the text: The number",
        ),
        ("Q: [[1, 2], [3]]", "Line 1 has 2, line 2 has 1."),
        ("Q: [[[1, 2]], [[3, 4], [5, 6]]]", "must have the same shape"),
    ],
)
def test_an_array_that_cannot_be_used_is_left_out_with_the_reason(text, reason):
    printed = printed_arrays(f"{text}\nK: [5 6]")
    assert list(printed.values) == ["K"]
    assert list(printed.left_out) == ["Q"]
    assert reason in printed.left_out["Q"]


@given(
    arrays(
        np.float64,
        st.lists(st.integers(2, 4), min_size=1, max_size=4).map(tuple),
        elements=st.floats(-1e9, 1e9),
    ),
    st.sampled_from([str, repr]),
)
def test_what_numpy_prints_is_found_exactly(values, write):
    with np.printoptions(floatmode="unique"):
        text = f"before\nW_Q =\n{write(values)}\nafter"
    (printed,) = printed_arrays(text).values.values()
    assert printed.shape == values.shape
    assert np.array_equal(printed, values)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 25_000,
        "[1 " * 25_000,
        "f([1 2]\n" * 25_000,
        "[1 2]\n" * 25_000,
        "[1#" * 25_000,
        "#[1\n" * 25_000,
        "[1,2],a=<" * 25_000,
        "[1 [1 [1 " + "[1] " * 25_000,
        "a" + " " * 100_000 + "b\n[1 2]",
        "Q:\n" + "1" * 100_000 + "x",
        "= " * 50_000 + "\n1 2\n",
        "print('" + "\\" * 50_000 + "')\n[1 2]",
        "[1 2]" + " " * 10_000 + "x",
    ],
)
def test_a_hostile_text_is_read_quickly(text):
    start = process_time()
    printed_arrays(text)
    assert process_time() - start < 2.5


def test_the_length_of_a_text_and_the_number_of_arrays_are_bounded(monkeypatch):
    where = "attnviewer.document.text.printed"
    monkeypatch.setattr(f"{where}.MOST_ARRAYS", 2)
    printed = printed_arrays("a: [1 2]\nb: [3 4]\nc: [5 6]")
    assert list(printed.values) == ["a", "b"]
    assert printed.left_out == {"rest": "Only 2 arrays are taken."}
    monkeypatch.setattr(f"{where}.MOST_CHARACTERS", 10)
    with pytest.raises(ValueError, match=r"at most 10 characters\. Got 11"):
        printed_arrays("1" * 11)


_ROWS = "array([[1., 2.],\n       [3., 4.]], dtype=float32)"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\n{_ROWS}>", "array 1"),
        (f"Q\n\n<tf.Variable 'q:0' shape=(2, 2) dtype=float32, numpy=\n{_ROWS}>", "Q"),
        ("print(Q)\ntf.Tensor(\n[[1. 2.]\n [3. 4.]], shape=(2, 2), dtype=f)", "Q"),
        (f"Q\n\nDeviceArray({_ROWS[6:]}", "Q"),
        ("\x1b[1mQ\x1b[0m = [[1 2]\n [3 4]]", "Q"),
    ],
)
def test_arrays_of_other_libraries_and_in_colour_are_read(text, name) -> None:
    found = printed_arrays(text)
    assert {k: v.tolist() for k, v in found.values.items()} == {name: [[1, 2], [3, 4]]}


def test_several_tensors_of_an_output_have_the_names_of_the_code() -> None:
    tensor = "<tf.Tensor: shape=(1, 2), dtype=int32, numpy=\narray([[{}, 2]])>"
    text = f"Q, K\n\n({tensor.format(1)}, {tensor.format(3)})"
    found = printed_arrays(text)
    values = {name: array.tolist() for name, array in found.values.items()}
    assert values == {"Q": [[1, 2]], "K": [[3, 2]]}


@pytest.mark.parametrize("rest", [" @ W", " > 3", " * 2 + b", "[0, :, 1]"])
def test_a_row_of_an_operand_is_no_array(rest: str) -> None:
    text = f"y = np.array([[1., 2.],\n              [3., 4.]]{rest})\n\nK = [[5]]"
    assert list(printed_arrays(text).values) == ["K"]

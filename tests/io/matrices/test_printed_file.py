"""Jupyter notebooks and logs of sessions, read for the arrays that they show."""

import json

import pytest

from attnviewer.io import FileFormatError, load
from attnviewer.io.matrices import read_matrices


def notebook(*cells, nbformat=4):
    """Return the text of a notebook from pairs of code and what it outputs."""
    return json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "metadata": {}, "source": ["X: [7 7]"]},
                *(
                    {"cell_type": "code", "source": source, "outputs": outputs}
                    for source, outputs in cells
                ),
            ],
            "metadata": {"kernelspec": {"name": "python3"}},
            "nbformat": nbformat,
            "nbformat_minor": 5,
        }
    )


def stream(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


def result(text, kind="execute_result"):
    data = {"image/png": "iVBORw0KGgo=", "text/plain": text}
    return {"output_type": kind, "data": data, "metadata": {}}


@pytest.fixture
def read(tmp_path):
    def read_(text, name="book.ipynb"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return read_matrices(path)

    return read_


def test_each_kind_of_output_is_searched_and_named_by_its_code(read):
    printed = ["Query weights:\n", " [[1 2]\n", " [3 4]]\n"]
    error = {"output_type": "error", "ename": "E", "traceback": ["[[9 9]]"]}
    matrices = read(
        notebook(
            ('print("Query weights:\\n", W_Q)', [stream(printed)]),
            ("W_K", [result(["array([[5, 6],\n", "       [7, 8]])"])]),
            ("display(V)", [result("array([[1., 0.5]])", "display_data")]),
            ("1 / 0", [error]),
            ("", [{"output_type": "stream", "name": "stderr", "text": "a warning"}]),
        )
    )
    assert {name: array.tolist() for name, array in matrices.values.items()} == {
        "W_Q": [[1, 2], [3, 4]],
        "W_K": [[5, 6], [7, 8]],
        "V": [[1, 0.5]],
    }
    assert matrices.notices == []


def test_the_pieces_of_a_stream_are_joined_wherever_they_end(read):
    warning = {"output_type": "stream", "name": "stderr", "text": "a warning\n"}
    pieces = [stream("Q:\n[[1 2]\n [3 4"), warning, stream("5]]\n")]
    matrices = read(notebook(("print(Q)", pieces)))
    assert matrices.values["Q"].tolist() == [[1, 2], [3, 45]]


def test_a_notebook_of_the_old_format_is_read(read):
    """As nbformat 5.10 converts one."""
    shown = {"output_type": "pyout", "text": ["[[1 2]\n", " [3 4]]"]}
    cell = {"cell_type": "code", "input": ["W_Q"], "outputs": [shown]}
    old = {"worksheets": [{"cells": [cell]}], "nbformat": 3, "nbformat_minor": 0}
    assert read(json.dumps(old)).values["W_Q"].tolist() == [[1, 2], [3, 4]]


def test_an_array_that_is_cut_short_is_left_out_with_a_notice(read):
    short = "array([[0, 1, ..., 8, 9]])"
    matrices = read(notebook(("Q", [result(short)]), ("K", [result("array([1, 2])")])))
    assert list(matrices.values) == ["K"]
    assert matrices.notices[0].startswith("'Q' was left out. The text leaves numbers")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (notebook(("x = 1", [])), "It has no arrays"),
        (notebook(nbformat=2), "must be in the format 3 or a newer one. Got 2"),
        ("[1, 2]", "Expected an object, got a list"),
        ('{"cells": [', "It is not JSON"),
        ('{"cells": [{"cell_type": "code", "source": 7}], "nbformat": 4}', "source"),
        (notebook(("Q", [result("array([1, ..., 2])")])), "'Q' was left out."),
    ],
)
def test_what_is_no_notebook_with_arrays_is_refused(read, text, reason):
    with pytest.raises(FileFormatError) as caught:
        read(text)
    assert reason in str(caught.value)


def test_a_notebook_is_bounded(read, monkeypatch):
    monkeypatch.setattr("attnviewer.io.matrices.printed_file.NOTEBOOK_LIMIT", 10)
    with pytest.raises(Exception, match="It is larger than"):
        read(notebook(("Q", [result("array([1, 2])")])))


def test_a_text_that_is_no_table_is_searched_for_arrays(read):
    matrices = read("Q:\n[[1 2]\n [3 4]]\nK:\n[[5 6]\n [7 8]]\n", "log.txt")
    assert list(matrices.values) == ["Q", "K"]
    assert list(read("1 2\n3 4\n", "table.txt").values) == ["table"]
    with pytest.raises(FileFormatError, match="line"):
        read("1 2\n3 x y\n", "bad.txt")
    with pytest.raises(FileFormatError, match="Print it whole: np"):
        read("Array([[1., ..., 4.],\n       [1., ..., 4.]])\n", "short.txt")


def test_a_matrix_that_matlab_displays_is_read_with_and_without_its_name(read):
    scaled = "   1.0e+03 *\n\n   0.001   2.5\n   0.01    1\n".replace("\n", "\r\n")
    assert read(scaled, "ml.txt").values["ml"].tolist() == [[1, 2500], [10, 1000]]
    mask = "  2×2 logical array\n\n   1   0\n   1   1\n"
    assert read(mask, "ml.txt").values["ml"].tolist() == [[1, 0], [1, 1]]
    assert read(f"M =\n\n{mask}", "ml.txt").values["M"].tolist() == [[1, 0], [1, 1]]
    with pytest.raises(FileFormatError, match="Got NaN instead"):
        read(" Column 1:\n\n  NaN\n\n Column 2:\n\n  2\n", "ml.txt")


def test_a_notebook_opens_as_a_document_by_the_names_of_its_arrays(tmp_path):
    path = tmp_path / "book.ipynb"
    eye = "array([[1, 0],\n       [0, 1]])"
    names = "words", "W_Q", "W_K", "W_V"
    code = "a = array([1, 2])\nthe = array([3, 4])\nwords = array([a, the])"
    cells = [(code, []), *((name, [result(eye)]) for name in names[1:])]
    path.write_text(notebook(*cells), "utf-8")
    document = load(str(path))
    assert document.tokens == ("a", "the")
    assert document.matrix("X").tolist() == [[1, 2], [3, 4]]
    assert document.spec.variant == "self"

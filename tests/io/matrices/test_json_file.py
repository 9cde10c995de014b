"""Matrices in JSON: read exactly, or refused with place and reason."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.io import FileFormatError
from attnviewer.io.importing import holds_matrices, import_document
from attnviewer.io.matrices import json_file, nested_lists, read_matrices
from attnviewer.io.session import read_session, save_session
from tests.io.matrices.files import plain, refusal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "W.json"


def _read(path: Path, content: str | bytes):
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_matrices(path)


def _refused(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return refusal(path, 2**26)


def test_names_matrices_and_tokens(path: Path) -> None:
    matrices = _read(
        path, '{"tokens": ["a", "b"], "Q": [[1,2,3],[4,5,6]], "my": [[7]]}'
    )
    assert plain(matrices) == {"Q": [[1, 2, 3], [4, 5, 6]], "my": [[7]]}
    assert list(matrices.values) == ["Q", "my"]
    assert matrices.tokens == ("a", "b")
    assert matrices.notices == []


@pytest.mark.parametrize(
    "numbers",
    [
        [1, 2.5],
        [[1], [2]],
        [[[1, 2], [3, 4], [5, 6]]],
        [[[[1, 2]], [[3, 4]]], [[[5, 6]], [[7, 8]]], [[[9, 10]], [[11, 12]]]],
    ],
)
def test_nested_lists_are_called_as_their_file(path: Path, numbers) -> None:
    assert plain(_read(path, json.dumps(numbers, indent=1))) == {"W": numbers}
    assert plain(_read(path, "\ufeff" + json.dumps(numbers))) == {"W": numbers}


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_are_read_bit_for_bit(tmp_path_factory, numbers) -> None:
    path = tmp_path_factory.mktemp("json") / "W.json"
    read = _read(path, json.dumps([numbers])).values["W"][0].tolist()
    assert list(map(float.hex, read)) == list(map(float.hex, numbers))


@given(st.from_regex(r"-?(0|[1-9]\d{0,40})\.\d{1,40}(e[+-]?\d{1,2})?", fullmatch=True))
def test_long_decimals_are_read_as_the_nearest_float(tmp_path_factory, number) -> None:
    number = number.translate(
        {ord(sign): str(int(sign)) for sign in number if sign.isdigit()}
    )
    path = tmp_path_factory.mktemp("json") / "W.json"
    read = _read(path, f"[{number}]").values["W"].item()
    assert read.hex() == float(number).hex()


def test_whole_numbers_that_are_rounded_are_told_of(path: Path) -> None:
    content = '{"Q": [[2,-9007199254740993]], "K": [[1e300, 9007199254740992]]}'
    matrices = _read(path, content)
    assert plain(matrices) == {"Q": [[2.0, -(2.0**53)]], "K": [[1e300, 2.0**53]]}
    told = "'Q' holds whole numbers above 2⁵³; they are rounded."
    assert matrices.notices == [told]


@pytest.mark.parametrize(
    ("number", "lost"),
    [
        *(("1e-400", True), ("-12.5E-0330", True), (f"0.{'0' * 400}1", True)),
        *(("0e-400", False), ("1e-310", False), ("0", False), ("-0.0e-999", False)),
    ],
)
def test_numbers_that_become_0_are_told_of(path: Path, number, lost: bool) -> None:
    told = ["'Q' holds numbers too small for a float; they became 0."] * lost
    assert _read(path, f'{{"Q": [[0, 2], [{number}, 3]]}}').notices == told


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "The file is empty."),
        (" \n", "The file is empty."),
        ("[[1]]".encode("utf-16"), "It is text in UTF-16. JSON must be in UTF-8."),
        ("[[1]]".encode("utf-32"), "It is text in UTF-32. JSON must be in UTF-8."),
        (b'{"Q": [[1]], "tokens": ["\xff"]}', "tokens: It is not text in UTF-8."),
        ("42", "A matrix is needed, got a whole number."),
        ("null", "A matrix is needed, got null."),
        ('"text"', "A matrix is needed, got a text."),
        ("[]", "The list is empty."),
        ("[[]]", "row 1: The list is empty."),
        ("[[1], []]", "row 2: The list is empty."),
        (
            '{"Q": [[1,2]], "Q": [[3,4]]}',
            "Two entries have the name 'Q'.",
        ),
        (
            '{"Q": [[1,2]], "\\u0051": [[3,4]]}',
            "Two entries have the name 'Q'.",
        ),
        (
            '{"Q":\n[[NaN, 1], [2, 3]]}',
            "line 2: NaN is not allowed: numbers must be finite.",
        ),
        (
            '{"Q": [[Infinity, -Infinity]]}',
            "line 1: Infinity is not allowed: numbers must be finite.",
        ),
        (
            "[[-Infinity]]",
            "line 1: -Infinity is not allowed: numbers must be finite.",
        ),
        (
            '{"Q": [[1, %s]]}' % ("9" * 5000),
            "Q, row 1, item 2: The number is too large.",
        ),
        ("[1e999]", "item 1: The number is too large."),
        (
            '{"Q": "abc", "K": {"a": 1}, "V": [[true, null]]}',
            "Q: A matrix is needed, got a text. K: A matrix is needed, got an object. "
            "V, row 1, item 1: Expected a number, got true or false.",
        ),
        ('{"Q": [[1, null]]}', "Q, row 1, item 2: Expected a number, got null."),
        ('{"Q": [[1], ["2"]]}', "Q, row 2, item 1: Expected a number, got a text."),
        (
            '{"Q": [[1, 2], [3]]}',
            "Q, row 2: It has the length 1, and the first one 2. "
            "All must be equally long.",
        ),
        (
            "[[[1], [2]], [[3]]]",
            "matrix 2: It has the length 1, and the first one 2. "
            "All must be equally long.",
        ),
        (
            "[[[[1, 2]], [[3, 4]]], [[[5, 6]], [[7]]]]",
            "matrix 2.2, row 1: It has the length 1, and the first one 2. "
            "All must be equally long.",
        ),
        (
            '{"Q": [[1, 2], 3]}',
            "Q, row 2: Expected a list, got a whole number.",
        ),
        ('{"Q": [3, [1, 2]]}', "Q, item 2: Expected a number, got a list."),
        ("[[[[[[1]]]]]]", "Lists may be nested 5 deep. Got 6 instead."),
        ('{"Q": [[1]]} xyz', "line 1: It is not JSON: trailing characters."),
        ("[[1]]\n[[2]]", "line 2: It is not JSON: trailing characters."),
        ("{'Q': [[1, 2]]}", "line 1: It is not JSON: object keys must be strings."),
        (
            "__import__('os').system('touch trace')",
            "line 1: It is not JSON: invalid character.",
        ),
        (
            '{"Q": [[1, 2]] /* c */ }',
            "line 1: It is not JSON: expected ',' or '}'.",
        ),
        ("[[1, 2], [3", "line 1: It is not JSON: the text breaks off."),
        (
            '{"foo": {"bar": 1}}',
            "There are no matrices in it. 'foo.bar' was left out. A matrix is needed, "
            "got a whole number.",
        ),
        ('{"tokens": ["a"]}', "There are no matrices in it."),
        (
            '{"a": {"b": [[1]]}, "a.b": [[2]]}',
            "Two entries have the name 'a.b'.",
        ),
        pytest.param(
            json.dumps({"a": [[1]], "b": dict.fromkeys(map(str, range(10_000)), 1)}),
            "The entries must be at most 10,000. Got more instead.",
            id="a vocabulary",
        ),
        (
            '{"tokens": ["a", "b", "c"], "Q": [[1, 2], [3, 4]]}',
            "tokens: The tokens must be as many as the rows of 'Q', 2. Got 3 instead.",
        ),
        (
            '{"tokens": ["a", 2], "Q": [[1], [3]]}',
            "tokens, item 2: Expected a text, got a whole number.",
        ),
        ('{"tokens": "ab", "Q": [[1]]}', "tokens: Expected a list, got a text."),
        (
            '{"format": "attnviewer-example", "matrices": {"X": [[1]]}}',
            "It is an example, which is opened rather than imported.",
        ),
    ],
)
def test_what_is_no_matrix_is_refused_with_its_place(path, content, told) -> None:
    refused = _refused(path, content)
    assert refused == told if told.endswith(".") else refused.startswith(told)


@pytest.mark.parametrize("opening", ["[", '{"Q":', '{"Q":[', '{"a":{"b":'])
@pytest.mark.parametrize("depth", [100, 10**6])
def test_lists_nested_deeply_are_refused(path: Path, opening: str, depth: int) -> None:
    closing = "".join({"[": "]", "{": "}"}.get(sign, "") for sign in reversed(opening))
    assert _refused(path, opening * depth)
    assert _refused(path, opening * depth + "1" + closing * depth)


def test_entries_that_are_no_matrices_are_left_out_with_their_reason(path) -> None:
    matrices = _read(path, '{"Q": [[1]], "by": "me", "old": [[1, 2], [3]]}')
    assert plain(matrices) == {"Q": [[1.0]]}
    assert matrices.notices == [
        "'by' was left out. A matrix is needed, got a text.",
        "'old' was left out. In row 2: It has the length 1, and the first one 2. "
        "All must be equally long.",
    ]


def test_tokens_name_the_rows_of_x_whatever_else_there_is(path: Path) -> None:
    content = {"W_Q": [[1], [2], [3]], "X": [[1, 2, 3], [4, 5, 6]]}
    matrices = _read(path, json.dumps(content | {"tokens": ["a", "b"]}))
    assert matrices.tokens == ("a", "b")
    matrices = _read(path, '{"W_Q": [[1], [2]], "tokens": ["a", "b"]}')
    assert matrices.tokens == ()
    told = "The tokens were left out: the file has none of X, Q, weights, scores, K, V."
    assert matrices.notices == [told]
    for name in ("attention", "scores", "query"):
        content = {"tokens": ["a", "b"], name: [[0.25, 0.75], [0.5, 0.5]]}
        assert _read(path, json.dumps(content)).tokens == ("a", "b")


def test_matrices_within_objects_are_named_after_both(path: Path) -> None:
    layer = {"attn": {name: [[1, 2], [3, 4]] for name in ("W_Q", "W_K", "W_V")}}
    matrices = _read(path, json.dumps({"X": [[1, 0]], "layer": layer}))
    assert list(matrices.values) == [
        *("X", "layer.attn.W_Q", "layer.attn.W_K", "layer.attn.W_V")
    ]
    document = import_document(path)
    assert document.matrix("W_K").tolist() == [[1, 2], [3, 4]]
    weights = _read(path, json.dumps({"weights": layer["attn"]}))
    assert list(weights.values) == ["weights.W_Q", "weights.W_K", "weights.W_V"]
    _read(path, '{"emb": [[1, 2]], "size": 3}')
    assert holds_matrices(path)
    document = import_document(path, "X=emb,W_Q=emb.T,W_K=emb.T,W_V=emb.T")
    assert document.matrix("W_Q").tolist() == [[1], [2]]


def test_lists_of_truth_values_are_a_mask(path: Path) -> None:
    content = '{"mask": [[true, false], [true, true]], "weights": [[1, true]]}'
    assert "weights, row 1, item 2: Expected a number" in _refused(path, content)
    content = '{"mask": [[true, false], [true, true]]}'
    assert plain(_read(path, content)) == {"mask": [[1, 0], [1, 1]]}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"\ud800", "�"),
        (r"a\udc00\ud800b", "a��b"),
        (r"\ud83d\ude00", "😀"),
        (r"\\ud800", r"\ud800"),
        (r"\\\uD800", "\\�"),
        (r"\ud800\ud83d\ude00", "�😀"),
    ],
)
def test_half_of_a_sign_is_replaced_and_told_of(path, written, read) -> None:
    matrices = _read(path, f'{{"tokens": ["{written}"], "X": [[1]]}}')
    assert matrices.tokens == (read,)
    told = ["Some text holds an unpaired surrogate (half a character), shown as �."]
    assert matrices.notices == (told if "�" in read else [])
    session = path.with_suffix(".attn")
    spec = Spec(projected=False)
    save_session(Document("", matrices.tokens, matrices.values, spec), session)
    assert read_session(session).tokens == (read,)


def test_a_token_of_a_million_signs_is_told_of(path: Path) -> None:
    token = "x" * 10**6
    matrices = _read(path, json.dumps({"tokens": [token], "Q": [[1]]}))
    assert matrices.tokens == (token,)
    assert matrices.notices == ["Token 1 has 1,000,000 characters."]


def test_a_name_of_a_million_signs_is_shortened_in_what_is_told(path: Path) -> None:
    name = "x" * 10**6
    matrices = _read(path, json.dumps({"Q": [[1]], name: "\n"}))
    (told,) = matrices.notices
    assert told.startswith("'xxxxx")
    assert len(told) < 200
    assert len(_refused(path, f'{{"{name}": [], "{name}": []}}')) < 200


def test_what_would_take_too_much_memory_is_refused(path, monkeypatch) -> None:
    path.write_text("[[1, 2], [3, 4]]")
    assert refusal(path, 47) == "An array of the shape (2, 2) would be too large."
    assert read_matrices(path, 48).values["W"].tolist() == [[1, 2], [3, 4]]
    monkeypatch.setattr(nested_lists, "LONGEST_LIST", 5)
    assert refusal(path) == "row 1: A list may have 5 characters. Got 6."
    monkeypatch.setattr(json_file, "MOST_LISTS", 2)
    assert refusal(path) == "It has more than 2 lists."
    path.write_text('{"Q": [[1]], "K": [[1]]}')
    monkeypatch.setattr(json_file, "MOST_LISTS", 9)
    monkeypatch.setattr(json_file, "MOST_ENTRIES", 1)
    assert refusal(path) == "It has more than 1 entries."


_EXACT = st.integers(-(2**53), 2**53)
_SCALARS = st.none() | st.booleans() | _EXACT | st.floats() | st.text(max_size=3)
_JSON = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["Q", "X", "tokens", "a"]), inner, max_size=3)
    ),
)


@given(_JSON, st.sampled_from([str, repr]))
def test_any_json_is_read_or_refused(tmp_path_factory, value, written) -> None:
    path = tmp_path_factory.mktemp("json") / "W.json"
    path.write_text(json.dumps(value) if written is str else repr(value), "utf-8")
    try:
        matrices = read_matrices(path)
    except FileFormatError:
        return
    found = value if isinstance(value, dict) else {"W": value}
    for name, array in matrices.values.items():
        assert array.tolist() == found[name]

"""Documents of files of numbers; expected numbers come from NumPy alone."""

import json
import re
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from hypothesis import assume, given, reject, settings

from attnviewer import cli, multi_head_attention
from attnviewer.compute import Alibi, Learned, Rotary, Spec
from attnviewer.document import Document
from attnviewer.document.array_roles.assignment import Assignment
from attnviewer.document.array_roles.pick import Pick
from attnviewer.document.from_trace import document_of
from attnviewer.io import FileError, FileFormatError, load, save_session
from attnviewer.io.export import Choice, Computation, export
from attnviewer.io.importing import ImportedFiles, holds_matrices, read_arrays
from attnviewer.io.matrices import read_matrices
from tests.compute.variants import traces
from tests.io.matrices.files import safetensors

GENERATOR = np.random.default_rng(3)
X = GENERATOR.normal(size=(5, 8))


def softmax(scores):
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def tensors(arrays):
    return safetensors(
        {
            n: ("F64", list(a.shape), a.astype("<f8").tobytes())
            for n, a in arrays.items()
        }
    )


def linear(x, weight, bias):
    return np.einsum("ni,oi->no", x, weight) + bias


def heads_of(q, k, v, n_heads):
    """Return weights and joined outputs, with heads as PyTorch views them."""
    split = [m.reshape(len(m), n_heads, -1).transpose(1, 0, 2) for m in (q, k, v)]
    q, k, v = split
    weights = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]))
    return weights, (weights @ v).transpose(1, 0, 2).reshape(q.shape[1], -1)


@pytest.fixture
def multi_head(tmp_path):
    """Return a state dict of nn.MultiheadAttention(8, 2), with X, and its file."""
    state = {
        "X": X,
        "in_proj_weight": GENERATOR.normal(size=(24, 8)),
        "in_proj_bias": GENERATOR.normal(size=24),
        "out_proj.weight": GENERATOR.normal(size=(8, 8)),
        "out_proj.bias": GENERATOR.normal(size=8),
    }
    path = tmp_path / "mha.safetensors"
    path.write_bytes(tensors(state))
    return state, path


MULTI_HEAD = ",".join(
    [
        "X=X,heads=2,W_O=out_proj.weight.T,b_O=out_proj.bias",
        *(f"W_{c}=in_proj_weight.T:{k}/3" for k, c in enumerate("QKV", 1)),
        *(f"b_{c}=in_proj_bias:{k}/3" for k, c in enumerate("QKV", 1)),
    ]
)


def test_a_multi_head_attention_of_pytorch_gives_its_weights(multi_head):
    state, path = multi_head
    trace = load(str(path), MULTI_HEAD).compute()
    q, k, v = np.split(linear(X, state["in_proj_weight"], state["in_proj_bias"]), 3, 1)
    weights, joined = heads_of(q, k, v, 2)
    np.testing.assert_allclose(trace["weights"], weights, atol=1e-12)
    output = linear(joined, state["out_proj.weight"], state["out_proj.bias"])
    np.testing.assert_allclose(trace["output"], output, atol=1e-12)


def test_a_layer_of_bert_gives_its_weights(tmp_path):
    prefix = "bert.encoder.layer.1.attention."
    layers = {n: f"{prefix}self.{n}" for n in ("query", "key", "value")}
    layers["dense"] = f"{prefix}output.dense"
    state = {}
    for name in layers.values():
        state[f"{name}.weight"] = GENERATOR.normal(size=(8, 8)).astype(np.float32)
        state[f"{name}.bias"] = GENERATOR.normal(size=8).astype(np.float32)
    path = tmp_path / "bert.safetensors"
    path.write_bytes(tensors(state | {"embeddings.x": X}))
    roles = zip("QKVO", layers.values(), strict=True)
    assign = ",".join(f"W_{c}={n}.weight.T,b_{c}={n}.bias" for c, n in roles)
    trace = load(str(path), f"X=embeddings.x,{assign},heads=4").compute()
    q, k, v = (
        linear(X, state[f"{layers[n]}.weight"], state[f"{layers[n]}.bias"])
        for n in ("query", "key", "value")
    )
    weights, joined = heads_of(q, k, v, 4)
    np.testing.assert_allclose(trace["weights"], weights, atol=1e-12)
    dense = layers["dense"]
    output = linear(joined, state[f"{dense}.weight"], state[f"{dense}.bias"])
    np.testing.assert_allclose(trace["output"], output, atol=1e-12)


def test_what_is_clear_is_loaded_without_asking(tmp_path):
    weights = {f"W_{c}": GENERATOR.normal(size=(8, 4)) for c in "QKV"}
    np.savez(tmp_path / "clear.npz", X=X, **weights)
    document = load(str(tmp_path / "clear.npz"))
    assert document.title == "clear"
    q, k = X @ weights["W_Q"], X @ weights["W_K"]
    np.testing.assert_allclose(document.compute()["weights"], softmax(q @ k.T / 2))


def test_a_table_alone_is_embeddings_with_its_row_names(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text(",a,b\nthe,1,0\ncat,0,1\n")
    document = load(str(path))
    assert document.tokens == ("the", "cat")
    assert document.matrix("X").tolist() == [[1, 0], [0, 1]]


def test_json_of_matrices_and_examples_are_told_apart(tmp_path):
    path = tmp_path / "q.json"
    path.write_text('{"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[1], [2]]}')
    assert holds_matrices(path)
    assert load(str(path)).spec.given
    path.write_text('{"format": "other", "Q": [[1, 0]]}')
    assert not holds_matrices(path)


@pytest.mark.parametrize("format_", ["json", "npz", "xlsx"])
def test_what_was_exported_is_opened_again_with_the_same_numbers(format_, tmp_path):
    document = load("example:four-words")
    path = tmp_path / f"again.{format_}"
    export(Computation.of(document), path, format_)
    again = load(str(path))
    assert again.tokens == document.tokens
    for name in ("X", "W_Q", "W_K", "W_V"):
        assert again.matrix(name).tobytes() == document.matrix(name).tobytes()
    want = document.compute()["weights"]
    assert again.compute()["weights"].tobytes() == want.tobytes()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda book: book.remove(book["Q H1"]), "Not all of its heads have a sheet"),
        (lambda book: book["Q H1"].append([0] * 4), "The sheets of its heads differ"),
        (
            lambda book: book["Q H1"].cell(2, 2, "?"),
            "Not all of its heads have a sheet",
        ),
    ],
)
def test_a_step_of_which_a_heads_sheet_is_not_as_exported_is_left_out(
    tmp_path, change, reason
):
    path = exported(load("example:two-heads"), "xlsx", tmp_path / "a", headers=False)
    book = openpyxl.load_workbook(path)
    change(book)
    book.save(path)
    matrices = read_matrices(path)
    assert "Q" not in matrices.values
    assert matrices.values["K"].shape[0] == 2
    assert f"'Q' was left out. {reason}" in " ".join(matrices.notices)


def test_a_workbook_of_one_step_that_lacks_a_head_is_refused(tmp_path):
    document = load("example:two-heads")
    path = exported(document, "xlsx", tmp_path / "a", steps=("Q",))
    book = openpyxl.load_workbook(path)
    book.remove(book["Q H0"])
    book.save(path)
    with pytest.raises(FileFormatError, match="Not all of its heads") as caught:
        read_matrices(path)
    assert caught.value.location == "Q"


def test_json_that_is_longer_than_an_example_holds_matrices(tmp_path):
    path = tmp_path / "long.json"
    path.write_text('{"Q": [[1, 0]], "K": [[1, 0]], "V": [[1]]}' + " " * 2**26)
    assert holds_matrices(path)
    assert load(str(path)).spec.given


def test_what_is_not_clear_is_refused_with_the_way(multi_head):
    _, path = multi_head
    with pytest.raises(FileFormatError) as caught:
        load(str(path))
    told = str(caught.value)
    assert "It is not clear what its arrays are." in told
    assert "n_heads: The file does not tell how many heads there are." in told
    assert "--assign 'X=X,W_Q=in_proj_weight.T:1/3,W_K=in_proj_weight.T:2/3," in told
    assert "\n" not in told


def test_the_way_that_a_refusal_names_can_be_gone(multi_head):
    _, path = multi_head
    with pytest.raises(FileFormatError) as caught:
        load(str(path))
    assign = str(caught.value).split("--assign '")[1].split("'")[0]
    way = r"heads: It must be a whole number from 1\. Got 'N'"
    with pytest.raises(FileFormatError, match=way):
        load(str(path), assign)
    assert load(str(path), assign.replace("heads=N", "heads=2")).spec.n_heads == 2


@pytest.mark.parametrize(
    ("assign", "reason"),
    [
        ("X", "'X' must be like X=emb or W_Q=q_proj.weight.T."),
        ("Y=X", "'Y' must be one of X, context, P, W_Q"),
        ("X=emb", "X: There is no array 'emb'. There are: X, in_proj_weight"),
        ("X=X,heads=0", "heads: It must be a whole number from 1. Got '0' instead."),
        ("X=X,tokens=[a,b", "tokens: The list must be closed by a bracket"),
        ("X=X,causal=yes", "causal: It must be 0 or 1. Got 'yes' instead."),
        ("X=X,scale=big", "scale: It must be a number."),
        (
            "X=X,window=3",
            "window: It must be a list in brackets, as in [3,0]. Got '3' instead.",
        ),
        (
            "X=X,window=[3]",
            "sees to its left and right, as in [3,0]; a side left empty has no limit, "
            "as in [3,]. Got '[3]' instead.",
        ),
        ("X=X,window=[-1,0]", "The 'window' must count at least 0 keys"),
        ("X=X,softcap=0", "The 'softcap' must be a finite number above 0."),
        ("X=X,normalizer=max", "normalizer: It must be one of softmax, "),
        ("X=X,positions=nope", "positions: It must be one of rope, alibi, sinusoidal"),
        ("X=X,positions=rope[bass=3]", "The options of rope are base, rotary_dim"),
        ("X=X,positions=rope[interleaved=2]", "positions: It must be 0 or 1."),
        ("X=X,positions=alibi[base=2]", "The options of alibi are none."),
        (
            "X=X,tokens=a",
            "tokens: It must be a list in brackets, as in [the,cat]. Got 'a' instead.",
        ),
        ("X=X,tokens=[a]", "The 'tokens' must be as many as the rows of 'X', 5."),
        ("X=X,X=in_proj_bias", "'X' is there twice."),
        ("W_Q=X", "W_K: It is missing: W_Q, W_K and W_V are needed together."),
        ("X=in_proj_weight[3,0]", "Two of its axes must be kept"),
    ],
)
def test_an_assignment_that_does_not_fit_is_refused(multi_head, assign, reason):
    with pytest.raises(FileFormatError) as caught:
        load(str(multi_head[1]), assign)
    assert reason in str(caught.value)


def test_too_much_is_refused_unless_it_is_assigned(tmp_path):
    path = tmp_path / "long.npy"
    np.save(path, np.ones((2**17 + 1, 1), np.float32))
    with pytest.raises(FileFormatError, match="There are 131,073 tokens"):
        load(str(path))
    assert len(load(str(path), "X=long").tokens) == 2**17 + 1


def test_an_example_cannot_be_assigned():
    with pytest.raises(FileError, match="It is an example"):
        load("example:four-words", "X=X")


def test_several_files_make_one_document_and_are_read_once_more(tmp_path):
    (tmp_path / "x.csv").write_text("1,0\n0,1\n")
    for name in ("W_Q", "W_K", "W_V"):
        np.save(tmp_path / f"{name}.npy", np.eye(2))
    paths = [tmp_path / name for name in ("x.csv", "W_Q.npy", "W_K.npy", "W_V.npy")]
    arrays = read_arrays(paths)
    assert list(arrays.values) == ["x", "W_Q", "W_K", "W_V"]
    picks = {"X": Pick("x")} | {name: Pick(name) for name in ("W_Q", "W_K", "W_V")}
    origin = ImportedFiles(tuple(paths), Assignment(picks))
    assert origin.path == paths[0]
    (tmp_path / "x.csv").write_text("2,0\n0,2\n0,0\n")
    assert origin.read().matrix("X").tolist() == [[2, 0], [0, 2], [0, 0]]
    (tmp_path / "x.csv").write_text("2,0,1\n")
    with pytest.raises(FileFormatError, match=r"W_Q: It has 2 rows; X has 3 columns\."):
        origin.read()


def test_arrays_that_are_called_alike_have_the_names_of_their_files(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.eye(2), only=np.eye(2))
    np.savez(tmp_path / "b.npz", X=np.eye(3))
    arrays = read_arrays([tmp_path / "a.npz", tmp_path / "b.npz"])
    assert list(arrays.values) == ["a.npz/X", "only", "b.npz/X"]


def test_the_command_exports_what_is_assigned(capsys, multi_head, tmp_path):
    _, path = multi_head
    to = tmp_path / "output.csv"
    arguments = ["export", str(path), "--to", str(to), "--steps", "output"]
    assert cli.main(arguments) == 2
    assert "--assign" in capsys.readouterr().err
    assert cli.main([*arguments, "--assign", MULTI_HEAD]) == 0
    assert to.exists()


@pytest.mark.parametrize("name", ["gone.npz", "a\0b", ""])
def test_what_is_no_file_holds_nothing(tmp_path, name):
    assert not holds_matrices(tmp_path / name)


def exported(document, format_, path, **choice):
    path = path.with_suffix(f".{format_}")
    export(Computation.of(document), path, format_, Choice(**choice))
    return path


@pytest.mark.parametrize("format_", ["json", "npz", "xlsx"])
@given(trace=traces())
@settings(max_examples=12, deadline=None)
def test_what_was_exported_opens_as_the_document_that_it_was(
    format_, tmp_path_factory, trace
):
    assume(not trace.spec.values)
    lead = trace.shape("Q" if trace.spec.given else "X")[:-2]
    head = 0 if trace.spec.given and lead else None
    batch = (0,) * len(lead[:-1] if trace.spec.given else lead)
    try:
        document = document_of(trace, batch=batch or None, head=head, title="Own")
    except ValueError:  # not every computation is one of a document
        reject()
    path = exported(document, format_, tmp_path_factory.mktemp("own") / "own")
    again = load(str(path))
    assert again.title == "Own"
    assert again.spec == document.spec
    assert again.tokens == document.tokens
    assert again.context_tokens == document.context_tokens
    want = document.compute()
    got = again.compute()
    assert list(got) == list(want)
    for step in want:
        assert got[step].tobytes() == want[step].tobytes()


def test_tokens_like_numbers_and_positions_to_come_come_back_from_every_format(
    tmp_path,
):
    tokens = ("1", "2", "-inf", "3,5")
    spec, notes = Spec(positions=Learned()), "Seen — on\n\ttwo lines"
    inputs = {name: np.eye(4) for name in ("X", "W_Q", "W_K", "W_V")}
    inputs["P"] = np.arange(24.0).reshape(6, 4)  # of two tokens more
    document = Document("Ü — “t”", tokens, inputs, spec, notes=notes)
    for format_ in ("json", "npz", "xlsx"):
        again = load(str(exported(document, format_, tmp_path / "own")))
        assert again.tokens == tokens
        assert again.title == "Ü — “t”"
        assert again.notes == notes
        for name, matrix in inputs.items():
            assert again.matrix(name).tolist() == matrix.tolist()


def rewritten(path, **entries):
    """Change entries of an `.npz`; those that are None are taken out."""
    with np.load(path) as file:
        arrays = dict(file)
    arrays |= entries
    np.savez(path, **{n: a for n, a in arrays.items() if a is not None})
    return str(path)


def restated(path, **changes):
    with np.load(path) as file:
        told = json.loads(str(file["attnviewer"]))
    told["spec"] |= changes
    return rewritten(path, attnviewer=np.array(json.dumps(told)))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda p: rewritten(p, W_K=None), "'W_K' matrix must be given"),
        (lambda p: rewritten(p, X=np.ones((9, 2))), "rows of 'X', 9|W_Q"),
        (lambda p: restated(p, made_up=1), "There is no 'made_up' in a spec"),
        (lambda p: restated(p, n_heads=10**12), "n_heads|columns"),
        (lambda p: restated(p, n_heads="many"), "Expected"),
        (lambda p: restated(p, positions={"kind": ["x"]}), "The 'kind' must be one of"),
        (lambda p: restated(p, normalizer="x" * 9000), "x…"),
        (
            lambda p: rewritten(p, attnviewer=np.array('{"spec": "all"}')),
            "The 'spec' must be an object.",
        ),
        (lambda p: restated(p, positions={"kind": "os"}), "'kind' must be one of"),
        (lambda p: restated(p, context=True), "'context' matrix must be given"),
    ],
)
def test_an_export_changed_by_hand_so_that_it_does_not_fit_is_told(
    tmp_path, change, reason
):
    path = change(exported(load("example:two-heads"), "npz", tmp_path / "own"))
    with pytest.raises(FileFormatError, match=reason) as error:
        load(path)
    assert "File ▸ Import…" in str(error.value)


def test_numbers_of_an_export_that_were_changed_are_taken(tmp_path):
    path = exported(load("example:two-heads"), "npz", tmp_path / "own")
    with np.load(path) as file:
        x = file["X"] * 2
    assert load(rewritten(path, X=x)).matrix("X").tolist() == x.tolist()


def test_a_part_of_an_export_asks_what_it_is(tmp_path):
    document = load("example:two-heads")
    path = exported(document, "npz", tmp_path / "part", steps=("X", "W_Q"))
    with pytest.raises(FileFormatError, match="not clear"):
        load(str(path))


def test_tokens_in_a_file_of_numpy_are_taken_with_any_names(tmp_path):
    path = tmp_path / "mine.npz"
    w = {f"W_{c}": np.eye(2) for c in "QKV"}
    np.savez(path, emb=np.ones((3, 2)), tokens=["the", "cat", "sat"], **w)
    document = load(str(path), "X=emb,W_Q=W_Q,W_K=W_K,W_V=W_V")
    assert document.tokens == ("the", "cat", "sat")
    np.savez(
        path,
        **{"X": np.ones((3, 2)), "memory": np.eye(2), **w},
        str_tokens=["le", "chat", "dort"],
        memory_tokens=["a", "b"],
    )
    document = load(str(path))
    assert document.tokens == ("le", "chat", "dort")
    assert document.context_tokens == ("a", "b")


def test_tokens_are_not_given_to_a_second_sequence_as_long_as_the_first(tmp_path):
    path = tmp_path / "mine.npz"
    w = {f"W_{c}": np.eye(2) for c in "QKV"}
    np.savez(path, X=np.eye(2), context=np.eye(2), tokens=["the", "cat"], **w)
    document = load(str(path))
    assert document.tokens == ("the", "cat")
    assert document.context_tokens == ("token 0", "token 1")


def test_tokens_that_fit_no_array_are_told_of(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, X=np.eye(2), tokens=["the", "cat", "sat"])
    told = "The 3 tokens were left out: no array has as many rows."
    assert read_arrays([path]).notices == [told]
    assert load(str(path)).tokens == ("token 0", "token 1")


def test_a_number_of_heads_that_was_not_found_is_not_suggested(tmp_path):
    path = tmp_path / "layer.npz"
    widths = {"q": 8, "k": 4, "v": 4}
    layer = {f"attn.{n}_proj.weight": np.ones((w, 8)) for n, w in widths.items()}
    np.savez(path, X=X, **layer)
    with pytest.raises(FileFormatError) as error:
        load(str(path))
    told = str(error.value)
    assert "heads=N'" in told
    assert "with the number of heads for N" in told
    assert not re.search("heads=[0-9]", told)
    assert "columns" not in told
    np.savez(path, one=X, other=np.ones((4, 3)))
    with pytest.raises(FileFormatError) as error:
        load(str(path))
    assert "heads=" not in str(error.value)


def test_several_heads_of_queries_keys_and_values_are_opened_as_such(tmp_path):
    path = tmp_path / "qkv.npz"
    q = GENERATOR.normal(size=(4, 5, 3))
    k, v = GENERATOR.normal(size=(2, 6, 3)), GENERATOR.normal(size=(2, 6, 2))
    np.savez(path, q=q, k=k, v=v)
    with pytest.raises(FileFormatError, match="read as the heads, rows") as caught:
        load(str(path))
    assign = str(caught.value).split("--assign '")[1].split("'")[0]
    assert assign == "Q=q[heads,:,:],K=k[heads,:,:],V=v[heads,:,:],heads=4"
    trace = load(str(path), assign.replace(",heads=4", "")).compute()
    scores = np.einsum("hid,hjd->hij", q, np.repeat(k, 2, 0)) / np.sqrt(3)
    np.testing.assert_allclose(trace["weights"], softmax(scores), atol=1e-12)
    want = np.einsum("hij,hjd->hid", softmax(scores), np.repeat(v, 2, 0))
    np.testing.assert_allclose(trace["heads"], want, atol=1e-12)
    np.savez(path, q=q, k=k, v=GENERATOR.normal(size=(6, 9)))
    with pytest.raises(FileFormatError, match="9 columns"):
        load(str(path), "Q=q[heads,:,:],K=k[heads,:,:],V=v")


def test_joined_heads_of_a_table_are_told_by_their_number(tmp_path):
    path = tmp_path / "qkv.npz"
    np.savez(path, **{name: GENERATOR.normal(size=(5, 6)) for name in "QKV"})
    document = load(str(path), "Q=Q,K=K,V=V,heads=3")
    assert document.compute()["weights"].shape == (3, 5, 5)
    again = load(str(exported(document, "xlsx", tmp_path / "again")))
    assert again.spec == document.spec


def test_an_assignment_tells_positions_scale_cap_window_tokens_and_normaliser(tmp_path):
    path = tmp_path / "gemma.npz"
    w = {f"w{c}": GENERATOR.normal(size=(8, 8)) for c in "qkv"}
    np.savez(path, x=X, **w)
    document = load(
        str(path),
        "X=x,W_Q=wq,W_K=wk,W_V=wv,heads=2,causal=1,scale=1/sqrt(8),softcap=30,"
        "window=[2,],positions=rope[base=500000,interleaved=1,rotary_dim=2],"
        "normalizer=softmax1,temperature=2,tokens=[the, cat,sat,on,mats]",
    )
    assert document.tokens == ("the", "cat", "sat", "on", "mats")
    wanted = multi_head_attention(
        *(X, w["wq"], w["wk"], w["wv"]),
        n_heads=2,
        causal=True,
        scale=1 / np.sqrt(8),
        softcap=30,
        window=(2, None),
        positions=Rotary(base=500000.0, interleaved=True, rotary_dim=2),
        normalizer="softmax1",
        temperature=2,
    )
    got = document.compute()
    assert got["output"].tobytes() == wanted["output"].tobytes()
    assert load(str(path), "X=x,positions=alibi").spec.positions == Alibi()
    crossed = "Q=x,K=wq,V=wk,context_tokens=[a,b,c,d,e,f,g,h],scale=1"
    assert load(str(path), crossed).context_tokens == tuple("abcdefgh")


@pytest.mark.parametrize(
    ("typed", "tokens"),
    [
        ("[[CLS],the,[SEP]]", ("[CLS]", "the", "[SEP]")),
        ('[so,",",he said]', ("so", ",", "he said")),
        ('[ "x, y" ,é,"say ""hi"""]', ("x, y", "é", 'say "hi"')),
        ('["[","]",\U0001f600]', ("[", "]", "\U0001f600")),
        ('[5",",<b>]', ('5"', '"', "<b>")),
    ],
)
def test_any_token_can_be_named_by_an_assignment(tmp_path, typed, tokens):
    path = tmp_path / "x.npz"
    np.savez(path, x=np.eye(3))
    for assign in (f"tokens={typed},X=x,window=[1,]", f"X=x,tokens={typed}"):
        assert load(str(path), assign).tokens == tokens


def test_numbers_that_are_called_a_mask_are_offered_as_a_bias(tmp_path):
    path = tmp_path / "mask.npz"
    added = np.where(np.tri(5), 0.0, -np.inf)
    np.savez(path, X=X, attn_mask=added)
    document = load(str(path))
    assert document.spec.bias
    assert not document.spec.mask
    want = softmax(X @ X.T / np.sqrt(8) + added)
    np.testing.assert_allclose(document.compute()["weights"], want, atol=1e-12)


def test_a_mask_in_which_1_hides_is_told_and_can_be_said(tmp_path):
    path = tmp_path / "mask.npz"
    np.savez(path, X=X, attn_mask=~np.tri(5, dtype=bool))
    with pytest.raises(FileFormatError, match="1 is read as hidden") as caught:
        load(str(path))
    assign = str(caught.value).split("--assign '")[1].split("'")[0]
    assert assign == "X=X,mask=~attn_mask"
    mask = load(str(path), assign).matrix("mask")
    assert mask.tolist() == np.tri(5, dtype=bool).tolist()
    np.savez(path, X=X, attn_mask=np.tri(5, dtype=bool))
    assert load(str(path)).matrix("mask").tolist() == mask.tolist()


@pytest.mark.parametrize("shape", [(5, 5), (3, 5, 5), (3, 4, 6), (1, 3, 5, 5)])
def test_attention_weights_alone_are_opened_as_they_are(tmp_path, shape):
    path = tmp_path / "attn.npz"
    weights = softmax(GENERATOR.normal(size=shape)).astype(np.float32)
    tokens = ["the", "cat", "sat", "on", "mats"][: shape[-2]]
    np.savez(path, attentions=weights, tokens=tokens)
    document = load(str(path))
    assert document.tokens == tuple(tokens)
    trace = document.compute()
    heads = weights.reshape(-1, *shape[-2:]) if len(shape) > 2 else weights
    got = trace["weights"]
    assert np.atleast_3d(got).dtype == np.float64
    assert got.reshape(heads.shape).tolist() == heads.astype(float).tolist()
    edited = load(str(exported(document, "json", tmp_path / "again")))
    assert edited.compute()["weights"].tobytes() == got.tobytes()
    session = tmp_path / "weights.attn"
    save_session(document, session)
    assert load(str(session)).compute()["weights"].tobytes() == got.tobytes()


def test_a_layer_of_output_attentions_is_asked_for_and_chosen(tmp_path):
    path = tmp_path / "attn.npz"
    # As np.stack makes of the tuple that a model of transformers returns.
    layers = softmax(GENERATOR.normal(size=(4, 1, 2, 5, 5)))
    np.savez(path, attentions=layers)
    with pytest.raises(FileFormatError, match="index 0 is used") as caught:
        load(str(path))
    assign = str(caught.value).split("--assign '")[1].split("'")[0]
    assert assign == "weights=attentions[0,0,heads,:,:]"
    third = load(str(path), "weights=attentions[3,0,heads]").compute()
    assert third["weights"].tolist() == layers[3, 0].tolist()
    assert third["heads"].tolist() == layers[3, 0].tolist()  # over one-hot values


@pytest.mark.parametrize("shape", [(5, 5), (3, 5, 5), (3, 4, 6)])
def test_attention_weights_are_known_by_their_rows_where_names_do_not_tell(
    tmp_path, shape
):
    path = tmp_path / "layer.npz"
    weights = softmax(GENERATOR.normal(size=shape)).astype(np.float16)
    np.savez(path, layer_0=weights)
    got = load(str(path)).compute()["weights"]
    assert got.tolist() == weights.astype(float).tolist()
    np.savez(path, layer_0=weights, layer_1=weights, n=np.arange(3))
    with pytest.raises(FileFormatError, match="'layer_0' is taken") as caught:
        load(str(path))
    assign = str(caught.value).split("--assign '")[1].split("'")[0]
    assert assign.startswith("weights=layer_0")
    assert load(str(path), assign).compute()["weights"].tolist() == got.tolist()


@pytest.mark.parametrize("embeddings", [np.eye(4), np.full((5, 4), 0.25)])
def test_embeddings_whose_rows_may_sum_to_1_are_no_weights(tmp_path, embeddings):
    path = tmp_path / "a.npz"
    np.savez(path, first=embeddings)
    assert load(str(path)).matrix("X").tolist() == embeddings.tolist()


@pytest.mark.parametrize("format_", ["json", "npz", "xlsx"])
@pytest.mark.parametrize("context_tokens", [(), ("x", "y", "z")])
def test_tokens_of_given_scores_come_back_from_every_format(
    tmp_path, format_, context_tokens
):
    spec = Spec(
        projected=False, given=True, score="given", context=bool(context_tokens)
    )
    v = np.eye(3)
    tokens = ("the", "cat", "sat")
    document = Document(
        "t", tokens, {"S": v, "V": v}, spec, context_tokens=context_tokens
    )
    again = load(str(exported(document, format_, tmp_path / "own")))
    assert again.tokens == tokens
    assert again.context_tokens == context_tokens


def test_scores_are_normalised_and_weights_are_mixed_with_values(tmp_path):
    path = tmp_path / "mine.npz"
    scores, v = GENERATOR.normal(size=(2, 5, 6)), GENERATOR.normal(size=(6, 3))
    np.savez(path, scores=scores, v=v)
    trace = load(str(path), "scores=scores[heads],V=v,softcap=3").compute()
    want = softmax(3 * np.tanh(scores / 3))
    np.testing.assert_allclose(trace["weights"], want, atol=1e-12)
    np.testing.assert_allclose(trace["heads"], want @ v, atol=1e-12)
    with pytest.raises(FileFormatError, match="It has no place beside the given"):
        load(str(path), "weights=scores[heads],X=v")


@pytest.mark.parametrize("assign", [None, "Q=Q,K=K,V=V"])
def test_an_array_with_nan_is_named_where_its_role_is_then_missing(
    tmp_path: Path, assign: str | None
) -> None:
    queries, keys = np.eye(4), np.ones((4, 4))
    queries[2, 1] = np.nan
    np.savez(tmp_path / "a.npz", Q=queries, K=keys, V=keys)
    told = r"'Q' was left out\. It must hold finite numbers\. It has NaN or ∞ at \[2, 1"
    with pytest.raises(FileFormatError, match=told):
        load(str(tmp_path / "a.npz"), assign)


def test_arrays_whose_names_say_no_role_are_told_of(tmp_path):
    path, told = tmp_path / "mine.npz", []
    others = {f"filter_{n}": np.eye(2) for n in range(6)}
    np.savez(path, X=np.eye(2), scores=np.eye(2), **others)
    load(str(path), tell=told.append)
    assert told == [
        "Left out, as their names say no role: filter_0, filter_1, filter_2, filter_3 "
        "and 2 more. --assign takes them (in Python: assign=)."
    ]
    load(str(path), "X=filter_3", tell=told.append)
    only = tmp_path / "only.npy"
    np.save(only, np.eye(2))
    assert "X" in load(str(only), tell=told.append).matrices
    assert len(told) == 1

"""Every kind of edit, in any order: nothing is lost, and all of it can be undone."""

from dataclasses import replace

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from attnviewer.compute import NORMALIZERS, Alibi, Learned, Rotary, Sinusoidal, Spec
from attnviewer.document import (
    MASK,
    VARIANT_TITLES,
    Dimensions,
    Document,
    Draw,
    EditError,
    Recipe,
    Region,
    SetCells,
    spec_edit,
    variant_spec,
)
from attnviewer.document.drawing.distributions import Integers, Normal, Orthogonal
from attnviewer.document.drawing.draws import draw_edit
from attnviewer.document.embeddings import embed
from attnviewer.document.fills import (
    Constant,
    Identity,
    Negate,
    OneHot,
    Round,
    Scale,
    Transpose,
    fill_edit,
)
from attnviewer.document.masks import MaskPreset, mask_edit, paint
from attnviewer.document.rearranging import tokens_of
from attnviewer.document.sequences import (
    duplicate_tokens,
    insert_tokens,
    move_tokens,
    remove_tokens,
    rename_token,
    set_sentence,
)
from attnviewer.document.variants.resizing import plan_dimensions
from attnviewer.document.variants.variants import (
    biases_spec,
    heads_spec,
    kv_heads_spec,
    normalizer_spec,
    output_projection_spec,
)
from tests.documents import state_of

MOST_TOKENS = 9

FILLS = [
    Constant(0.0),
    Constant(-2.5),
    Identity(),
    OneHot(),
    Negate(),
    Scale(1e200),
    Round(1),
    Transpose(),
]
DISTRIBUTIONS = [Integers(3), Normal(), Orthogonal()]
PRESETS = [
    MaskPreset("none"),
    MaskPreset("causal"),
    MaskPreset("window", (1, None)),
    MaskPreset("padding", (2,)),
    MaskPreset("prefix", (2,)),
    MaskPreset("block", (1, 2)),
    MaskPreset("painted"),
]
POSITIONS = [None, Sinusoidal(), Learned(), Rotary(), Alibi()]

SPECS = {
    "computed": Spec(),
    "given": Spec(projected=False, given=True),
    "given across": Spec(projected=False, given=True, context=True),
}

small = st.integers(0, 20)
sequences = st.sampled_from(["X", "context", "Q", "K", "V"])
numbers = st.floats(-1e3, 1e3) | st.sampled_from([-0.0, 5e-324, 1.7e308, 0.1])


class Editing(RuleBasedStateMachine):
    """A person who edits, undoes and redoes as they like."""

    @initialize(
        n=st.integers(1, 4), d_model=st.integers(1, 4), kind=st.sampled_from([*SPECS])
    )
    def open(self, n, d_model, kind):
        generator = np.random.default_rng(0)
        spec = SPECS[kind]
        n_k = 3 if spec.context else n
        matrices = {
            name: generator.integers(-3, 4, (rows, d_model))
            for name, rows in zip(spec.sources, (n, n_k, n_k), strict=True)
        }
        if spec.projected:
            matrices |= {name: np.eye(d_model) for name in ("W_Q", "W_K", "W_V")}
        tokens = [f"word {place}" for place in range(n)]
        keys = ["le", "chat", "dort"] if spec.context else []
        self.document = Document("", tokens, matrices, spec, context_tokens=keys)
        self.states = [state_of(self.document)]
        self.undone = []
        self.inverses = []
        self.revision = self.document.revision

    # ---------------------------------------------------------------- edits

    def checked(self, make, *args):
        """Return the edit that a function makes; None if there is none, or refused."""
        try:
            edit = make(self.document, *args)
            if edit is not None:
                self.document.check(edit)
        except EditError:
            return None
        return edit

    def apply(self, make, *args):
        before = state_of(self.document)
        edit = self.checked(make, *args)
        assert state_of(self.document) == before
        if edit is not None:
            self.inverses.append(self.document.apply(edit))
            self.states[len(self.inverses) :] = [state_of(self.document)]
            self.undone = []

    def block(self, corner, size):
        names = sorted(self.document.matrices)
        name = names[corner[0] % len(names)]
        rows, columns = self.document.matrix(name).shape
        row, column = corner[1] % rows, corner[2] % columns
        height, width = 1 + size[0] % (rows - row), 1 + size[1] % (columns - column)
        return name, Region(row, column, height, width)

    @rule(
        corner=st.tuples(small, small, small), size=st.tuples(small, small), v=numbers
    )
    def write(self, corner, size, v):
        name, block = self.block(corner, size)
        kind = bool if name == MASK else float
        values = np.full((block.height, block.width), v).astype(kind)
        self.apply(lambda _: SetCells("write", name, block.row, block.column, values))

    @rule(
        corner=st.tuples(small, small, small),
        size=st.tuples(small, small),
        fill=st.sampled_from(FILLS),
    )
    def fill(self, corner, size, fill):
        self.apply(fill_edit, *self.block(corner, size), fill, "fill")

    @rule(
        corner=st.tuples(small, small, small),
        size=st.tuples(small, small),
        distribution=st.sampled_from(DISTRIBUTIONS),
        go_on=st.booleans(),
    )
    def draw(self, corner, size, distribution, go_on):
        name, block = self.block(corner, size)
        if name == MASK:
            return
        last = self.document.recipes[-1:]
        stream = last[0] if go_on and last else Recipe(42, ())
        shape = block.height, block.width
        draw = Draw(shape, distribution, name, block.row, block.column)
        self.apply(draw_edit, stream, [draw], "draw")

    @rule(sequence=sequences, at=small, count=st.integers(1, 3))
    def insert(self, sequence, at, count):
        tokens = tokens_of(self.document, sequence)
        if len(tokens) + count > MOST_TOKENS or not tokens:
            return
        rows = np.ones((count, self.document.matrix(sequence).shape[1]))
        new = ["new"] * count
        place = at % (len(tokens) + 1)
        self.apply(insert_tokens, sequence, place, new, rows, "insert")

    @rule(
        sequence=sequences,
        make=st.sampled_from([remove_tokens, duplicate_tokens, move_tokens]),
        start=small,
        count=st.integers(1, 3),
        to=small,
    )
    def rearrange(self, sequence, make, start, count, to):
        tokens = tokens_of(self.document, sequence)
        if make is duplicate_tokens and len(tokens) + count > MOST_TOKENS:
            return
        places = [start % 5, count] + ([to % 5] if make is move_tokens else [])
        self.apply(make, sequence, *places, "rearrange")

    @rule(sequence=sequences, row=small, token=st.text(min_size=1, max_size=3))
    def rename(self, sequence, row, token):
        self.apply(rename_token, sequence, row % 5, token, "rename")

    @rule(
        sequence=sequences,
        tokens=st.lists(st.sampled_from("abc"), min_size=1, max_size=5),
        method=st.sampled_from(["random", "one-hot", "hashed"]),
    )
    def say(self, sequence, tokens, method):
        def make(document):
            if sequence not in document.matrices:
                raise EditError("There is no such sequence.")
            width = document.matrix(sequence).shape[1]
            rows = embed(tokens, width, method)
            return set_sentence(document, sequence, tokens, rows, "say")

        self.apply(make)

    @rule(
        names=st.sets(st.sampled_from(["d_model", "d_k", "d_v", "n_heads"])),
        width=st.integers(0, 5),
        kv_heads=st.none() | st.integers(1, 3),
        padding=st.sampled_from(["zeros", "random"]),
    )
    def resize(self, names, width, kv_heads, padding):
        def make(document):
            now = Dimensions.of(document)
            wanted = dict.fromkeys(names, width)
            wanted["n_kv_heads"] = kv_heads or wanted.get("n_heads", now.n_kv_heads)
            wanted = replace(now, **wanted)
            return plan_dimensions(document, wanted, padding, 1).edit("resize")

        self.apply(make)

    def respec(self, choose):
        def make(document):
            try:
                spec = choose(document)
            except ValueError as error:
                raise EditError(str(error)) from error
            return spec_edit(document, spec, "choose")

        self.apply(make)

    @rule(variant=st.sampled_from(list(VARIANT_TITLES)))
    def choose_variant(self, variant):
        self.respec(lambda document: variant_spec(document, variant))

    @rule(count=st.integers(1, 4), keys=st.booleans())
    def choose_heads(self, count, keys):
        choose = kv_heads_spec if keys else heads_spec

        def make(document):
            if not document.spec.projected:
                raise EditError("There are no heads without projections.")
            return choose(document.spec, count)

        self.respec(make)

    @rule(names=st.sets(st.sampled_from(["b_Q", "b_K", "b_V", "b_O"])))
    def choose_biases(self, names):
        self.respec(lambda document: biases_spec(document.spec, names))

    @rule(on=st.booleans())
    def choose_output_projection(self, on):
        def choose(document):
            if not document.spec.projected:
                return document.spec
            return output_projection_spec(document.spec, on=on)

        self.respec(choose)

    @rule(positions=st.sampled_from(POSITIONS), bias=st.booleans())
    def choose_positions(self, positions, bias):
        self.respec(
            lambda document: replace(document.spec, positions=positions, bias=bias)
        )

    @rule(
        normalizer=st.sampled_from(list(NORMALIZERS)),
        temperature=st.sampled_from([0.5, 1.0, 3.0]),
    )
    def choose_normalizer(self, normalizer, temperature):
        self.respec(
            lambda document: replace(
                normalizer_spec(document.spec, normalizer), temperature=temperature
            )
        )

    @rule(preset=st.sampled_from(PRESETS))
    def choose_mask(self, preset):
        self.apply(mask_edit, preset, "mask")

    @rule(row=small, column=small, visible=st.booleans())
    def paint_mask(self, row, column, visible):
        n_q, n_k = map(len, self.document.labels)
        self.apply(paint, Region(row % n_q, column % n_k, 1, 1), visible, "paint")

    # ----------------------------------------------------------------- undo

    @rule(steps=st.integers(1, 4))
    def undo(self, steps):
        for _ in range(min(steps, len(self.inverses))):
            self.undone.append(self.document.apply(self.inverses.pop()))
            assert state_of(self.document) == self.states[len(self.inverses)]

    @rule(steps=st.integers(1, 4))
    def redo(self, steps):
        for _ in range(min(steps, len(self.undone))):
            self.inverses.append(self.document.apply(self.undone.pop()))
            assert state_of(self.document) == self.states[len(self.inverses)]

    @invariant()
    def it_can_be_computed(self):
        document = self.document
        with np.errstate(all="ignore"):
            trace = document.compute()
        n_q, n_k = map(len, document.labels)
        assert trace.shape("weights")[-2:] == (n_q, n_k)
        assert document.revision >= self.revision
        self.revision = document.revision

    @invariant()
    def recipes_draw_matrices_that_are_there(self):
        for recipe in self.document.recipes:
            assert any(draw.matrix is not None for draw in recipe.draws)
            assert all(d.matrix is None or d.matrix for d in recipe.draws)

    def teardown(self):
        if not hasattr(self, "document"):
            return
        self.undo(len(self.inverses))
        assert state_of(self.document) == self.states[0]
        self.redo(len(self.undone))


TestEditing = Editing.TestCase
TestEditing.settings = settings(max_examples=25, stateful_step_count=30)

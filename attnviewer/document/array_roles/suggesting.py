"""Guesses at the roles of a file's arrays, from names and shapes."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from attnviewer.document.array_roles.assignment import (
    WEIGHTS,
    Assignment,
    is_joined_below,
)
from attnviewer.document.array_roles.names import (
    FUSED,
    Named,
    is_transposed_layer,
    named,
)
from attnviewer.document.array_roles.pick import HEADS, AxisIndex, Pick, Shape, shape_of
from attnviewer.document.array_roles.problems import N_HEADS, problems
from attnviewer.document.matrices import BIAS, MASK

BLOCK = "block"
"""The key of the doubt that there are several layers."""
_LETTERS = "Q", "K", "V"

LEAST_VOCABULARY = 4097
"""As many rows of an array are rather a vocabulary's than a sentence's."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The probable roles of a file's arrays.

    Parameters
    ----------
    assignment : Assignment
        The array that takes each role.
    doubts : dict of str to str
        A sentence on what is uncertain, for a role, for ``n_heads`` or for ``block``;
        empty if nothing had to be guessed.
    blocks : tuple of str
        The prefix of the weights' names, for each layer that has all of them.
    """

    assignment: Assignment
    doubts: dict[str, str] = field(default_factory=dict)
    blocks: tuple[str, ...] = ()


def suggest(
    shapes: Mapping[str, Shape],
    *,
    title: str = "Imported",
    block: str | None = None,
    added: Collection[str] = (),
    hiding: Collection[str] = (),
    normalized: Collection[str] = (),
) -> Suggestion:
    """Return the probable roles of a file's arrays.

    Parameters
    ----------
    shapes : mapping of str to tuple of int
        Shapes of the arrays.
    title : str
        The document's title.
    block : str, optional
        The layer to take, one of the suggestion's `blocks`; the first by default.
    added : collection of str
        Arrays that are added to the scores, even if their names say mask.
    hiding : collection of str
        Masks in which 1 probably hides a key.
    normalized : collection of str
        Arrays whose rows sum to 1, as those of attention weights do.
    """
    maker = _Maker(shapes, added)
    blocks = maker.blocks()
    if blocks:
        maker.projected(blocks[0] if block is None else block)
        if len(blocks) > 1 and block is None:
            doubt = f"The file has {len(blocks)} layers with weights; '{blocks[0]}' "
            maker.doubts[BLOCK] = f"{doubt}is taken."
    elif maker.has_given():
        maker.given()
    elif maker.has_scored():
        maker.scored()
    else:
        maker.partial(normalized)
    mask = maker.picks.get(MASK)
    hides = mask is not None and mask.array in hiding
    if hides:
        maker.doubts[MASK] = (
            "1 is read as hidden, as in PyTorch's nn.MultiheadAttention: otherwise no "
            "query would see itself."
        )
    assignment = Assignment(maker.picks, maker.n_heads, title=title, mask_hides=hides)
    return Suggestion(assignment, maker.doubts, tuple(blocks))


def unclear(suggestion: Suggestion, shapes: Mapping[str, Shape]) -> dict[str, str]:
    """Return why a suggestion needs confirmation, by role.

    Parameters
    ----------
    suggestion : Suggestion
        The suggestion.
    shapes : mapping of str to tuple of int
        Shapes of the arrays.
    """
    return suggestion.doubts | problems(suggestion.assignment, shapes)


class _Maker:
    """Collects picks and doubts."""

    def __init__(
        self, shapes: Mapping[str, Shape], added: Collection[str] = ()
    ) -> None:
        self._shapes = shapes
        self.picks: dict[str, Pick] = {}
        self.doubts: dict[str, str] = {}
        self.n_heads = 1
        self._data: dict[str, str] = {}
        self._weights: dict[str, dict[str, str]] = defaultdict(dict)
        self._doubles: dict[str, str] = {}
        for name in shapes:
            found = named(name)
            if found is None:
                continue
            if found.role == MASK and name in added:
                found = Named(BIAS)
            of = self._weights[found.block] if found.role[1:2] == "_" else self._data
            if found.role in of:
                self._doubles.setdefault(found.role, name)
            else:
                of[found.role] = name

    def blocks(self) -> list[str]:
        """Return the prefixes of names that have all three weights."""
        return [
            block
            for block, roles in self._weights.items()
            if f"W_{FUSED}" in roles or set(WEIGHTS) <= roles.keys()
        ]

    def has_given(self) -> bool:
        return set(_LETTERS) <= self._data.keys()

    def given(self) -> None:
        for role in (*_LETTERS, "mask", "bias"):
            self._take_data(role)
        queries = self.picks["Q"]
        if HEADS in queries.index:
            self.n_heads = self._shapes[queries.array][queries.index.index(HEADS)]
        if "X" in self._data:
            doubt = f"The file has '{self._data['X']}' as well, which is left out: "
            self.doubts["Q"] = f"{doubt}queries, keys and values are given."

    def has_scored(self) -> bool:
        return "X" not in self._data and bool({"weights", "scores"} & self._data.keys())

    def scored(self) -> None:
        """Take attention weights, or else scores."""
        role = "weights" if "weights" in self._data else "scores"
        self._take_scored(role, self._data[role])

    def _take_scored(self, role: str, name: str) -> None:
        lead = self._shapes[name][:-2]
        before = (0,) * (len(lead) - 1)
        if max(lead[:-1], default=1) > 1:
            doubt = f"Its shape is {self._shapes[name]}. Of the axes before the heads, "
            self.doubts[role] = f"{doubt}index 0 is used."
        self.picks[role] = Pick(name, (*before, HEADS, None, None) if lead else ())

    def partial(self, normalized: Collection[str]) -> None:
        """Take the roles that were found; others may have to be chosen."""
        for role in ("X", "context", "mask", "bias", "P"):
            self._take_data(role)
        for roles in list(self._weights.values())[:1]:
            self._take_weights(roles)
        if not self.picks and normalized:
            self._take_normalized(normalized)
        elif not self.picks and self._shapes:
            name = next(iter(self._shapes))
            self.picks["X"] = self._data_pick("X", name)
            if len(self._shapes) > 1:
                self.doubts["X"] = (
                    "The names do not tell what the arrays are. The first is taken."
                )

    def _take_normalized(self, names: Collection[str]) -> None:
        """Take the first of the arrays that hold attention weights by their numbers."""
        first = next(iter(names))
        self._take_scored("weights", first)
        if len(names) > 1:
            doubt = f"The rows of {len(names)} arrays sum to 1, as those of attention "
            doubt += f"weights do. '{first}' is taken."
            further = self.doubts.get("weights")
            self.doubts["weights"] = f"{doubt} {further}" if further else doubt

    def projected(self, block: str) -> None:
        for role in ("X", "context", "P"):
            self._take_data(role)
        if "X" not in self.picks:
            self._find_embeddings(block)
        self._take_weights(self._weights[block])
        for role in ("mask", "bias"):
            self._take_data(role)
        if "X" not in self.picks:
            self.doubts["X"] = "The file has no embeddings. They are made."

    # -------------------------------------------------------------------- data

    def _take_data(self, role: str) -> None:
        name = self._data.get(role)
        if name is None:
            return
        if role == "context" and len(self._shapes[name]) == 1:
            return  # not a second sequence but the output of one query
        self.picks[role] = self._data_pick(role, name)
        self._note_double(role)

    def _note_double(self, role: str) -> None:
        if role in self._doubles:
            doubt = f"'{self._doubles[role]}' could be it as well."
            self.doubts.setdefault(role, doubt)

    def _data_pick(self, role: str, name: str) -> Pick:
        lead = self._shapes[name][:-2]
        if role in _LETTERS and lead:
            before = (0,) * (len(lead) - 1)
            if max(lead) > 1:
                what = "the heads" if not before else "the batch and the heads"
                doubt = f"Its shape is {self._shapes[name]}, which is read as {what}"
                self.doubts[role] = f"{doubt}, rows and columns."
            return Pick(name, (*before, HEADS, None, None))
        if any(size > 1 for size in lead):
            axes = "axis" if len(lead) == 1 else f"{len(lead)} axes"
            doubt = f"Its shape is {self._shapes[name]}. Of the first {axes}, index 0 "
            self.doubts[role] = f"{doubt}is used."
        return Pick(name, (*(0 for _ in lead), None, None) if lead else ())

    def _find_embeddings(self, block: str) -> None:
        """Take the only array that fits the weights as X, whatever its name."""
        roles = self._weights[block]
        trial = _Maker({n: s for n, s in self._shapes.items() if n in roles.values()})
        trial._take_weights(roles)
        width = trial._rows("W_Q")
        fitting = [
            name
            for name, shape in self._shapes.items()
            if named(name) is None
            and len(shape) == 2
            and shape[1] == width
            and shape[0] < LEAST_VOCABULARY
        ]
        if len(fitting) == 1:
            self.picks["X"] = Pick(fitting[0])
            self.doubts["X"] = (
                "Its name does not tell; it is the only array that fits the weights."
            )

    # ----------------------------------------------------------------- weights

    def _take_weights(self, roles: Mapping[str, str]) -> None:
        width = self._columns("X")
        source = self._columns("context") or width
        if f"W_{FUSED}" in roles:
            name = roles[f"W_{FUSED}"]
            for third, letter in enumerate(_LETTERS):
                self._take_weight(f"W_{letter}", name, width, third)
        else:
            for role, expected in zip(WEIGHTS, (width, source, source), strict=True):
                if role in roles:
                    known = expected or self._rows("W_Q")
                    self._take_weight(role, roles[role], known)
        if "W_G" in roles:
            self._take_weight("W_G", roles["W_G"], width)
        if "W_O" in roles:
            self._take_weight("W_O", roles["W_O"], self._columns("W_V"))
        fused = roles.get(f"b_{FUSED}")
        for third, letter in enumerate(_LETTERS):
            if fused is not None:
                self.picks[f"b_{letter}"] = replace(self._bias(fused), third=third)
            elif f"b_{letter}" in roles:
                self.picks[f"b_{letter}"] = self._bias(roles[f"b_{letter}"])
        if "b_O" in roles:
            self.picks["b_O"] = self._bias(roles["b_O"])
        self._count_heads()

    def _take_weight(
        self, role: str, name: str, expected: int | None, third: int | None = None
    ) -> None:
        shape = self._shapes[name]
        index: tuple[AxisIndex, ...] = ()
        if len(shape) > 2:
            index = (*(0 for _ in shape[:-3]), HEADS, None, None)
            if len(shape) == 3 and shape[0] == expected != shape[1] and role != "W_O":
                index = None, HEADS, None  # as in Flax
            layers = shape[:-3]
            taken = "heads" if max(layers, default=1) == 1 else "layers and heads"
            if max(shape[:-2]) > 1:
                doubt = f"Its shape is {shape}, which is read as {taken}"
                self.doubts[role] = f"{doubt}, rows and columns."
        self.picks[role] = self._oriented(
            role, Pick(name, index, third=third), expected
        )
        self._note_double(role)

    def _oriented(self, role: str, pick: Pick, expected: int | None) -> Pick:
        """Return a pick in the orientation that fits, or else as layers are stored."""
        ways = pick, replace(pick, transposed=True)
        fitting = [way for way in ways if self._fits(role, way, expected)]
        if len(fitting) == 1:
            return fitting[0]
        if not is_transposed_layer(pick.array):
            return pick
        self.doubts[role] = (
            "Its shape does not tell whether to transpose it. PyTorch's layers are "
            "stored transposed."
        )
        return ways[1]

    def _fits(self, role: str, pick: Pick, expected: int | None) -> bool:
        try:
            rows, columns = self._shape(role, pick)
        except ValueError:
            return False
        if expected is None and pick.third is not None:
            return rows == columns
        return expected is None or rows == expected

    def _bias(self, name: str) -> Pick:
        shape = self._shapes[name]
        if len(shape) == 1 or (len(shape) == 2 and 1 in shape):
            return Pick(name, transposed=len(shape) == 2 and shape[1] == 1 < shape[0])
        return Pick(name, (*(0 for _ in shape[:-2]), HEADS, None))

    def _count_heads(self) -> None:
        query = self.picks.get("W_Q")
        if query is None:
            return
        if HEADS in query.index:
            self.n_heads = self._shapes[query.array][query.index.index(HEADS)]
        elif "W_O" in self.picks or is_transposed_layer(query.array):
            queries, keys = self._columns("W_Q"), self._columns("W_K")
            if queries and keys and queries % keys == 0:
                self.n_heads = queries // keys  # with one head of keys
            self.doubts[N_HEADS] = "The file does not tell how many heads there are."

    def _rows(self, role: str) -> int | None:
        return self._size(role, 0)

    def _columns(self, role: str) -> int | None:
        return self._size(role, 1)

    def _size(self, role: str, axis: int) -> int | None:
        """Return the rows or columns of a role; None if it is missing or unusable."""
        if role not in self.picks:
            return None
        try:
            return self._shape(role, self.picks[role])[axis]
        except ValueError:
            return None

    def _shape(self, role: str, pick: Pick) -> tuple[int, int]:
        return shape_of(pick, self._shapes[pick.array], below=is_joined_below(role))

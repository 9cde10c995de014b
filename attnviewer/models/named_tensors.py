"""The tensors of a checkpoint by the parts of an architecture."""

from collections.abc import Collection, Iterator

import numpy as np

from attnviewer.compute import Array
from attnviewer.io import FileFormatError
from attnviewer.models.architecture import HEAD as OF_HEADS
from attnviewer.models.architecture import Architecture
from attnviewer.models.checkpoint import Checkpoint
from attnviewer.models.chosen_head import PREDICTING, classes, without_effect
from attnviewer.models.expert_weights import check_packed, packed_names
from attnviewer.models.part_words import part_in_words

HEAD = frozenset(("W_head", "b_head", "head", "decoder", "b_decoder"))
"""Parts of an `OutputHead`, and its norm."""
SHARED = HEAD | {"tokens", "places", "types", "embedding", "W_embedding"}
SHARED |= {"b_embedding", "projected", "final", "unembedding", "R", "R_norm"}
SHARED |= {"W_tokens", "W_unembedding", "W_projection", "logit_bias"}
SHARED |= {"similarity_scale"}
SHARED |= {"patches", "class", "distillation"}
"""Parts shared by all layers, and norms of such parts."""
_WITHOUT_PREFIX = HEAD | {"unembedding", "W_projection", "logit_bias"}
_WITHOUT_PREFIX |= {"similarity_scale"}


class NamedTensors:
    """The tensors of a checkpoint, found by part and checked.

    Parameters
    ----------
    checkpoint : Checkpoint
        The tensors.
    architecture : Architecture
        Their names and shapes.

    Attributes
    ----------
    notice : str
        Which head of the checkpoint is not computed; "" if none is left out.

    Raises
    ------
    FileFormatError
        If a tensor is missing, of another shape or type, or would be ignored.
    """

    def __init__(self, checkpoint: Checkpoint, architecture: Architecture) -> None:
        self._checkpoint = checkpoint
        self._architecture = architecture
        self._shapes = architecture.shapes()
        self._known: dict[tuple[str, int], str] = {}
        self._prefix = self._found_prefix()
        self.notice = without_effect(architecture, checkpoint)
        self._unembedding = self._found_unembedding()
        self._check()

    def has(self, part: str) -> bool:
        """Return whether the checkpoint has a part that all layers share."""
        known = part in self._architecture.names
        return known and self._name(part, 0) in self._checkpoint

    def _has(self, part: str, layer: int) -> bool:
        return (part, layer) not in self._architecture.absent

    def _read(self, part: str, layer: int) -> Array:
        pieces = [self._checkpoint.read(n) for n in self._names(part, layer)]
        array = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
        if self._is_transposed(part):
            array = array.T
        # A scale of a branch (LayerScale) is that of the columns of its last weights.
        scale = f"scale_{part[2:]}"
        known = scale in self._architecture.names
        return array * self._read(scale, layer) if known else array

    def _is_transposed(self, part: str) -> bool:
        if part == "unembedding":
            return True
        return part.startswith("W_") and not self._architecture.inputs_first

    def _names(self, part: str, layer: int) -> list[str]:
        """Return the tensor names of a part, one for each head that has its own."""
        name = self._name(part, layer)
        if OF_HEADS not in name:
            return [name]
        heads = self._shapes[part][0] // self._architecture.d_head
        return [name.replace(OF_HEADS, str(head)) for head in range(heads)]

    def _name(self, part: str, layer: int) -> str:
        """Return the tensor name of a part in this checkpoint."""
        known = self._known.get((part, layer))
        if known is None:
            known = self._known[part, layer] = self._found_name(part, layer)
        return known

    def _found_name(self, part: str, layer: int) -> str:
        stored = self._architecture.layer_tensors
        number = str(layer) if stored is None else stored[layer]
        name = self._architecture.names[part].replace("{}", number)
        if part.partition(".")[0] not in _WITHOUT_PREFIX:
            name = self._prefix + name
        return next((s for s in self._spelled(name) if s in self._checkpoint), name)

    def _spelled(self, name: str) -> Iterator[str]:
        """Yield the name of a tensor, and its other spellings."""
        yield name
        yield from self._architecture.spellings(name)

    def _found_prefix(self) -> str:
        names = self._architecture.names
        spelled = tuple(self._spelled(names.get("tokens") or names["places"]))
        known = self._architecture.prefixes
        found = (p for p in known if any(p + s in self._checkpoint for s in spelled))
        return next(found, known[0])

    def _found_unembedding(self) -> str | None:
        if "unembedding" not in self._architecture.names or self._architecture.head:
            return None
        own = self._name("unembedding", 0)
        # A separate table counts even if it should be tied, as in transformers.
        if own in self._checkpoint:
            return own
        # A head that is not computed shares none.
        if not self._architecture.tied or self.notice:
            return None
        tokens = self._prefix + self._architecture.names["tokens"]
        own, *shared = self._spelled(tokens)
        # The table that stacks share goes before the own one of the decoder.
        known = (name for name in (*shared, own) if name in self._checkpoint)
        return next(known, own)

    def _table_name(self, part: str) -> str:
        """Return the tensor name of a table; of a tied decoder, that of the tokens."""
        if part == "unembedding" and self._unembedding is not None:
            return self._unembedding
        name = self._name(part, 0)
        head = self._architecture.head
        tied = part == "decoder" and self._architecture.tied
        if not tied or head is None or head.predicts != "tokens":
            return name
        return name if name in self._checkpoint else self._name("tokens", 0)

    def _unembedding_name(self) -> str:
        """Return the tensor name of the unembedding."""
        if self._architecture.head is not None:
            raise ValueError(
                "The model must unembed its hidden states directly, without a dense "
                f"layer and a norm before. Got {self._architecture.family} with such a "
                "head instead."
            )
        if self._unembedding is None:
            notice = f" {self.notice}" if self.notice else ""
            raise ValueError(
                "The model must predict tokens, by a table of its own or that of its "
                f"embeddings. Got {self._architecture.family} without one instead."
                f"{notice}"
            )
        return self._unembedding

    def _must_have_unembedding(self) -> bool:
        """Return whether a separate table is there, or required."""
        if self._unembedding is not None:
            return self._unembedding != self._name("tokens", 0)
        return any(c.endswith(PREDICTING) for c in classes(self._checkpoint.config))

    def _check(self) -> None:
        """Check all tensors by their descriptions alone."""
        used: set[str] = set()
        for part in self._architecture.names:
            if part == "unembedding" and not self._must_have_unembedding():
                continue
            if part in self._architecture.optional and not self.has(part):
                continue
            layers = 1 if is_shared(part) else self._architecture.n_layers
            for layer in range(layers):
                if not self._has(part, layer):
                    continue
                own = self._names(part, layer)
                for name in [self._table_name(part)] if layers == 1 else own:
                    packed = packed_names(self._checkpoint, name)
                    if packed and part.startswith("expert_W_"):
                        check_packed(self._checkpoint, name, self._shapes[part])
                    elif name not in used:
                        self._check_tensor(part, layer, name)
                    used.update(packed or (name,))
        self._check_all_used(used)

    def _check_tensor(self, part: str, layer: int, name: str) -> None:
        what = part_in_words(part)
        if not is_shared(part):
            what += f" in layer {layer}"
        if name not in self._checkpoint:
            raise FileFormatError(
                self._checkpoint.path,
                f"The tensor '{name}' of {self._architecture.family} is missing, "
                f"which holds {what}; {len(self._checkpoint.names)} others are there.",
            )
        shape = self._shapes[part]
        if OF_HEADS in self._architecture.names[part]:
            shape = (self._architecture.d_head,)
        expected = shape[::-1] if self._is_transposed(part) else shape
        if self._checkpoint.shape(name) != expected:
            raise FileFormatError(
                self._checkpoint.file_of(name),
                f"It holds {what}, and must have the shape {expected}, as its "
                f"configuration says. Got {self._checkpoint.shape(name)} instead.",
                name,
            )
        self._checkpoint.check_type(name)

    def _check_all_used(self, used: Collection[str]) -> None:
        """Check that no tensor of a layer, or of a part of its own, is ignored."""
        for name in self._checkpoint.names:
            for part, title in self._architecture.foreign.items():
                if part in name:
                    raise FileFormatError(
                        self._checkpoint.file_of(name),
                        f"Only the text part of {self._architecture.family} is "
                        f"computed here. Got a tensor of {title} instead.",
                        name,
                    )
        layers = self._prefix + self._architecture.names["W_O"].partition("{}")[0]
        for name in self._checkpoint.names:
            if not name.startswith(layers) or name in used:
                continue
            if name.endswith(self._architecture.unused):
                continue
            raise FileFormatError(
                self._checkpoint.file_of(name),
                f"{self._architecture.family} with {self._architecture.n_layers} "
                "layers, as its configuration says, does not use this tensor: "
                "without it the results would be others.",
                name,
            )


def is_shared(part: str) -> bool:
    """Return whether all layers share a part."""
    return part.partition(".")[0] in SHARED

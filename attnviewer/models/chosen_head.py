"""The output head of a checkpoint: the one of the class that it was saved as."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from attnviewer.io.strict_json import SchemaError, shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.checkpoint import Checkpoint
from attnviewer.models.output_head import OUTPUT_PARTS, OutputHead

PREDICTING = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
"""The names of transformers' classes that predict the next token."""
_BARE = ("Model", "WithProjection")
_MOST_LABELS = 2**20
_INDEPENDENT, _NUMBERS = "multi_label_classification", "regression"
"""What configurations call the problems whose outputs are no classes of which one is
right; heads for tokens have none of the second, whatever is given."""


def classes(config: Mapping[str, object]) -> tuple[str, ...]:
    """Return the classes of transformers that a checkpoint was saved as."""
    found = config.get("architectures")
    return tuple(map(str, found)) if isinstance(found, list) else ()


def with_head(architecture: Architecture, checkpoint: Checkpoint) -> Architecture:
    """Return an architecture with the head whose tensors the checkpoint has.

    That is the head of the class that its configuration names, or else one that
    predicts tokens. A head of which all tensors are missing counts as left out.

    Raises
    ------
    SchemaError
        If the labels in the configuration are not valid.
    """
    head = _named(architecture, classes(checkpoint.config))
    parts: Iterable[str] = OUTPUT_PARTS
    if head is None:
        tokens = (h for h in architecture.heads.values() if h.predicts == "tokens")
        # Heads that classify may begin with the same layers.
        head, parts = next(tokens, None), ("decoder", "b_decoder")
    if head is None or not _is_there(head, parts, architecture, checkpoint):
        return architecture
    cross = architecture.cross
    return replace(
        architecture,
        head=_labelled(head, checkpoint.config),
        names={**architecture.names, **head.names},
        cross=None if cross is None else with_head(cross, checkpoint),
    )


def without_effect(architecture: Architecture, checkpoint: Checkpoint) -> str:
    """Return which head of a checkpoint is not computed; "" if none is left out."""
    named = classes(checkpoint.config)
    if architecture.head is not None or not named or named[0].endswith(_BARE):
        return ""
    predicts_next = "unembedding" in architecture.names or not architecture.heads
    if predicts_next and named[0].endswith(PREDICTING):
        return ""
    if _named(architecture, named) is not None:
        return (
            f"It was saved as {shortened(named[0])}, but has no tensors of that "
            "head, so there are no logits."
        )
    return (
        f"It was saved as {shortened(named[0])}, whose head is not computed here: "
        "there are hidden states and attention, but not its logits."
    )


def _named(architecture: Architecture, named: Sequence[str]) -> OutputHead | None:
    """Return the head of a class."""
    return next(
        (
            head
            for name in named
            for end, head in architecture.heads.items()
            if name.endswith(end)
        ),
        None,
    )


def _is_there(
    head: OutputHead,
    parts: Iterable[str],
    architecture: Architecture,
    checkpoint: Checkpoint,
) -> bool:
    names = (head.names[part] for part in parts if part in head.names)
    return any(
        spelled in checkpoint
        for name in names
        for spelled in (name, *architecture.spellings(name))
    )


def _labelled(head: OutputHead, config: Mapping[str, object]) -> OutputHead:
    """Return a head with the names of its logits, as the configuration says them."""
    if head.predicts == "tokens" or head.labels:
        return head
    if head.predicts == "span":
        return replace(head, labels=("start", "end"))
    labels = _labels(config)
    predicts = head.predicts
    if config.get("problem_type") == _INDEPENDENT:
        predicts = "independent labels"
    elif head.reads != "each" and (
        len(labels) == 1 or config.get("problem_type") == _NUMBERS
    ):
        predicts = "numbers"
    padding = config.get("pad_token_id", head.padding)
    return replace(
        head,
        labels=labels,
        predicts=predicts,
        padding=padding if isinstance(padding, int) else None,
    )


def _labels(config: Mapping[str, object]) -> tuple[str, ...]:
    """Return the labels by their numbers.

    Raises
    ------
    SchemaError
        If they are no names of 0, 1, 2, …
    """
    given = config.get("id2label")
    if given is None:
        count = config.get("num_labels", config.get("_num_labels", 2))
        if type(count) is not int or not 1 <= count <= _MOST_LABELS:
            raise SchemaError(
                f"It must be a whole number from 1 to {_MOST_LABELS}. "
                f"Got {shortened(repr(count))} instead.",
                "$.num_labels",
            )
        return tuple(f"LABEL_{number}" for number in range(count))
    names = given if isinstance(given, Mapping) else {}
    labels = [names.get(str(number)) for number in range(len(names))]
    if not labels or any(not isinstance(label, str | int) for label in labels):
        raise SchemaError(
            "It must give a name to each label, by its number from '0' on. "
            f"Got {shortened(repr(given))} instead.",
            "$.id2label",
        )
    return tuple(map(str, labels))

"""The heads of transformers' classes, which families put together to a table.

The keys of a table are what the names of the classes end with, after the family's.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from attnviewer.models.families.naming import decoder, linear, norm
from attnviewer.models.output_head import OutputHead, Reads

MASKED = ("ForMaskedLM", "LMHeadModel", "ForCausalLM", "ForPreTraining")
"""Classes that predict the token at each position, of families of encoders."""


def token_head(
    dense: str, normed: str, last: str, activation: str
) -> dict[str, OutputHead]:
    """Return the heads that predict the token at each position.

    Parameters
    ----------
    dense, normed, last : str
        The names of the dense layer, of the norm, and of the last layer.
    activation : str
        What is between the dense layer and the norm.
    """
    names = {**linear("head", dense), **norm("head", normed), **decoder(last)}
    head = OutputHead(names, predicts="tokens", activation=activation)
    return dict.fromkeys(MASKED, head)


def classifier(
    name: str, dense: str = "", activation: str = "tanh", reads: Reads = "first"
) -> dict[str, OutputHead]:
    """Return the head that classifies the sequence by one of its tokens.

    Parameters
    ----------
    name : str
        The name of the last layer.
    dense : str
        The name of the dense layer before it; "" without.
    activation : str
        What follows the dense layer.
    reads : str
        Which token that is: ``first`` or ``last``.
    """
    names = {**linear("head", dense), **decoder(name)} if dense else decoder(name)
    head = OutputHead(names, reads, activation=activation if dense else "")
    return {"ForSequenceClassification": head}


def padded(
    heads: Mapping[str, OutputHead], padding: int | None
) -> dict[str, OutputHead]:
    """Return heads with the id of padding, unless the configuration says another."""
    return {name: replace(head, padding=padding) for name, head in heads.items()}


def ended(heads: Mapping[str, OutputHead], end: int | None) -> dict[str, OutputHead]:
    """Return heads with the id of the token that ends a text."""
    return {name: replace(head, end=end) for name, head in heads.items()}


EACH_TOKEN: Mapping[str, OutputHead] = MappingProxyType(
    {
        "ForTokenClassification": OutputHead(decoder("classifier")),
        "ForQuestionAnswering": OutputHead(decoder("qa_outputs"), predicts="span"),
    }
)
"""The heads of most encoders for each token: of labels, and of an answer's span."""
CAUSAL: Mapping[str, OutputHead] = MappingProxyType(
    {
        "ForSequenceClassification": OutputHead({"decoder": "score.weight"}, "last"),
        "ForTokenClassification": OutputHead(decoder("score")),
        "ForQuestionAnswering": EACH_TOKEN["ForQuestionAnswering"],
    }
)
"""The classifiers that transformers gives to most decoders."""
SEQUENCE_TO_SEQUENCE: Mapping[str, OutputHead] = MappingProxyType(
    {
        **classifier(
            "classification_head.out_proj", "classification_head.dense", reads="last"
        ),
        "ForQuestionAnswering": EACH_TOKEN["ForQuestionAnswering"],
    }
)
"""Those of encoder–decoders, which read what the decoder makes of the same sentence."""

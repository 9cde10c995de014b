"""Turns text into token ids, and back."""

from attnviewer.models.tokenizing.files import open_tokenizer
from attnviewer.models.tokenizing.tokenizer import (
    MissingRulesError,
    MissingTokenizersError,
    Tokenizer,
)
from attnviewer.models.tokenizing.vocabulary import Encoded

__all__ = [
    "Encoded",
    "MissingRulesError",
    "MissingTokenizersError",
    "Tokenizer",
    "open_tokenizer",
]

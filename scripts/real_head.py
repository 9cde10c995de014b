"""Write the head of a real model that a lesson is about: "it" and "animal".

``.venv/bin/python scripts/real_head.py all-MiniLM-L6-v2`` writes
``resources/lessons/it-animal.attn`` from the folder of that model, which is published
under the Apache License 2.0: its text lies beside the file.
"""

import sys
from dataclasses import replace
from pathlib import Path

from attnviewer import models
from attnviewer.document import Document
from attnviewer.io.session import save_session
from attnviewer.models.layer_documents import attention_document

FILE = (
    Path(__file__).resolve().parent.parent / "resources" / "lessons" / "it-animal.attn"
)
SENTENCE = "The animal didn't cross the street because it was too tired."
LAYER, HEAD = 3, 1
NOTES = (
    "Head 1 of layer 3 of sentence-transformers/all-MiniLM-L6-v2, both counted from "
    "0, for the sentence “The animal didn't cross the street because it was too "
    "tired.” The weights are the model's, licensed under the Apache License 2.0 (see "
    "it-animal-license.txt), cut to the columns of this head; X is what the layers "
    "before it make of the sentence."
)


def head(model: Path) -> Document:
    """Return the head as a document of its own, which no longer needs the model."""
    run = models.load(model).run(SENTENCE)
    linked = attention_document(run, LAYER, HEAD)
    spec = replace(linked.spec, output_projection=False)
    return Document(
        "A real head",
        linked.tokens,
        {name: linked.matrix(name) for name in spec.input_names},
        spec,
        notes=NOTES,
    )


if __name__ == "__main__":
    save_session(head(Path(sys.argv[1])), FILE)

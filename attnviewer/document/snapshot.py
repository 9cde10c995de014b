"""The inputs of a document's computation at one moment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from attnviewer.compute import Array, Spec, Trace, cost
from attnviewer.document.computing import compute
from attnviewer.document.document import TABLE, Document
from attnviewer.document.edits import Edit
from attnviewer.document.labels import Labels


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Spec, inputs and labels of a document, independent of later edits.

    Parameters
    ----------
    spec : Spec
        The attention variant.
    inputs : mapping of str to ndarray
        Copies of the matrices that it uses.
    labels : Labels
        The tokens.
    """

    spec: Spec
    inputs: Mapping[str, Array]
    labels: Labels

    @classmethod
    def of(cls, document: Document) -> "Snapshot":
        """Take a document as it is now."""
        return cls(document.spec, document.inputs(), document.labels)

    @classmethod
    def whole(cls, document: Document) -> "Snapshot":
        """Take a document with all rows of its position table, as exports hold it."""
        inputs = document.inputs()
        if TABLE in inputs:
            inputs[TABLE] = document.matrix(TABLE).copy()
        return cls(document.spec, inputs, document.labels)

    @classmethod
    def in_place(cls, document: Document) -> "Snapshot":
        """Take a document that nobody edits while this is in use, without copies."""
        return cls(document.spec, document.inputs_in_place(), document.labels)

    @classmethod
    def before(cls, document: Document, inverses: Iterable[Edit]) -> "Snapshot":
        """Take a document as it was before some edits.

        Parameters
        ----------
        document : Document
            The document as it is now; it does not change.
        inverses : iterable of SetCells or Replace
            The inverse edits, in the order in which they are applied.
        """
        earlier = Document(
            document.title,
            document.tokens,
            document.matrices,
            document.spec,
            context_tokens=document.context_tokens,
            grid=document.grid,
        )
        for inverse in inverses:
            earlier.apply(inverse)
        # No copies: nobody else has that document.
        return cls(earlier.spec, earlier.inputs_in_place(), earlier.labels)

    def cost(self) -> int:
        """Estimate the work of `compute`, see `attnviewer.compute.cost`."""
        return cost(self.spec, {name: a.shape for name, a in self.inputs.items()})

    def compute(self) -> Trace:
        """Compute every step, or of a long sequence what is read of it."""
        return compute(self.spec, self.inputs)

"""The attention of all layers in a call of a module."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attnviewer.compute import Trace
from attnviewer.compute.arguments import whole_number
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.validate import check_inputs
from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.document import Document
from attnviewer.document.from_trace import document_of_inputs
from attnviewer.recording.file import read_recording, write_recording
from attnviewer.recording.html import recording_html, recording_text
from attnviewer.recording.recorded_layer import RecordedLayer


class RecordedRun:
    """The attention of all layers in a call of a module.

    Parameters
    ----------
    layers : iterable of RecordedLayer
        The layers in the order of the calls.
    """

    def __init__(self, layers: Iterable[RecordedLayer] = ()) -> None:
        self._layers = tuple(layers)

    @property
    def layers(self) -> tuple[RecordedLayer, ...]:
        """The layers in the order of the calls."""
        return self._layers

    def __repr__(self) -> str:
        return recording_text(type(self).__name__, self._seen)

    def _repr_html_(self) -> str:
        """Return a table of the layers, for Jupyter."""
        return recording_html(self._seen)

    @property
    def _seen(self) -> tuple[RecordedLayer, ...]:
        """The layers, none while there are none."""
        return self._layers

    def layer(self, number: int) -> RecordedLayer:
        """Return a layer.

        Parameters
        ----------
        number : int
            Its number in the order of the calls.

        Raises
        ------
        IndexError
            If there is no such layer.
        """
        layers, chosen = self.layers, whole_number("layer", number)
        if not 0 <= chosen < len(layers):
            raise IndexError(
                f"The 'layer' must be from 0 to {len(layers) - 1}. Got {chosen} "
                "instead."
            )
        return layers[chosen]

    def attention(self, layer: int = 0, batch: int = 0) -> Trace:
        """Compute every step of a layer's attention.

        Parameters
        ----------
        layer : int
            The layer, in the order of the calls.
        batch : int
            The batch item.

        Returns
        -------
        Trace
            ``Q`` (h, n_q, d_k), ``K`` (h_kv, n_k, d_k), ``V`` (h_kv, n_k, d_v), as they
            were compared (after norms and rotation), the steps up to ``weights`` (h,
            n_q, n_k), and ``output`` (h, n_q, d_v), before the heads are joined. Of a
            layer that calls no function for attention: its scores ``S`` with all that
            it added to them, and ``V``.

        Raises
        ------
        IndexError
            If there is no such layer or item.
        ValueError
            If a number is not finite.
        """
        return self.layer(layer).trace(batch)

    def document(
        self,
        layer: int = 0,
        head: int | None = None,
        *,
        batch: int = 0,
        tokens: Iterable[str] | None = None,
        context_tokens: Iterable[str] | None = None,
        title: str | None = None,
    ) -> Document:
        """Return a layer's attention as a document.

        Parameters
        ----------
        layer : int
            The layer, in the order of the calls.
        head : int, optional
            One head of it; all by default.
        batch : int
            The batch item.
        tokens : iterable of str, optional
            Names of the tokens; numbered by default.
        context_tokens : iterable of str, optional
            Names of the keys where they are other tokens.
        title : str, optional
            The title; the layer's name by default.

        Raises
        ------
        IndexError
            If there is no such layer or item.
        ValueError
            If a number is not finite, or a document cannot hold it, such as a bias that
            differs between heads: choose a `head`.
        """
        chosen = self.layer(layer)
        inputs = chosen.inputs_of(batch)
        check_inputs(chosen.spec, inputs)
        # Long sequences take a while: the document is there before they are computed.
        return document_of_inputs(
            chosen.spec,
            inputs,
            head=head,
            tokens=tokens,
            context_tokens=context_tokens,
            title=title or chosen.name or "Recorded",
        )

    def diagnose(self, layer: int, **options: Any) -> Diagnosis:
        """Compare a layer's output with the attention of its inputs.

        Parameters
        ----------
        layer : int
            The layer, in the order of the calls.
        **options
            What is meant, as for `attnviewer.diagnose`, in place of what was read.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If its output was not recorded, or something does not fit.
        """
        return self.layer(layer).diagnose(**options)

    def save(self, path: str | Path) -> None:
        """Write all layers to a file, ``.npz``, for `load_recording`.

        Parameters
        ----------
        path : str or Path
            The file; an existing one is replaced atomically.

        Raises
        ------
        ValueError
            If nothing was recorded.
        FileError
            If it cannot be written.
        """
        write_recording(path, self.layers)


@short_signature
def load_recording(path: str | Path) -> RecordedRun:
    """Return a recording from its file.

    Parameters
    ----------
    path : str or Path
        A file that `RecordedRun.save` wrote.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is not a recording.

    Examples
    --------
    >>> import attnviewer
    >>> recorded = attnviewer.load_recording("run.npz")  # doctest: +SKIP
    >>> attnviewer.explore(recorded, layer=3)  # doctest: +SKIP
    """
    return RecordedRun(read_recording(path))

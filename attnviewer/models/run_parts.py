"""The parts of a run of an encoder–decoder."""

from dataclasses import replace
from typing import Self, cast

from attnviewer.compute import Trace
from attnviewer.compute.arguments import check_name
from attnviewer.models.beside import Beside
from attnviewer.models.hidden_states import HiddenStates
from attnviewer.models.interpretation import Interpretation
from attnviewer.models.parts import PartName, own_part


class RunParts(Interpretation):
    """A run whose encoder, decoder and cross-attention can be asked for by name."""

    def attention(self, layer: int, part: PartName | None = None) -> Trace:
        """Return the attention of a layer with every step.

        Parameters
        ----------
        layer : int
            The layer, counted from zero.
        part : str, optional
            Of an encoder–decoder, whose attention: ``encoder``, ``decoder`` or
            ``cross``. By default that of the run itself: of `Model.run`, the decoder.

        Returns
        -------
        Trace
            As `multi_head_attention` returns it: ``X`` (the layer's input after its
            norm), the weights, ``Q``, ``K``, ``V`` … ``weights`` (h, n, n), ``heads``
            (h, n, d_head), ``concatenated`` (n, h·d_head) and ``output`` (n, d_model),
            before the residual is added. Of cross-attention, queries are of the
            decoder's tokens, and keys and values of ``context``, the encoder's output.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If there is no such part, or one of its numbers is not finite.
        """
        if part is not None:
            return self.part(part).attention(layer)
        return super().attention(layer)

    def part(self, name: PartName) -> Self:
        """Return the run of a part of an encoder–decoder, with all changes.

        Those of the decoder and of its cross-attention have the same hidden states and
        logits. They differ in whose attention, weights and pins they read and change.

        Parameters
        ----------
        name : str
            ``encoder``, ``decoder`` or ``cross``.

        Raises
        ------
        ValueError
            If the run has no such part.
        """
        here = own_part(self.model.architecture)
        check_name("part", name, self.model.parts if self.beside else (here,))
        if name == here or self.beside is None:
            return self
        if name == "encoder":
            return cast("Self", self.beside.encoder)
        return type(self)(
            self.model.part(name),
            self.encoded,
            self.beside.changes,
            tuple(self._streams),
            self.beside.pins,
            self.replaced,
            Beside(self.beside.encoder, self.changes, self.pins),
        )

    def with_encoder(self, encoder: Self) -> Self:
        """Return the run of a decoder over the output of another run of its encoder.

        Parameters
        ----------
        encoder : ModelTrace
            The run, such as ``run.part("encoder").with_weights(...)``.

        Raises
        ------
        ValueError
            If one of the runs is of another part.
        """
        beside = self._beside()
        if encoder.model is not self.model.part("encoder"):
            raise ValueError(
                "The 'encoder' must be a run of the encoder of the same model. "
                f"Got {encoder!r} instead."
            )
        return type(self)(
            self.model,
            self.encoded,
            self.changes,
            tuple(self._streams[:1]),
            self.pins,
            self.replaced,
            replace(beside, encoder=encoder),
        )

    @property
    def encoder_hidden_states(self) -> HiddenStates:
        """Hidden states of the encoder, (n, d_model); the last after its final norm.

        Raises
        ------
        ValueError
            If the run is not of an encoder–decoder.
        """
        return self._beside().encoder.hidden_states

    @property
    def decoder_hidden_states(self) -> HiddenStates:
        """Hidden states of the decoder, (m, d_model): those of the run itself.

        Raises
        ------
        ValueError
            If the run is not of an encoder–decoder.
        """
        self._beside()
        return self.hidden_states

    def _beside(self) -> Beside:
        if self.beside is None:
            raise ValueError(
                "The run must be of an encoder–decoder, as model.run returns it. "
                f"Got one of {self.model.architecture.family} instead."
            )
        return self.beside

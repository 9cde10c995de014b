"""Attention of which no n × n array is stored, however long the sequence."""

from attnviewer.compute.streaming.streamed_overview import StreamedOverview
from attnviewer.compute.streaming.streamed_weights import StreamedWeights, can_stream

__all__ = ["StreamedOverview", "StreamedWeights", "can_stream"]

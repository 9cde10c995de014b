"""Attention of which no n × n array is stored, however long the sequence."""

from attnviewer.compute.streaming.streamed_overview import StreamedOverview, Watch
from attnviewer.compute.streaming.streamed_weights import StreamedWeights, can_stream
from attnviewer.compute.streaming.tiled_overview import TiledOverview

__all__ = [
    "StreamedOverview",
    "StreamedWeights",
    "TiledOverview",
    "Watch",
    "can_stream",
]

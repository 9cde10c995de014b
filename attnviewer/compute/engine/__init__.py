"""The engine that keeps every step up to date while its inputs are edited."""

from attnviewer.compute.engine.engine import IncrementalEngine
from attnviewer.compute.engine.storing import stores_weights

__all__ = ["IncrementalEngine", "stores_weights"]

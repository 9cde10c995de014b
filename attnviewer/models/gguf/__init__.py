"""Models in GGUF files, the format of llama.cpp."""

from attnviewer.models.gguf.checkpoint import GGUFCheckpoint, open_gguf

__all__ = ["GGUFCheckpoint", "open_gguf"]

"""The state that views share: document, trace, selection, undo, open model."""

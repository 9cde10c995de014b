"""What all views watch: document, trace, selection, undo, open model."""

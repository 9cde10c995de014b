"""Documents' files: opening, saving, and watching for external changes."""

"""The mask, painted cell by cell or chosen by name."""

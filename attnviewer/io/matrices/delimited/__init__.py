"""Text tables, read in blocks of rows."""

"""Export of training runs as programs: the file dialog, and notices."""

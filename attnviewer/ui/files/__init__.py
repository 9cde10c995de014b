"""Files and the window: opening, saving, and what others do to a file meanwhile."""

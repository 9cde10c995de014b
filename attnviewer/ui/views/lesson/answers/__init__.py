"""Widgets in which tasks are answered, one for each kind."""

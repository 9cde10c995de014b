"""How the tasks are answered: a widget for each kind."""

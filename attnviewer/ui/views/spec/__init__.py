"""The attention variant: the bar, the menu and the dialog that choose it."""

"""What kind of attention: the bar, the menu and the dialog that choose it."""

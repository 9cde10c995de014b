"""What features share: bars, menus, docks and the lines that tell."""

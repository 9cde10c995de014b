"""What features share: bars, menus, docks and messages."""

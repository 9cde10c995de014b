"""The parts of a window that features share: bars, menus, docks and messages."""

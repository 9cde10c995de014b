"""Work that takes long: in threads, or a little at each turn."""

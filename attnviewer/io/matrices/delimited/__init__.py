"""Tables as text, read a block of rows at a time."""

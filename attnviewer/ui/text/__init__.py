"""How numbers, tokens and the program's own words are written."""

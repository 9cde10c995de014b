"""Lists of rows that views share: of text, of links, of changes."""

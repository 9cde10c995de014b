"""Tables that are edited like a spreadsheet, whatever their cells hold."""

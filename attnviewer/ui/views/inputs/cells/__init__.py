"""Tables that are typed into as into a spreadsheet, whatever their cells hold."""

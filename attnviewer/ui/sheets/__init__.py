"""Sheets of exercises as PDF, to be printed and written on."""

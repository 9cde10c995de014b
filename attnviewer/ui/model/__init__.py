"""Bars, commands and dialogs for real models."""

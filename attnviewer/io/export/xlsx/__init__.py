"""Computations as workbooks for spreadsheets."""

from attnviewer.io.export.xlsx.book import xlsx

__all__ = ["xlsx"]

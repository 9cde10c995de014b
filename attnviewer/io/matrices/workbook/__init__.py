"""Workbooks, read without running anything in them."""

"""Widgets and helpers of Qt's that views share; they know no view."""

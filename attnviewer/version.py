"""The version, for all who state it."""

__version__ = "0.1.0"

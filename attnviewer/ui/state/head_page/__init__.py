"""The page of the chosen head of the open model."""

from attnviewer.ui.state.head_page.page import HeadPage

__all__ = ["HeadPage"]

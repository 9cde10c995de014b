"""Figures need fonts, and so an application, but no window."""

import pytest


@pytest.fixture(autouse=True)
def _fonts(qapp):
    return qapp

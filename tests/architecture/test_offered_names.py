"""What packages offer to ``from package import *`` is there."""

import pkgutil
from importlib import import_module

import attnviewer

PACKAGES = ["attnviewer"] + [
    found.name
    for found in pkgutil.walk_packages(attnviewer.__path__, "attnviewer.")
    if found.ispkg
]


def test_every_name_that_a_package_offers_is_there() -> None:
    missing = {
        name: [n for n in getattr(module, "__all__", ()) if not hasattr(module, n)]
        for name in PACKAGES
        for module in [import_module(name)]
    }
    assert {name: names for name, names in missing.items() if names} == {}

"""What packages offer to ``from package import *`` is there."""

import pkgutil
from importlib import import_module

import attnviewer


def test_every_name_that_a_package_offers_is_there() -> None:
    found = pkgutil.walk_packages(attnviewer.__path__, "attnviewer.")
    packages = ["attnviewer", *(each.name for each in found if each.ispkg)]
    missing = {
        name: [n for n in getattr(module, "__all__", ()) if not hasattr(module, n)]
        for name in packages
        for module in [import_module(name)]
    }
    assert {name: names for name, names in missing.items() if names} == {}

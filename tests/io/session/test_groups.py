"""Groups of tokens in session files."""

import zipfile

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.document.token_groups import TokenGroup
from attnviewer.io import FileError
from attnviewer.io.session import read_session, save_session


def test_groups_are_saved_and_left_out_where_there_are_none(tmp_path):
    matrices = {"X": np.eye(3), "context": np.eye(2, 3)}
    path = tmp_path / "groups.attn"
    document = Document(
        "",
        ["a", "b", "c"],
        matrices,
        Spec(projected=False, context=True),
        context_tokens=["x", "y"],
        groups=[TokenGroup("ab", 0, 2)],
        context_groups=[TokenGroup("xy", 0, 2)],
    )
    save_session(document, path)
    read = read_session(path)
    assert read.groups == document.groups
    assert read.context_groups == document.context_groups
    forged = tmp_path / "forged.attn"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(forged, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'"ab"', b'""'))
    with pytest.raises(FileError, match="names of 1 to 200"):
        read_session(forged)
    save_session(Document("", ["a"], {"X": np.eye(1)}, Spec(projected=False)), path)
    with zipfile.ZipFile(path) as archive:
        assert b"groups" not in archive.read("session.json")

"""What is seen of a derivation's tree."""

from PySide6.QtCore import QModelIndex

from attnviewer.ui.views.explain.tree import DerivationTree


def rows_of(tree: DerivationTree) -> list[str]:
    """Return the rows that are seen, further in where they lie below others."""

    def below(parent: QModelIndex, indent: str) -> list[str]:
        found = []
        for row in range(tree.model().rowCount(parent)):
            index = tree.model().index(row, 0, parent)
            found.append(indent + index.data())
            if tree.isExpanded(index):
                found += below(index, f"{indent}  ")
        return found

    return below(QModelIndex(), "") if tree.isVisible() else []

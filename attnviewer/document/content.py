"""The content of a document, which is consistent after every edit."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from attnviewer.compute import Array, Pin, Spec, check_inputs, check_size, misfits
from attnviewer.document.drawing.recipe import Recipe, still_drawn
from attnviewer.document.edits import EditError, PastVariant, Replace
from attnviewer.document.matrices import BIAS, MASK, check_whole, own_copy
from attnviewer.document.rows import EMBEDDED, GIVEN, SCORED, Rows, rows_of
from attnviewer.document.token_grid import TokenGrid
from attnviewer.document.token_groups import TokenGroup, check_groups, clipped
from attnviewer.document.training_record import TrainingRecord

GROUPS = "groups", "context_groups"
_NAMED = (
    "tokens",
    "context_tokens",
    "spec",
    "recipes",
    "past_variants",
    "title",
    "notes",
    "training",
    "grid",
    *GROUPS,
)


class Content(NamedTuple):
    """All of a document that edits can change."""

    tokens: tuple[str, ...]
    context_tokens: tuple[str, ...]
    matrices: dict[str, Array]
    spec: Spec
    recipes: tuple[Recipe, ...]
    past_variants: tuple[PastVariant, ...]
    title: str
    notes: str
    training: tuple[TrainingRecord, ...]
    grid: tuple[TokenGrid, ...]
    groups: tuple[TokenGroup, ...] = ()
    context_groups: tuple[TokenGroup, ...] = ()

    def replaced(self, edit: Replace) -> "Content":
        """Return the content after an edit."""
        new = {n: own_copy(n, a) for n, a in edit.matrices.items() if a is not None}
        gone = edit.matrices.keys() - new.keys()
        kept = {n: a for n, a in self.matrices.items() if n not in gone}
        named = {name: getattr(edit, name) for name in _NAMED}
        given = {name: part for name, part in named.items() if part is not None}
        for name in {"tokens", "context_tokens", "recipes", *GROUPS} & set(given):
            given[name] = tuple(given[name])  # the caller could still change a list
        spec = given.get("spec", self.spec)
        if spec.pins:
            fitting = _fitting_pins(spec, kept | new)
            if fitting != spec.pins:
                given["spec"] = replace(spec, pins=fitting)
        if edit.recipes is None:
            edited = {name: new.get(name) for name in edit.matrices}
            given["recipes"] = still_drawn(self.recipes, self.matrices, edited)
        if "grid" not in given and "tokens" in given:
            count = len(given["tokens"])
            given["grid"] = tuple(g for g in self.grid if g.n_tokens == count)
        after = self._replace(matrices=kept | new, **given)
        return after._replace(
            groups=given.get("groups", clipped(self.groups, len(after.tokens))),
            context_groups=given.get(
                "context_groups",
                clipped(self.context_groups, len(after.context_tokens)),
            ),
        )

    def inverse(self, edit: Replace) -> Replace:
        """Return the inverse of an edit."""
        old = {n: getattr(self, n) for n in _NAMED if getattr(edit, n) is not None}
        # Always restored: an edit without recipes drops those that no longer hold.
        old["recipes"] = self.recipes
        if self.spec.pins:
            old["spec"] = self.spec
        if edit.tokens is not None:
            old["grid"] = self.grid
        old |= {name: getattr(self, name) for name in GROUPS if getattr(self, name)}
        matrices = {name: self.matrices.get(name) for name in edit.matrices}
        return Replace(edit.label, matrices=matrices, **old)

    def check(self, new: Collection[str]) -> None:
        """Raise `EditError` unless the parts fit each other.

        Parameters
        ----------
        new : collection of str
            The matrices whose values are checked as well.
        """
        tokens, context_tokens, matrices, spec, *_ = self
        for grid in self.grid:
            if grid.n_tokens != len(tokens):
                raise EditError(
                    f"The token grid must have as many tokens as there are, "
                    f"{len(tokens)}. Got {grid.rows} × {grid.columns} after "
                    f"{grid.n_special} instead, {grid.n_tokens} in all."
                )
        rows = rows_of(spec, matrices)
        _check_sources(spec, rows, matrices)
        try:
            for name in set(new) & set(matrices):
                check_whole(name, matrices[name])
            check_inputs(spec, matrices, numbers=False)
            check_size(spec, matrices)
            check_groups("groups", self.groups, len(tokens))
            check_groups("context_groups", self.context_groups, len(context_tokens))
        except ValueError as error:
            raise EditError(str(error)) from error
        _check_tokens("tokens", tokens, matrices, rows.tokens)
        _check_tokens("context_tokens", context_tokens, matrices, rows.context_tokens)
        scores = len(tokens), len(context_tokens if spec.context else tokens)
        for name in {BIAS, MASK} & set(spec.input_names):
            if matrices[name].shape != scores:
                raise EditError(
                    f"The '{name}' matrix must have a row for each query and a column "
                    f"for each key, {scores}. Got {matrices[name].shape} instead."
                )


def _fitting_pins(spec: Spec, matrices: Mapping[str, Array]) -> tuple[Pin, ...]:
    """Return the pins of a spec that fit its steps, where its matrices do."""
    shapes = {name: matrix.shape for name, matrix in matrices.items()}
    try:
        check_inputs(replace(spec, pins=()), matrices, numbers=False)
    except ValueError:
        return spec.pins  # which `check` refuses with the reason
    dropped = [pin for pin, _ in misfits(spec, shapes)]
    return tuple(pin for pin in spec.pins if pin not in dropped)


def _check_sources(spec: Spec, rows: Rows, matrices: Collection[str]) -> None:
    """Check that a document may hold the sources of queries, keys and values."""
    known = (*GIVEN, *SCORED) if spec.given else EMBEDDED
    if not set(spec.sources) <= set(known):
        raise EditError(
            "The 'spec' must take queries, keys and values from 'X' or 'context'. "
            f"Got {', '.join(spec.sources)} instead."
        )
    if spec.given and spec.has_head_axis and not spec.heads_joined:
        raise EditError(
            "The 'spec' must have 'heads_joined' where several heads of queries, keys "
            f"and values are given. Got {spec.n_heads} heads without it instead."
        )
    # They would not follow when tokens are added or removed.
    others = {*EMBEDDED, *GIVEN, *SCORED} - {*rows.tokens, *rows.context_tokens}
    for name in sorted(others & set(matrices)):
        where = "are given" if spec.given else "come from 'X'"
        raise EditError(
            f"The matrices must be without '{name}' where queries, keys and values "
            f"{where}. Got {', '.join(matrices)} instead."
        )


def _check_tokens(
    name: str,
    tokens: tuple[str, ...],
    matrices: Mapping[str, Array],
    of: Sequence[str],
) -> None:
    if tokens and not of:
        raise EditError(
            f"The '{name}' must be none without a second sequence. "
            f"Got {len(tokens)} instead."
        )
    for matrix in of:
        rows = len(matrices[matrix])
        if len(tokens) != rows:
            raise EditError(
                f"The '{name}' must be as many as the rows of '{matrix}', {rows}. "
                f"Got {len(tokens)} instead."
            )

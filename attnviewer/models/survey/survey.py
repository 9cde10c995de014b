"""Statistics of every head of a model over many texts."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

from attnviewer.compute.arguments import check_name, whole_number
from attnviewer.compute.signatures import short_signature
from attnviewer.models.detectors.readings import ModelReading, RunReading
from attnviewer.models.detectors.table import DETECTORS
from attnviewer.models.head_row import HeadRow
from attnviewer.models.model import Model
from attnviewer.models.parts import check_one_stack
from attnviewer.models.survey.cluster import Cluster
from attnviewer.models.survey.collected import NO_TEXT, Collected
from attnviewer.models.survey.formats import check_format
from attnviewer.models.survey.journal import SUFFIX, Journal
from attnviewer.models.survey.progress import Counting, Progress
from attnviewer.models.survey.result import Survey
from attnviewer.models.survey.scoring import Scores, Scoring, most_tokens_of
from attnviewer.models.survey.texts import Batch, batches, count_texts
from attnviewer.models.survey.workers import Workers, computed

METRICS = HeadRow._fields[2:]
"""The metrics of a survey by default."""


@short_signature
def survey(
    model: Model,
    texts: str | Path | Iterable[str],
    metrics: Iterable[str] | None = None,
    *,
    to: str | Path | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    most_tokens: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Survey:
    """Return statistics of every head of a model over many texts.

    Texts are read as they are needed, and computed in batches of 16 that depend on
    nothing but their order: the result is the same bit for bit whatever computes them,
    on processors of one kind.

    Parameters
    ----------
    model : Model
        The model.
    texts : str, Path or iterable of str
        A file in UTF-8 with a text in each line, or the texts. Empty ones are left out.
        For a model without a tokenizer, ids: ``"5 7 9"``.
    metrics : iterable of str, optional
        Names of `DETECTORS`; by default the columns that `head_table` always has.
    to : str or Path, optional
        The file that the result is written to, see `Survey.save`. What is finished is
        kept in a file beside it that ends in ``.part``: after an interruption, also a
        violent one, the same call goes on from there.
    workers : int
        How many processes compute; 1 is this one alone, on one processor.
    scheduler : str, optional
        The address of a scheduler of ``dask.distributed``, whose workers compute
        instead. The model must be there under the same path.
    most_tokens : int, optional
        Longer texts are cut to so many tokens, special ones at the end kept. At most,
        and by default, as many as the model has positions; 2048 where these are
        computed.
    progress : callable, optional
        Called with a `Progress` after each batch; may raise to stop the survey.

    Returns
    -------
    Survey

    Raises
    ------
    ValueError
        If a metric is unknown or one that the model cannot have, a number is too small,
        there is no text, or the model cannot run over one.
    ImportError
        If a library for the file or the scheduler is not installed.
    FileError
        If a file cannot be read or written, or belongs to another survey.
    WorkersError
        If the scheduler cannot be reached, or workers end again and again.

    Notes
    -----
    With several workers, call it below ``if __name__ == "__main__":`` in a script.

    References
    ----------
    Means and deviations of batches are combined as in Chan, Golub and LeVeque 1983,
    "Algorithms for Computing the Sample Variance".

    Examples
    --------
    >>> from attnviewer import models
    >>> model = models.load("all-MiniLM-L6-v2")  # doctest: +SKIP
    >>> found = models.survey(model, "texts.txt", to="heads.npz")  # doctest: +SKIP
    >>> found.grid("entropy"), found.examples("entropy", 3, 1)  # doctest: +SKIP
    """
    check_one_stack(model.architecture, "model of a survey")
    workers = whole_number("workers", workers, 1)
    if most_tokens is not None:
        most_tokens = whole_number("most_tokens", most_tokens, 1)
    names = _checked_metrics(model, metrics)
    if to is not None:
        check_format(to)
    limit = most_tokens_of(model, most_tokens)
    scoring = Scoring(model.source, model.fingerprint, names, limit)
    total = count_texts(texts)
    if total == 0:
        raise ValueError(NO_TEXT)
    counting, collected = Counting(total, progress), Collected()
    with ExitStack() as stack:
        journal: Journal | None = None
        pool: Workers | None = None
        if scheduler is not None:
            pool = stack.enter_context(Cluster(scheduler))
        elif workers > 1:
            # Loaded late: most who open a model start no processes.
            from attnviewer.models.survey.processes import Processes

            pool = stack.enter_context(Processes(workers))
        if to is not None:
            journal = stack.enter_context(_journal(Path(to), model, scoring))
        todo = _todo(batches(texts), journal, collected, counting)
        for batch, scores in _computed(pool, scoring, model, todo):
            if journal is not None:
                journal.add(batch, scores)
            collected.add(batch, scores)
            counting.tell(len(batch.texts), computed=True)
        result = collected.survey(model, names)
        if to is not None and journal is not None:
            result.save(to)
            journal.remove()
    return result


def _checked_metrics(model: Model, metrics: Iterable[str] | None) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(METRICS if metrics is None else metrics))
    if not names:
        raise ValueError("The 'metrics' must be at least one. Got none instead.")
    any_run = RunReading(model.run([0]), ModelReading(model))
    for name in names:
        check_name("metric", name, DETECTORS)
        detector = DETECTORS[name]
        if not detector.by_text and (reason := detector.lacks(any_run)):
            raise ValueError(
                f"The 'metric' must be one that {model.name} can have over texts "
                f"alone. Got '{name}' instead, which needs {detector.needs}: {reason}"
            )
    return names


def _journal(to: Path, model: Model, scoring: Scoring) -> Journal:
    settings = {
        "model": model.name,
        "fingerprint": scoring.fingerprint,
        "metrics": list(scoring.metrics),
        "most_tokens": scoring.most_tokens,
    }
    shape = len(scoring.metrics), model.n_layers, model.n_heads
    return Journal(to.with_name(to.name + SUFFIX), settings, shape)


def _computed(
    workers: Workers | None, scoring: Scoring, model: Model, todo: Iterator[Batch]
) -> Iterator[tuple[Batch, Scores]]:
    """Yield batches with their scores, computed by workers or else here."""
    if workers is not None:
        yield from computed(workers, scoring, todo)
        return
    reading = ModelReading(model)
    for batch in todo:
        yield batch, scoring.of(reading, batch)


def _todo(
    found: Iterator[Batch],
    journal: Journal | None,
    collected: Collected,
    counting: Counting,
) -> Iterator[Batch]:
    """Yield the batches that are not finished; collect those that are."""
    for batch in found:
        scores = None if journal is None else journal.find(batch)
        if scores is None:
            yield batch
        else:
            collected.add(batch, scores)
            counting.tell(len(batch.texts), computed=False)

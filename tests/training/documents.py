"""The runs of `cases` as documents and tasks of attnviewer."""

from attnviewer import tasks
from attnviewer.compute import Alibi, Learned, Rotary, Sinusoidal, Spec
from attnviewer.document import Document
from attnviewer.training import Task, Training, train
from tests.training.cases import CONTEXT, STEPS, TOKENS, Case

_POSITIONS = {
    "sinusoidal": Sinusoidal(),
    "learned": Learned(),
    "rotary": Rotary(),
    "alibi": Alibi(),
}


def document_of(case: Case) -> Document:
    fields = dict(case.spec)
    if "positions" in fields:
        fields["positions"] = _POSITIONS[fields["positions"]]
    others = CONTEXT if fields.get("context") else ()
    return Document(
        case.name, TOKENS, case.matrices(), Spec(**fields), context_tokens=others
    )


def task_of(case: Case) -> Task:
    target = case.target()
    if case.task == "next_token":
        return tasks.next_token(target)
    if case.task.startswith("output"):
        loss = "cross_entropy" if case.task == "output_logits" else "mse"
        return tasks.match("output", target, loss)
    if case.task.startswith("weights"):
        loss = "cross_entropy" if case.task == "weights_logs" else "mse"
        return tasks.match("weights", target, loss)
    return getattr(tasks, case.task)(case.loss)


def training_of(case: Case, steps: int = STEPS) -> Training:
    optimizer, rate, options = case.optimizer
    return train(
        document_of(case),
        task_of(case),
        free=case.free,
        optimizer=optimizer,
        lr=rate,
        steps=steps,
        seed=case.seed,
        batch=case.batch,
        **options,
    )

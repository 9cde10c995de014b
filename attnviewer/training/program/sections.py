"""A training run as the parts of a program."""

import math
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.program.dialect import NUMPY, Dialect
from attnviewer.io.export.program.literals import array_code
from attnviewer.io.export.program.own_functions import called, imports
from attnviewer.io.export.program.program import Program, build_program
from attnviewer.io.export.statement import statement_lines
from attnviewer.training.optimizers import OPTIMIZERS
from attnviewer.training.plan import Plan
from attnviewer.training.program.learning_code import loss_code, target_code
from attnviewer.training.program.optimizer_code import (
    numpy_rate,
    numpy_update,
    torch_optimizer,
    torch_step,
)
from attnviewer.training.program.tape import TAPE, THRESHOLD
from attnviewer.training.tasks import READOUT

TOLERANCE, LEAST = 1e-9, 1e-3
"""The relative tolerance of a loss, and the share of it that applies to the first loss:
a loss near 0 is a small difference of larger numbers."""
_MARGIN, _MOST = 100, 1e6
"""How many times further than a run from other last digits a loss may be off, and how
many times the tolerance at most."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a program: what it does, and its code."""

    title: str
    code: str


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A training run to be written as a program.

    Parameters
    ----------
    plan : Plan
        The run.
    losses : list of float
        The loss before each step that was taken.
    dialect : Dialect
        The library.
    """

    plan: Plan
    losses: list[float]
    dialect: Dialect

    @property
    def computation(self) -> Computation:
        """The document before the first step."""
        return Computation.of(self.plan.document)

    @property
    def statement(self) -> list[str]:
        """The title of the document, then its choices and those of the run."""
        plan = self.plan
        options = {"lr": plan.lr, **plan.options}
        written = ", ".join(f"{name} {value:g}" for name, value in options.items())
        tokens = "the document's own tokens"
        if plan.sequences.batch is not None:
            tokens = f"{plan.sequences.batch} random sequences each step"
        return [
            *statement_lines(self.computation),
            f"task: {plan.task.title}",
            f"trained: {', '.join(plan.loss_of.trained)}",
            f"optimizer: {OPTIMIZERS[plan.optimizer].title}, {written}",
            f"steps: {len(self.losses)}, of {tokens}, seed {plan.sequences.seed}",
        ]

    def sections(self) -> list[Section]:
        """Return the parts in order; the first imports what the others need."""
        program = build_program(
            self.computation, Choice(steps=(self.plan.goal.step,)), self.dialect
        )
        parts = list(self._parts(program))
        text = "\n".join(part.code for part in parts)
        named = [name for name in called(text) if not name.startswith("check")]
        functions = [self.dialect.function(name) for name in named]
        if self.dialect is NUMPY:
            functions += [TAPE, *([THRESHOLD] if "threshold" in named else [])]
        functions += target_code(self.plan)
        standard = imports("\n".join([text, *functions]))
        setup = self.dialect.setup
        if self.dialect is not NUMPY and self.plan.sequences.batch is not None:
            setup = setup.replace("import torch", "import numpy as np\nimport torch", 1)
        blank = [""] if standard else []
        needed = "\n".join([*standard, *blank, setup])
        code = "\n\n\n".join([needed, *(f.strip() for f in functions)])
        return [Section("What the others need", code), *parts]

    def _parts(self, program: Program) -> Iterator[Section]:
        given = [part.code for part in program.inputs]
        start = self.plan.start
        if READOUT in start:
            given.append(f"readout = {self._literal(start[READOUT])}")
        yield Section("What is given, before the first step", "\n".join(given))
        wanted = self._wanted()
        if wanted:
            yield Section("What is asked for", wanted)
        yield Section("The loss", self._loss_function(program))
        learn = self._numpy_steps if self.dialect is NUMPY else self._torch_steps
        yield Section("The steps", learn())
        yield Section("The same losses as in attnviewer", self._check())

    def _literal(self, array: Array) -> str:
        return array_code(array, self.dialect.arrays)

    def _wanted(self) -> str:
        """Return the target, or what it is made of for random sequences."""
        plan = self.plan
        lines = []
        if plan.goal.by_tokens and plan.sequences.batch is not None:
            if plan.goal.by_tokens != "next_token":
                # Targets are made with NumPy in every dialect.
                seen = plan.setting.visible.astype(int).tolist()
                lines.append(f"visible = np.array({seen}, dtype=bool)")
        else:
            target = plan.goal.target(plan.sequences.own)
            lines.append(f"target = {self._literal(target)}")
        for name, rows in plan.sequences.drawn.items():
            lines.append(f"rows_of_{name} = {rows.tolist()}")
        return "\n".join(lines)

    @property
    def _changing(self) -> list[str]:
        """The arguments of the loss."""
        plan = self.plan
        drawn = [n for n in plan.sequences.drawn if n not in plan.loss_of.trained]
        own = plan.goal.by_tokens and plan.sequences.batch is not None
        return [*plan.loss_of.trained, *drawn, *(["target"] if own else [])]

    def _loss_function(self, program: Program) -> str:
        lines = [part.code for part in program.steps]
        lines += loss_code(self.plan, self.dialect.arrays)
        body = textwrap.indent("\n".join(lines), "    ")
        return (
            f"def loss_of({', '.join(self._changing)}):\n"
            f'    """Return how far a sequence is from its target: '
            f'{self.plan.task.title}."""\n{body}\n    return loss'
        )

    def _loss_of_step(self, tracked: str) -> list[str]:
        """Return the lines that compute the ``loss`` of a step.

        Parameters
        ----------
        tracked : str
            How a matrix that is trained is written, with its name in braces.
        """
        plan = self.plan
        sequences = plan.sequences
        values = {name: tracked.format(name) for name in plan.loss_of.trained}
        if sequences.batch is None:
            return [f"loss = loss_of({', '.join(values.values())})"]
        n_queries, n_keys = plan.setting.visible.shape
        lines = [
            f"rng = np.random.default_rng([{sequences.seed}, step])",
            f"drawn = rng.integers({len(sequences.vocabulary)}, "
            f"size=({sequences.batch}, {n_queries}))",
        ]
        pairs = "zip(drawn, drawn)"
        if plan.document.spec.context:
            known = np.unique(sequences.own.keys)
            lines += [
                f"known = np.array({known.tolist()})",
                f"places = rng.integers({known.size}, "
                f"size=({sequences.batch}, {n_keys}))",
            ]
            pairs = "zip(drawn, known[places])"
        for name in sequences.drawn:
            of = "keys" if name == "context" else "queries"
            rows = f"[rows_of_{name}[k] for k in {of}]"
            values[name] = f"{values.get(name, name)}[{rows}]"
        if "target" in self._changing:
            made = "target_of(queries, keys)"
            values["target"] = (
                made if self.dialect is NUMPY else f"torch.tensor({made})"
            )
        arguments = "".join(f"        {values[name]},\n" for name in self._changing)
        return [
            *lines,
            "parts = [",
            f"    loss_of(\n{arguments}    )",
            f"    for queries, keys in {pairs}",
            "]",
            f"loss = sum(parts) / {sequences.batch}",
        ]

    def _numpy_steps(self) -> str:
        names = self.plan.loss_of.trained
        matrices = ", ".join(f'"{name}": {name}.copy()' for name in names)
        loss = textwrap.indent("\n".join(self._loss_of_step('tracked["{}"]')), "    ")
        return (
            f"free = {{{matrices}}}\n"
            "kept = {name: [np.zeros_like(a), np.zeros_like(a)] "
            "for name, a in free.items()}\n"
            f"losses = []\nfor step in range(1, {len(self.losses)} + 1):\n"
            "    tracked = {name: Tracked(array) for name, array in free.items()}\n"
            f"{loss}\n"
            "    loss.backward()\n    losses.append(float(loss.value))\n"
            f"{numpy_rate(self.plan)}"
            "    for name, array in free.items():\n"
            f"{numpy_update(self.plan)}"
        )

    def _torch_steps(self) -> str:
        names = ", ".join(self.plan.loss_of.trained)
        loss = textwrap.indent("\n".join(self._loss_of_step("{}")), "    ")
        return (
            f"free = [{names}]\nfor matrix in free:\n    matrix.requires_grad_()\n"
            f"{torch_optimizer(self.plan)}\n"
            f"losses = []\nfor step in range(1, {len(self.losses)} + 1):\n"
            f"    optimizer.zero_grad()\n{loss}\n"
            "    loss.backward()\n"
            f"{torch_step(self.plan)}"
            "    losses.append(loss.item())"
        )

    def _check(self) -> str:
        expected, tolerance = self._literal(np.array(self.losses)), self._tolerance()
        check = "np.testing.assert_allclose(losses, "
        if self.dialect is not NUMPY:
            check = "torch.testing.assert_close(torch.tensor(losses), "
        return (
            f"expected = {expected}\n"
            f"least = {LEAST * tolerance!r} * float(expected[0])\n"
            f"{check}expected, rtol={tolerance!r}, atol=least)\n"
            'print(f"loss: {losses[0]:.6g} at first, {losses[-1]:.6g} at last")'
        )

    def _tolerance(self) -> float:
        """Return the tolerance of the losses of a run that amplifies rounding errors.

        Measured by a run from numbers that differ by about their last digit.
        """
        learner = self.plan.new_learner()
        numbers = learner.parameters.vector
        signs = np.random.default_rng(0).choice([-1, 1], numbers.size)
        numbers *= 1 + signs * np.finfo(float).eps
        learner.go_to(learner.state())
        moved = 0.0
        for loss in self.losses:
            size = abs(loss) + LEAST * abs(self.losses[0])
            moved = max(moved, abs(learner.loss - loss) / size)
            learner.advance()
        factor = min(max(1.0, _MARGIN * moved / TOLERANCE), _MOST)
        return float(10.0 ** math.ceil(math.log10(TOLERANCE * factor)))

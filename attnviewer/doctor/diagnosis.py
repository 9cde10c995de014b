"""The result of a diagnosis."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Mistake, Remedy
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.doctor.case import Case


@dataclass(frozen=True, eq=False)
class Finding:
    """A mistake that explains a step.

    Parameters
    ----------
    id : str
        Its stable id, such as ``scale-missing`` or ``weight-transposed:W_Q``.
    ids : tuple of str
        All ids that give the same numbers here, `id` first.
    title : str
        The mistake in a few words.
    step : str
        The first of the given steps that it changes.
    parameter : float or None
        A number that belongs to it, such as the base of a rotation.
    evidence : float
        The largest difference that is left once it is made, in units of rounding; at
        most 1.
    explanation : str
        What happens, in one or two sentences.
    torch, numpy : Remedy or None
        The line of code that usually makes it, and its correction.
    source : str
        The paper or library that says what is right.
    convention : bool
        Whether both ways are right, in different libraries.
    mistake : Mistake
        The entry of the catalogue.
    plan : Plan
        The computation with the mistake; it gives the implementation's numbers.
    """

    id: str
    ids: tuple[str, ...]
    title: str
    step: str
    parameter: float | None
    evidence: float
    explanation: str
    torch: Remedy | None
    numpy: Remedy | None
    source: str
    convention: bool
    mistake: Mistake
    plan: Plan

    @property
    def remedy(self) -> str:
        """The correction, in PyTorch where there is one."""
        code = self.torch or self.numpy
        return f"{code.wrong}  →  {code.right}" if code else ""


@dataclass(frozen=True, eq=False)
class Unexplained:
    """A step that differs, and that no known mistake explains.

    Parameters
    ----------
    step : str
        The step.
    where : str
        Where the difference lies, as a sentence.
    """

    step: str
    where: str


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """Whether an implementation is right, and if not, why.

    Parameters
    ----------
    agrees : bool
        Whether it is right, up to rounding and what changes nothing.
    first_different : str or None
        The first of the given steps that differs.
    findings : tuple of Finding
        The mistakes, in the order in which they are made.
    unexplained : tuple of Unexplained
        The steps that differ without a known reason.
    harmless : tuple of str
        Ids of differences that change neither weights nor output.
    unseen : tuple of str
        Ids of mistakes that these inputs could not have shown.
    precision : str
        In which the arrays were computed: ``float64``, ``float32``, ``tf32``,
        ``bfloat16`` or ``float16``.
    compared : tuple of str
        The steps that were compared.
    notes : tuple of str
        How the arrays were read, a sentence each.
    plan : Plan
        The intended computation.
    inputs, mine : mapping of str to ndarray
        What it was made from: inputs, and the implementation's steps, by the names of
        the plan.
    case : Case
        All that it was made from. A pickle holds nothing else, as findings hold
        functions: loading it repeats the diagnosis.
    """

    agrees: bool
    first_different: str | None
    findings: tuple[Finding, ...]
    unexplained: tuple[Unexplained, ...]
    harmless: tuple[str, ...]
    unseen: tuple[str, ...]
    precision: str
    compared: tuple[str, ...]
    notes: tuple[str, ...]
    plan: Plan
    inputs: Mapping[str, Numbers]
    mine: Mapping[str, Numbers]
    case: Case = field(repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        from attnviewer.doctor.diagnosing import diagnose_case

        return diagnose_case, (self.case,)

    def __str__(self) -> str:
        from attnviewer.doctor.wording import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from attnviewer.doctor.html import as_html

        return as_html(self)

    def __repr__(self) -> str:
        found = ", ".join(finding.id for finding in self.findings) or None
        return f"<Diagnosis agrees={self.agrees} findings={found}>"

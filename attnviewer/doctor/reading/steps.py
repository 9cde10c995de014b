"""An implementation's arrays as steps of a plan."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation
from attnviewer.doctor.case import Origin
from attnviewer.doctor.reading.likeness import difference, fits
from attnviewer.doctor.reading.overwritten import step_held
from attnviewer.doctor.reading.roles import COMPARISONS, StepRole, role_of
from attnviewer.doctor.reading.shared_heads import unshared
from attnviewer.doctor.reading.step_names import PREFIX, STEPS, steps_named


@dataclass(frozen=True, slots=True)
class _Reading:
    """An array as a step."""

    name: str
    role: StepRole
    array: Numbers
    words: str


class StepReader:
    """Finds out which step each array is, and in which order its axes are.

    Parameters
    ----------
    right : Evaluation
        The right numbers, which decide where names and shapes do not.
    missing : tuple of str
        Steps that cannot be compared.
    notes : list of str
        Sentences on what was recognised are appended.
    """

    def __init__(
        self, right: Evaluation, missing: tuple[str, ...], notes: list[str]
    ) -> None:
        self._right = right
        self._missing = missing
        self._notes = notes
        self._found: dict[str, _Reading] = {}
        self._doubtful: dict[str, _Reading] = {}

    @property
    def names(self) -> dict[str, str]:
        """The names of steps that the plan calls otherwise."""
        steps = {name: reading.role.step for name, reading in self._found.items()}
        return {name: step for name, step in steps.items() if name != step}

    @property
    def origins(self) -> dict[str, Origin]:
        """The array that each step was read from, and its layout."""
        found = self._found.items()
        return {step: Origin(reading.name, reading.words) for step, reading in found}

    def read(self, mine: Mapping[str, Numbers]) -> dict[str, Numbers]:
        """Return the arrays by the names of the plan, with axes in its order.

        Parameters
        ----------
        mine : mapping of str to ndarray
            The implementation's arrays.

        Raises
        ------
        ValueError
            If a name is that of no step, or a shape fits no reading.
        """
        possible = {name: self._steps(name) for name in mine}
        for name in sorted(possible, key=lambda name: _rank(possible[name])):
            self._add(name, mine[name], possible[name])
        self._settle()
        self._move_on()
        self._tell()
        order = [step for step in self._right.plan.steps if step in self._found]
        return {step: self._found[step].array for step in order}

    def _steps(self, name: str) -> tuple[str, ...]:
        bare = name.removeprefix(PREFIX)
        return (bare,) if bare in self._right.plan else steps_named(name)

    def _add(self, name: str, array: Numbers, steps: tuple[str, ...]) -> None:
        plan = self._right.plan
        found = (role_of(step, plan) for step in steps if step not in self._missing)
        roles = {role.name: role for role in found if role is not None}
        if not roles:
            self._notes.append(
                f"'{name}' is left out: the variant has no step {' or '.join(steps)} "
                "to compare it with."
            )
            return
        # Ambiguous names get the steps that no other array is.
        free = {n: role for n, role in roles.items() if n not in self._found}
        wanted = (free or roles).values()
        readings = {role.name: self._readings(name, role, array) for role in wanted}
        readings = {n: some for n, some in readings.items() if some}
        if name.removeprefix(PREFIX).lower() == "output" and array.ndim > 2:
            readings |= self._by_head(name, array)
        if not readings:
            if not self._is_mean(name, array, free):
                raise _misfit(name, array, next(iter(wanted)))
        elif free:
            self._choose(readings)
        else:
            self._add_again(readings[next(iter(readings))][0])

    def _by_head(self, name: str, array: Numbers) -> dict[str, list[_Reading]]:
        """Return an output that is that of the heads, where only joining follows."""
        plan = self._right.plan
        role = role_of("heads", plan)
        if role is None or role.name in self._found:
            return {}
        joins = plan.stages["output"].kind == "concatenation"
        readings = self._readings(name, role, array) if joins else []
        return {role.name: readings} if readings else {}

    def _add_again(self, later: _Reading) -> None:
        """Take one of two arrays that are the same step: the first that is wrong."""
        step = later.role.name
        first = self._found[step]
        if np.array_equal(first.array, later.array, equal_nan=True):
            return
        if self._fits(first):
            self._found[step] = later
            first, later = later, first
        self._notes.append(
            f"'{later.name}' is left out: '{first.name}' is the same step here."
        )

    def _readings(self, name: str, role: StepRole, array: Numbers) -> list[_Reading]:
        found = [
            _Reading(name, role, read, role.words(layout))
            for layout, read in role.readings(array)
        ]
        if not found and role.name[-1] in "KV":
            found = self._shared(name, role, array)
        if not found:
            found = [
                _Reading(name, role, read, role.words(layout))
                for layout, read in role.of_other_width(array)
            ][:1]
        return found

    def _shared(self, name: str, role: StepRole, array: Numbers) -> list[_Reading]:
        """Return keys or values that were repeated for all heads of queries."""
        n_heads = self._right.plan.spec.n_heads
        found = []
        for layout, read in role.readings(array, n_heads):
            heads, how = unshared(read, role.sizes[1])
            if heads is not None:
                words = f"{layout.text(role.rows, role.columns)}, {how}"
                found.append(_Reading(name, role, heads, words))
        return found

    def _choose(self, readings: Mapping[str, list[_Reading]]) -> None:
        """Take the reading whose numbers are right, or else the usual one."""
        every = [reading for some in readings.values() for reading in some]
        if len(every) == 1:
            self._found[every[0].role.name] = every[0]
            return
        better = next(filter(self._fits, every), None)
        if better is not None:
            step = better.role.name
        else:
            step = min(readings, key=lambda n: self._difference(readings[n][0]))
        usual = self._found[step] = readings[step][0]
        if better is not None and better is not usual:
            self._doubtful[step] = better

    def _settle(self) -> None:
        """Take unusual orders of axes where the step that follows them is right.

        With as many heads as tokens a mistake may look like another order of axes.
        """
        given = [n for n in self._right.plan.steps if n in self._found]
        rest = [name for name in given if name not in self._doubtful]
        follows = next((name for name in rest if self._follows(name)), None)
        if follows is None or self._fits(self._found[follows]):
            self._found |= self._doubtful
            return
        for step, reading in self._doubtful.items():
            self._notes.append(
                f"'{reading.name}' could be read as {reading.words}, too, with which "
                f"{step} would be right."
            )

    def _move_on(self) -> None:
        """Take arrays as the later steps that they are, where there are none yet."""
        moved = set[str]()
        for step, reading in list(self._found.items()):
            later = step_held(step, reading.array, self._right)
            if later is not None and self._moved(step, later):
                moved.add(later)
        for side, other in ("QK", "KQ"):  # both are overwritten together
            role = role_of(side, self._right.plan)
            own = self._found.get(role.name) if role else None
            if f"{other}_rotated" in moved and own and not self._fits(own):
                self._moved(own.role.name, f"{side}_rotated")

    def _moved(self, step: str, later: str) -> bool:
        """Take the array of a step as a later one; return whether it could be."""
        reading, role = self._found[step], role_of(later, self._right.plan)
        if role is None or role.name in self._doubtful:
            return False
        other = self._found.get(role.name)
        if other is None:
            self._found[role.name] = replace(reading, role=role)
        elif self._fits(other):
            self._notes.append(
                f"'{reading.name}' is left out: '{other.name}' is the same step here."
            )
        else:
            return False
        del self._found[step]
        return True

    def _follows(self, name: str) -> bool:
        """Return whether a step is computed from one whose reading is in doubt."""
        plan = self._right.plan
        return name in self._doubtful or (
            name in plan and any(map(self._follows, plan[name].inputs))
        )

    def _tell(self) -> None:
        for reading in self._found.values():
            step = reading.role.step
            other = reading.name.removeprefix(PREFIX).lower() != step.lower()
            called = f" as {step}" * other
            words = f" with the axes {reading.words}" if reading.words else ""
            if called or words:
                self._notes.append(f"'{reading.name}' is read{called}{words}.")

    def _is_mean(
        self, name: str, array: Numbers, roles: Mapping[str, StepRole]
    ) -> bool:
        """Return whether an array is a mean over heads; if so, add a note."""
        for role in roles.values():
            if role.name not in COMPARISONS or role.sizes[1] == 1:
                continue
            if any(True for _ in role.readings(array, 1)):
                self._notes.append(
                    f"'{name}' is left out: it has no axis for the heads. PyTorch's "
                    "nn.MultiheadAttention returns the weights of each head with "
                    "average_attn_weights=False."
                )
                return True
        return False

    def _fits(self, reading: _Reading) -> bool:
        return fits(reading.array, self._right[reading.role.name])

    def _difference(self, reading: _Reading) -> float:
        return difference(reading.array, self._right[reading.role.name])


def _rank(steps: tuple[str, ...]) -> tuple[int, int]:
    """Return the place of an array in the order in which they are read."""
    return len(steps), STEPS.index(steps[0]) if steps[0] in STEPS else len(STEPS)


def _misfit(name: str, array: Numbers, role: StepRole) -> ValueError:
    batch, n_heads, rows, _ = role.sizes
    shown = (batch, *role.shape) if batch == 1 else role.shape
    expected = f"{role.shape}" + (f" or {shown}" if batch == 1 else "")
    hint = ""
    if rows not in array.shape:
        hint = f" It seems to be of another run: there are {rows} {role.rows} here."
    elif n_heads > 1 or (array.ndim > 2 and n_heads not in array.shape):
        hint = f" The number of heads, n_heads, is {n_heads}."
    return ValueError(
        f"The '{name}' must have the shape {expected}, or one with its axes in another "
        f"order. Got {array.shape} instead.{hint}"
    )

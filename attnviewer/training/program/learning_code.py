"""Code of what is learned: targets of random sequences, and losses."""

import math

from attnviewer.compute.notation import Library
from attnviewer.training.losses import cross_entropy, mean_squared_error
from attnviewer.training.plan import Plan

_SHARES_OF_ONE = '''
def shares(wanted):
    """Return equal shares in each row; a query that wants no key gets itself."""
    alone = ~wanted.any(axis=-1, keepdims=True)
    wanted = wanted | (alone & np.eye(len(wanted), dtype=bool))
    return wanted / wanted.sum(axis=-1, keepdims=True)
'''
_SHARES_OF_TWO = '''
def shares(wanted):
    """Return equal shares in each row; nothing where a query wants no key."""
    return wanted / np.maximum(wanted.sum(axis=-1, keepdims=True), 1)
'''
_TARGETS = {
    "same_token": '''
def target_of(queries, keys):
    """Return equal shares at the other visible occurrences of each query's token."""
    wanted = (queries[:, None] == keys) & visible{others}
    return {padded}
''',
    "repeated": '''
def target_of(queries, keys):
    """Return equal shares at the visible occurrences of tokens that occur again."""
    again = (keys[:, None] == keys).sum(axis=-1) > 1
    wanted = again & visible
    return {padded}
''',
    "next_token": '''
def target_of(queries, keys):
    """Return a 1 for the token that follows each but the last."""
    return np.eye({count})[queries[1:]]
''',
}


def target_code(plan: Plan) -> list[str]:
    """Return the functions that make the target of a sequence; none if it is fixed."""
    name = plan.goal.by_tokens
    if not name or plan.sequences.batch is None:
        return []
    n_keys = len(plan.document.labels.keys)
    columns = plan.setting.shapes[plan.setting.weights][-1]
    padded, others = "shares(wanted)", " & ~np.eye(len(keys), dtype=bool)"
    if columns > n_keys:
        padded = f"np.pad({padded}, ((0, 0), (0, {columns - n_keys})))"
    code = _TARGETS[name].format(
        others="" if plan.document.spec.context else others,
        padded=padded,
        count=len(plan.sequences.vocabulary),
    )
    if name == "next_token":
        return [code]
    return [_SHARES_OF_TWO if plan.document.spec.context else _SHARES_OF_ONE, code]


def loss_code(plan: Plan, library: Library) -> list[str]:
    """Return the lines that compute ``loss`` from the compared step and ``target``."""
    goal = plan.goal
    if goal.loss is mean_squared_error:
        return [f"loss = (({goal.step} - target) ** 2).mean()"]
    n_rows = math.prod(plan.setting.shapes[goal.step][:-1])
    if goal.loss is cross_entropy:
        seen = library.call("where", "target > 0", goal.step, 1.0)
        logs = library.call("log", "seen")
        return [f"seen = {seen}", f"loss = -(target * {logs}).sum() / {n_rows}"]
    lines = [f"logits = {goal.step}"]
    if goal.readout is not None:
        lines = ["logits = output[:-1] @ readout"]
        n_rows -= 1
    powers = f"{library.call('exp', 'logits')}.{library.row_sum}"
    return [
        *lines,
        f"logits = logits - logits.{library.row_maximum}",
        f"logs = logits - {library.call('log', powers)}",
        f"loss = -(target * logs).sum() / {n_rows}",
    ]

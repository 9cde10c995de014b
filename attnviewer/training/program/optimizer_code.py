"""Code of the optimisers: NumPy's own lines, or a class of torch.optim."""

from attnviewer.training.plan import Plan

_NUMPY = {
    "sgd": """
        array -= {rate} * gradient
""",
    "momentum": """
        velocity = kept[name][0]
        velocity *= {momentum!r}
        velocity += gradient
        array -= {rate} * velocity
""",
    "adam": """
        mean, square = kept[name]
        mean += (1 - {beta1!r}) * (gradient - mean)
        square *= {beta2!r}
        square += (1 - {beta2!r}) * gradient**2
        root = np.sqrt(square) / math.sqrt(1 - {beta2!r}**step)
        array -= {rate} / (1 - {beta1!r}**step) * mean / (root + {eps!r})
""",
}
_NUMPY["adamw"] = "\n        array *= 1 - {rate} * {weight_decay!r}" + _NUMPY["adam"]
_TORCH = {
    "sgd": "SGD(free, lr={lr!r}, weight_decay={weight_decay!r})",
    "momentum": (
        "SGD(\n    free, lr={lr!r}, momentum={momentum!r}, "
        "weight_decay={weight_decay!r}\n)"
    ),
    "adam": (
        "Adam(\n    free,\n    lr={lr!r},\n    betas=({beta1!r}, {beta2!r}),\n"
        "    eps={eps!r},\n    weight_decay={weight_decay!r},\n)"
    ),
}
_TORCH["adamw"] = _TORCH["adam"].replace("Adam(", "AdamW(")


def numpy_update(plan: Plan) -> str:
    """Return the lines that change ``array`` by its gradient, in a loop of loops."""
    decay = plan.options["weight_decay"]
    gradient = "        gradient = tracked[name].gradient"
    if decay and plan.optimizer != "adamw":
        gradient += f" + {decay!r} * array"
    constant = plan.options["gamma"] == 1
    rate = repr(plan.lr) if constant else "rate"
    update = _NUMPY[plan.optimizer].format(rate=rate, **plan.options)
    return gradient + update.removesuffix("\n")


def numpy_rate(plan: Plan) -> str:
    """Return the line of the learning rate of a step, in a loop; "" if it stays."""
    gamma = plan.options["gamma"]
    return "" if gamma == 1 else f"    rate = {plan.lr!r} * {gamma!r} ** (step - 1)\n"


def torch_optimizer(plan: Plan) -> str:
    """Return the lines that make an optimiser of the tensors ``free``."""
    written = _TORCH[plan.optimizer].format(lr=plan.lr, **plan.options)
    made = f"optimizer = torch.optim.{written}"
    if plan.options["gamma"] == 1:
        return made
    scheduler = f"ExponentialLR(optimizer, gamma={plan.options['gamma']!r})"
    return f"{made}\nscheduler = torch.optim.lr_scheduler.{scheduler}"


def torch_step(plan: Plan) -> str:
    """Return the lines that take a step, in a loop."""
    scheduled = "" if plan.options["gamma"] == 1 else "    scheduler.step()\n"
    return f"    optimizer.step()\n{scheduled}"

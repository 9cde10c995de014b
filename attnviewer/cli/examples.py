"""``attnviewer examples``: the list of bundled examples."""

from attnviewer.cli.output import print_line
from attnviewer.cli.parsing import command_parser


def run_examples(arguments: list[str]) -> int:
    """Print a line for each example."""
    command_parser("examples", "List the bundled examples.").parse_args(arguments)
    from attnviewer.io import list_examples

    examples = list_examples()
    width = max((len(example.id) for example in examples), default=0)
    for example in examples:
        print_line(f"{example.id:{width}}  {example.title}")
    return 0

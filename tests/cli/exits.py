"""How a command ends."""

from __future__ import annotations

from sightline.cli import main


def exit_code(*arguments: str) -> int:
    """Of argparse's own exits, too."""
    try:
        return main(arguments)
    except SystemExit as error:
        return int(error.code or 0)

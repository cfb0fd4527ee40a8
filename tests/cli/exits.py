"""How a command ends."""

from __future__ import annotations

import pytest

from sightline.cli import main


def exit_code(*arguments: str) -> int:
    """Of argparse's own exits, too."""
    try:
        return main(arguments)
    except SystemExit as error:
        return int(error.code or 0)


def assert_one_clear_line(capsys: pytest.CaptureFixture[str], told: str) -> None:
    """On standard error, and nothing anywhere else."""
    shown = capsys.readouterr()
    assert shown.out == ""
    assert told in shown.err
    assert shown.err.startswith("sightline: ")
    assert shown.err.count("\n") == 1

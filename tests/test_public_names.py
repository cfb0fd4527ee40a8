"""The public surface: what it holds, and that importing it stays light."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sightline

HEAVY = (
    "asyncio",
    "fsspec",
    "numpy",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
    "starlette",
    "uvicorn",
    "watchfiles",
)


def modules_after(program: str) -> set[str]:
    """Names of all modules that a fresh interpreter has loaded at the end of the program."""
    shown = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(shown.stdout.split())


def test_importing_sightline_loads_nothing_heavy() -> None:
    loaded = modules_after("import sightline")
    assert loaded.isdisjoint(HEAVY)
    assert not any(name.startswith("sightline.") for name in loaded)


def test_using_the_read_api_loads_neither_terminal_nor_server_nor_optional_libraries() -> None:
    loaded = modules_after("import sightline; sightline.open; sightline.Run; sightline.Kind")
    assert "sightline._core" in loaded
    assert loaded.isdisjoint(set(HEAVY) - {"numpy"})


def test_every_public_name_can_be_had() -> None:
    for name in sightline.__all__:
        assert getattr(sightline, name) is not None
    assert set(sightline.__all__) <= set(dir(sightline))


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'opne'"):
        sightline.opne  # noqa: B018

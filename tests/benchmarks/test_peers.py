"""Reading the data server's log: its duration line ends a measurement."""

from __future__ import annotations

import pytest

from benchmarks import peers
from benchmarks.peers import _wait_until_loaded


@pytest.mark.parametrize(
    ("text", "duration_s"), [("4.241028824s", 4.241028824), ("27.5ms", 0.0275), ("90µs", 9e-5)]
)
def test_finished_line_gives_the_duration_of_the_load_cycle(text: str, duration_s: float) -> None:
    lines = ["INFO Starting load cycle\n", f"INFO Finished load cycle ({text})\n"]
    assert _wait_until_loaded(lines) == pytest.approx(duration_s)


def test_server_that_ends_early_is_an_error_with_its_last_words() -> None:
    with pytest.raises(RuntimeError, match="no such directory"):
        _wait_until_loaded(["no such directory\n"])


def test_every_kind_of_directory_has_a_plugin_to_ask_for() -> None:
    assert set(peers.PLUGIN_OF_KIND) == {"scalar", "histogram", "image"}

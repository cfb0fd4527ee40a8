"""Names of saved files, whatever a tag or a run is called."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sightline.wire.file_names import MAX_STEM_CHARS, file_stem, value_file_name

words = st.lists(st.text(max_size=200), min_size=1, max_size=3)


@given(words)
def test_names_are_harmless_in_headers_and_file_systems(given_words: list[str]) -> None:
    stem = file_stem(*given_words, otherwise="value")
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", stem)
    assert len(stem) <= MAX_STEM_CHARS + len(given_words)


def test_a_long_run_leaves_room_for_the_tag() -> None:
    name = value_file_name("r" * 500, "loss", step=-3, ending="csv")
    assert name.endswith("_loss_step_-3.csv")

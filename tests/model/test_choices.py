"""The words for smoothing, centres and bands are those of the core."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from sightline.model.choices import Band, Center, SmoothingKind

BINDINGS = Path(__file__).parents[2] / "core" / "bindings" / "bulk.cpp"


@pytest.mark.parametrize(
    ("name", "words"), [("Smoothing", SmoothingKind), ("Center", Center), ("Band", Band)]
)
def test_the_core_lists_the_same_words(name: str, words: Any) -> None:
    (listed,) = re.findall(rf"k{name}Names = {{(.*?)}};", BINDINGS.read_text("utf-8"), re.DOTALL)
    assert tuple(re.findall(r'"(\w+)"', listed)) == get_args(words)

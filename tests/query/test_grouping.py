"""Which runs belong together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sightline.model.errors import BadArgumentError
from sightline.query.grouping import GroupBy, RunFacts, group_runs

SHARED = json.loads((Path(__file__).parent.parent / "fixtures" / "grouping.json").read_text("utf-8"))
FACTS = {
    run["name"]: RunFacts(labels=run["labels"], status=run["status"], fields=run["fields"])
    for run in SHARED["runs"]
}


@pytest.mark.parametrize("case", SHARED["cases"], ids=lambda case: case["by"])
def test_groups_are_those_that_the_page_makes(case: dict[str, Any]) -> None:
    groups = group_runs(FACTS, GroupBy.parse(case["by"]), facts_of=FACTS.__getitem__)
    assert [(group.key, group.runs) for group in groups] == list(case["groups"].items())


@pytest.mark.parametrize(
    "text", ["", "folders", "folder:", "folder:0", "folder:x", "regex", "regex:", "field:", "label:x"]
)
def test_what_is_no_way_to_group_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadArgumentError, match=r"--group-by is folder, folder:N"):
        GroupBy.parse(text, argument="--group-by")


def test_a_broken_expression_is_refused_with_its_place() -> None:
    with pytest.raises(BadArgumentError, match=r"--group-by has no regular expression: .* position 0"):
        GroupBy.parse("regex:(", argument="--group-by")


def test_a_capture_that_took_no_part_is_left_out() -> None:
    groups = group_runs(["ax", "b"], GroupBy.parse("regex:(a)?(b|x)"))
    assert [(group.key, group.runs) for group in groups] == [("a · x", ["ax"]), ("b", ["b"])]

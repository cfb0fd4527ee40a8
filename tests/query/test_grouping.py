"""Which runs belong together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sightline.model.errors import BadArgumentError
from sightline.query.grouping import GroupBy, group_runs
from sightline.query.run_fields import plain_value

SHARED = json.loads((Path(__file__).parent.parent / "fixtures" / "grouping.json").read_text("utf-8"))
RUNS = {run["name"]: run for run in SHARED["runs"]}


def value_of(name: str, by: GroupBy) -> Any:
    run = RUNS[name]
    told = {"label": ", ".join(sorted(run["labels"])), "status": run["status"]}
    return told.get(by.kind, plain_value(run["fields"].get(by.detail)))


@pytest.mark.parametrize("case", SHARED["cases"], ids=lambda case: case["by"])
def test_groups_are_those_that_the_page_makes(case: dict[str, Any]) -> None:
    by = GroupBy.parse(case["by"])
    groups = group_runs(RUNS, by, value_of=lambda name: value_of(name, by))
    assert sorted(group.runs for group in groups) == sorted(case["groups"].values())
    if case["by"] != "field:decay":  # of which the page writes the numbers otherwise
        assert {group.key for group in groups} == set(case["groups"])


@pytest.mark.parametrize(
    ("by", "keys"),
    [
        ("field:decay", ["0", "1.23456e-10", "1e-05", "1.23456e-05", "1000000", "1234567"]),
        ("field:arch", ['""', "cnn = big", "mlp"]),
    ],
)
def test_groups_of_a_hyper_parameter_are_ordered_by_it(by: str, keys: list[str]) -> None:
    parsed = GroupBy.parse(by)
    groups = group_runs(RUNS, parsed, value_of=lambda name: value_of(name, parsed))
    assert [group.key for group in groups] == [f"{parsed.detail} = {key}" for key in keys]


def test_groups_by_name_are_in_natural_order() -> None:
    groups = group_runs(["seed10/a", "seed9/a", "seed9/b"], GroupBy.parse("folder"))
    assert [group.key for group in groups] == ["seed9", "seed10"]


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

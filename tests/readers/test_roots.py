"""What users may write for a log directory, and which roots it means."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.model.errors import BadArgumentError, NoSuchPathError
from sightline.readers.roots import Root, is_event_file_name, parse_roots


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(*paths: str) -> None:
    for path in paths:
        if is_event_file_name(os.path.basename(path)):
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            Path(path).write_bytes(b"")
        else:
            os.makedirs(path, exist_ok=True)


def pairs(roots: list[Root]) -> list[tuple[str, str]]:
    """(path below the test's directory or URL, prefix) of each root."""
    here = os.getcwd() + os.sep
    return [(root.path.removeprefix(here), root.prefix) for root in roots]


# ---- one place ---------------------------------------------------------------------------------------------


def test_a_single_directory_has_an_absolute_path_and_no_prefix(here: Path) -> None:
    make("runs")
    assert parse_roots("runs") == [Root(str(here / "runs"))]
    assert (
        parse_roots(Path("runs/")) == parse_roots("runs/") == parse_roots(["runs"]) == parse_roots("./runs")
    )


def test_a_single_event_file_is_a_root(here: Path) -> None:
    make("runs/a/events.out.tfevents.1")
    assert parse_roots("runs/a/events.out.tfevents.1") == [
        Root(str(here / "runs/a/events.out.tfevents.1"), is_file=True)
    ]


def test_a_directory_may_be_called_like_an_event_file() -> None:
    os.makedirs("my.tfevents")
    assert not parse_roots("my.tfevents")[0].is_file


def test_the_home_directory_is_expanded(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(here))
    monkeypatch.setenv("USERPROFILE", str(here))
    make("logs")
    assert pairs(parse_roots("~/logs")) == [("logs", "")]
    assert pairs(parse_roots("mine:~/logs")) == [("logs", "mine")]
    assert pairs(parse_roots("~/lo*")) == [("logs", "logs")]


def test_a_local_url_is_a_path(here: Path) -> None:
    make("runs")
    assert parse_roots(f"file://{here}/runs") == parse_roots("runs")


# ---- names -------------------------------------------------------------------------------------------------


def test_a_spec_names_its_directory() -> None:
    make("x", "y")
    assert pairs(parse_roots("first:x")) == [("x", "first")]
    assert pairs(parse_roots("first:x,second:y")) == [("x", "first"), ("y", "second")]
    assert pairs(parse_roots(["first:x", Path("y")])) == [("x", "first"), ("y", "y")]
    assert pairs(parse_roots("team/first:x")) == [("x", "team/first")]
    assert pairs(parse_roots(" first : x , second:y ,")) == [("x", "first"), ("y", "second")]


@pytest.mark.parametrize("given", ["both:x,both:y", ["both:x", "both:y/*"], "both:x,both:x/sub"])
def test_one_name_for_two_places_is_refused(given: str | list[str], here: Path) -> None:
    make("x/sub", "y/z")
    with pytest.raises(BadArgumentError, match="same name 'both'") as raised:
        parse_roots(given)
    assert f"{here}/x and {here}/" in str(raised.value)


def test_event_files_of_one_directory_may_share_a_name() -> None:
    make("x/tfevents.1", "x/tfevents.2")
    assert [prefix for _, prefix in pairs(parse_roots("one:x/tfevents.1,one:x/tfevents.2"))] == ["one", "one"]


@pytest.mark.parametrize(
    ("text", "path", "prefix"),
    [
        ("s3://bucket/runs", "s3://bucket/runs", ""),
        ("s3://bucket/runs/", "s3://bucket/runs", ""),
        ("mine:s3://bucket/runs", "s3://bucket/runs", "mine"),
        ("gs://bucket", "gs://bucket", ""),
        ("memory://logs", "memory://logs", ""),
        ("hdfs://host:8020/logs", "hdfs://host:8020/logs", ""),
        ("mine:hdfs://host:8020/logs", "hdfs://host:8020/logs", "mine"),
        ("simplecache::s3://bucket/runs", "simplecache::s3://bucket/runs", ""),
        ("https://host/logs?token=1", "https://host/logs?token=1", ""),
    ],
)
def test_a_scheme_is_not_a_name(text: str, path: str, prefix: str) -> None:
    assert parse_roots(text) == [Root(path, prefix, is_remote=True)]


def test_a_drive_letter_is_not_a_name() -> None:
    for text, is_windows in ((r"C:\logs", True), ("C:/logs", True), (r"C:\logs", False)):
        with pytest.raises(NoSuchPathError) as caught:
            parse_roots(text, is_windows=is_windows)
        assert caught.value.path.endswith(text)


def test_a_single_letter_is_a_name_where_there_are_no_drives(here: Path) -> None:
    make("x")
    assert pairs(parse_roots(f"a:{here}/x", is_windows=False)) == [("x", "a")]


# ---- what exists is meant literally ------------------------------------------------------------------------


def test_a_directory_with_commas_and_colons_can_be_opened() -> None:
    make("a:b", "c,d", "plain", "lr=0.1,bs=4/seed:1")
    assert pairs(parse_roots("a:b")) == [("a:b", "")]
    assert pairs(parse_roots("c,d")) == [("c,d", "")]
    assert pairs(parse_roots("lr=0.1,bs=4/seed:1")) == [("lr=0.1,bs=4/seed:1", "")]
    assert pairs(parse_roots("plain,c,d")) == [("plain", "plain"), ("c,d", "c,d")]
    assert pairs(parse_roots("n:c,d,m:plain")) == [("c,d", "n"), ("plain", "m")]


def test_a_directory_with_glob_characters_can_be_opened() -> None:
    make("run[1]", "run1")
    assert pairs(parse_roots("run[1]")) == [("run[1]", "")]


def test_a_path_object_is_never_split_nor_named() -> None:
    make("x", "y")
    for path in (Path("x,y"), Path("n:x")):
        with pytest.raises(NoSuchPathError):
            parse_roots(path)


# ---- globs -------------------------------------------------------------------------------------------------


def test_what_a_glob_matches_keeps_its_directory_name() -> None:
    make("runs/2026-02-10a", "runs/2026-02-10b", "runs/2026-02-11", "runs/2026-02-10.txt.d")
    Path("runs/2026-02-10.log").write_text("not a log directory")
    assert pairs(parse_roots("runs/2026-02-10[ab]")) == [
        ("runs/2026-02-10a", "2026-02-10a"),
        ("runs/2026-02-10b", "2026-02-10b"),
    ]
    assert [prefix for _, prefix in pairs(parse_roots("day:runs/2026-02-10?"))] == [
        "day/2026-02-10a",
        "day/2026-02-10b",
    ]


def test_a_glob_with_one_match_names_it_like_one_with_many() -> None:
    make("runs/a")
    assert pairs(parse_roots("runs/*")) == [("runs/a", "a")]


def test_a_glob_in_the_middle_keeps_everything_from_there_on() -> None:
    make("users/ann/logs", "users/bob/logs", "users/cid")
    assert pairs(parse_roots("users/*/logs")) == [
        ("users/ann/logs", "ann/logs"),
        ("users/bob/logs", "bob/logs"),
    ]


def test_event_files_that_match_go_to_the_run_of_their_directory() -> None:
    make("runs/a/events.tfevents.1", "runs/a/events.tfevents.2", "runs/b/events.tfevents.1")
    assert [(root.prefix, root.is_file) for root in parse_roots("runs/*/events*")] == [
        ("a", True),
        ("a", True),
        ("b", True),
    ]


def test_a_recursive_glob_gives_the_outermost_directories_without_remarks() -> None:
    make("runs/a/b/c")
    assert parse_roots("runs/**") == parse_roots("runs")


def test_globs_that_keep_the_same_name_for_different_places_get_longer_ones() -> None:
    make("x/seed0", "x/seed1", "y/seed0")
    assert pairs(parse_roots(["x/*", "y/*"])) == [
        ("x/seed0", "x/seed0"),
        ("x/seed1", "seed1"),
        ("y/seed0", "y/seed0"),
    ]


def test_a_recursive_glob_enters_no_links_and_nothing_hidden() -> None:
    make("runs/deep/seed1", "runs/seed2", "runs/.hidden/seed3")
    for number in range(8):  # for glob.glob 8 ways on at each of 40 levels
        os.symlink("..", f"runs/deep/a{number}")
    os.symlink("deep", "runs/also")
    assert pairs(parse_roots("runs/**/seed*")) == [
        ("runs/deep/seed1", "deep/seed1"),
        ("runs/seed2", "seed2"),
    ]
    assert parse_roots("runs/**") == parse_roots("runs")


def test_a_recursive_glob_finds_event_files_and_linked_directories() -> None:
    make("runs/a/b/events.tfevents.1", "runs/a/other")
    os.symlink("a", "runs/latest")
    assert pairs(parse_roots("runs/**/*tfevents*")) == [("runs/a/b/events.tfevents.1", "a/b")]
    assert pairs(parse_roots("runs/**/latest")) == [("runs/latest", "latest")]


def test_a_pattern_on_a_remote_root_is_left_to_its_reader() -> None:
    assert parse_roots("s3://bucket/runs/2026-*/logs") == [
        Root("s3://bucket/runs", is_remote=True, pattern="2026-*/logs")
    ]


# ---- mistakes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["nowhere", "runs,nowhere", "name:nowhere", "nowhere*", "runs/*.none"])
def test_a_missing_path_or_an_unmatched_glob_is_one_clear_line(text: str) -> None:
    make("runs")
    with pytest.raises(NoSuchPathError) as caught:
        parse_roots(text)
    line = str(caught.value)
    assert "\n" not in line
    assert line.endswith(caught.value.path)
    assert os.path.isabs(caught.value.path)


def test_a_missing_path_inside_a_spec_quotes_the_spec() -> None:
    with pytest.raises(NoSuchPathError, match="given as 'runs/a:b'"):
        parse_roots("runs/a:b")


def test_a_dangling_link_says_so() -> None:
    os.symlink("nowhere", "link")
    with pytest.raises(NoSuchPathError, match="link to something that is not there"):
        parse_roots("link")


def test_a_file_that_is_no_event_file_is_refused() -> None:
    Path("model.pt").write_bytes(b"")
    with pytest.raises(BadArgumentError, match=r"'tfevents'.*model\.pt"):
        parse_roots("model.pt")


@pytest.mark.parametrize("nothing", ["", " ", ",", [], [""]])
def test_nothing_at_all_is_refused(nothing: str | list[str]) -> None:
    with pytest.raises(BadArgumentError, match="No log directory"):
        parse_roots(nothing)


@pytest.mark.parametrize("text", ["bad\0path", "x" * 5000])
def test_a_path_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(BadArgumentError, match="Cannot look at"):
        parse_roots(text)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (None, "not None: None"),
        (3, "not a value of type int: 3"),
        (b"runs", "not a value of type bytes: b'runs'"),
        ({"a": "runs"}, "not a value of type dict: {'a': 'runs'}"),
        ([3], "this list holds a value of type int: 3"),
        ([b"runs"], "this list holds a value of type bytes: b'runs'"),
        ([None], "this list holds None: None"),
    ],
)
def test_something_that_is_no_path_is_refused(given: Any, told: str) -> None:
    with pytest.raises(BadArgumentError) as raised:
        parse_roots(given)
    assert str(raised.value).startswith("A log directory is a string, a path, or a list of those, ")
    assert str(raised.value).endswith(told)


# ---- no run twice ------------------------------------------------------------------------------------------


def test_the_same_directory_given_twice_is_one_root() -> None:
    make("runs")
    os.symlink("runs", "link")
    assert parse_roots("runs,runs") == parse_roots("runs")
    assert pairs(parse_roots(["runs", "./runs/", Path("link")])) == [("runs", "")]


def test_a_name_beats_no_name_for_the_same_directory() -> None:
    make("runs")
    assert pairs(parse_roots("runs,mine:runs")) == [("runs", "mine")]


def test_of_two_names_for_one_directory_the_first_stays() -> None:
    make("runs")
    assert pairs(parse_roots("a:runs,b:runs")) == [("runs", "a")]


def test_a_root_inside_another_is_read_as_part_of_it() -> None:
    make("runs/a/events.tfevents.1", "runs/b")
    for text in ("runs,runs/a", "runs/a,runs", "runs/b,runs/a/events.tfevents.1,runs"):
        (root,) = parse_roots(text)
        assert pairs([root]) == [("runs", "")]
        assert root.exclude == ()


def test_a_named_root_inside_another_keeps_its_name_and_is_excluded_from_the_outer_one() -> None:
    make("runs/a[1]/deep", "runs/b")
    outer, inner = parse_roots("runs,mine:runs/a[1]/deep")
    assert outer.exclude == ("a[[]1]/deep",)
    assert (outer.prefix, inner.prefix) == ("runs", "mine")


def test_the_root_of_the_file_system_contains_every_directory(here: Path) -> None:
    make("runs")
    assert [root.path for root in parse_roots(["/", str(here / "runs")])] == ["/"]


def test_similar_beginnings_are_not_nesting() -> None:
    make("runs", "runs2")
    assert pairs(parse_roots("runs,runs2")) == [("runs", "runs"), ("runs2", "runs2")]


def test_remote_roots_are_merged_like_local_ones() -> None:
    assert pairs(parse_roots("s3://b/runs,s3://b/runs/")) == [("s3://b/runs", "")]
    assert pairs(parse_roots("s3://b/runs,s3://b/runs/x,s3://b/runs/2026*")) == [("s3://b/runs", "")]
    outer, inner = parse_roots("s3://b/runs,mine:s3://b/runs/x")
    assert outer.exclude == ("x",)
    assert inner.prefix == "mine"


# ---- no two runs of one name -------------------------------------------------------------------------------


def test_several_plain_roots_are_told_apart_by_the_shortest_tail() -> None:
    make("x/logs", "y/logs", "other")
    assert pairs(parse_roots("x/logs,y/logs,other")) == [
        ("x/logs", "x/logs"),
        ("y/logs", "y/logs"),
        ("other", "other"),
    ]


def test_a_tail_never_equals_a_given_name() -> None:
    make("x/logs", "y")
    assert pairs(parse_roots("x/logs,logs:y")) == [("x/logs", "x/logs"), ("y", "logs")]


def test_event_files_of_one_directory_share_their_run() -> None:
    make("a/1.tfevents", "a/2.tfevents", "b/1.tfevents")
    assert [root.prefix for root in parse_roots("a/1.tfevents,a/2.tfevents,b/1.tfevents")] == ["a", "a", "b"]


def test_a_local_and_a_remote_root_of_one_name_stay_apart(here: Path) -> None:
    make("logs")
    url = "s3:/" + str(here / "logs")
    first, second = parse_roots([url, str(here / "logs")])
    assert first.prefix != second.prefix


names = st.sampled_from(["a", "b", "a/a", "a/b", "b/a", "a/b/a"])


@given(st.lists(names, min_size=1, max_size=5), st.lists(st.booleans(), min_size=5, max_size=5))
def test_plain_roots_never_share_a_prefix_nor_lie_in_each_other(
    paths: list[str], is_remote: list[bool]
) -> None:
    make("a/b/a", "a/a", "b/a")
    given_roots = [f"s3://{p}" if far else p for p, far in zip(paths, is_remote, strict=False)]
    roots = parse_roots(given_roots)
    assert len({root.prefix for root in roots}) == len(roots)
    for one in roots:
        for other in roots:
            assert one is other or not other.path.startswith(one.path + "/")
    assert parse_roots(list(reversed(given_roots)))[0].path in {root.path for root in roots}

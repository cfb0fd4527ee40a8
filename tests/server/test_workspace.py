"""What people add, over HTTP: edits, views, the stream of events, and who may not."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from sightline.log import open_log
from sightline.server import ServerOptions, live, make_app
from sightline.server.app import api_routes
from tests.event_logs import points, write_run
from tests.server.clients import InProcess, client_for, serving, two_runs
from tests.server.test_live import TIMEOUT, Events

VIEW = {"charts": ["loss"], "nested": {"deep": [1, None, "ü"]}}


@pytest.fixture
def client(tmp_path: Path) -> InProcess:
    return client_for(two_runs(tmp_path))


def edit(client: InProcess, **fields: Any) -> dict[str, Any]:
    answer = client.post("/api/v1/workspace/edits", json={"edits": [{"id": "1", **fields}]})
    assert answer.status_code == 200, answer.text
    (result,) = answer.json()["results"]
    assert isinstance(result, dict)
    return result


def save(client: InProcess, name: str, **fields: Any) -> httpx.Response:
    return client.post("/api/v1/workspace/view", json={"name": name, "view": VIEW, **fields})


def test_an_edit_is_in_the_workspace_and_can_be_taken_back(client: InProcess, tmp_path: Path) -> None:
    before = client.api("workspace")
    assert (before["runs"], before["is_writable"], before["is_delete_allowed"]) == ([], True, False)
    assert before["place"] == str(tmp_path / ".sightline")
    result = edit(client, kind="name", run="a", text="Baseline")
    after = client.api("workspace")
    assert after["runs"] == [
        {
            "run": "a",
            "display_name": "Baseline",
            "note": "",
            "labels": [],
            "color": None,
            "is_favourite": False,
            "is_archived": False,
        }
    ]
    assert after["version"] > before["version"]
    assert edit(client, **result["inverse"])["is_applied"]
    assert client.api("workspace")["runs"] == []


def test_annotations_and_colours_travel_both_ways(client: InProcess) -> None:
    pinned = {"id": "p1", "tag": "loss", "run": "a", "step": 2**53 - 1, "text": "**here**"}
    first = edit(client, kind="annotate", annotation=pinned)
    edit(client, id="2", kind="group_color", key="lr", text="#00ff00")
    found = client.api("workspace")
    assert (found["annotations"], found["group_colors"]) == ([pinned], {"lr": "#00ff00"})
    second = edit(client, **first["inverse"])
    assert client.api("workspace")["annotations"] == []
    edit(client, **second["inverse"])
    assert client.api("workspace")["annotations"] == [pinned]


def test_a_conflict_has_both_texts(client: InProcess) -> None:
    edit(client, kind="note", run="a", text="yours", base="")
    result = edit(client, id="2", kind="note", run="a", text="mine", base="")
    assert (result["is_applied"], result["conflict"], result["inverse"]) == (False, "yours", None)


def test_the_workspace_is_not_sent_again_while_nothing_changed(client: InProcess) -> None:
    first = client.get("/api/v1/workspace")
    headers = {"if-none-match": first.headers["etag"]}
    assert client.get("/api/v1/workspace", headers=headers).status_code == 304
    edit(client, kind="favourite", run="a")
    assert client.get("/api/v1/workspace", headers=headers).status_code == 200


def test_views_are_saved_opened_renamed_and_removed(client: InProcess, tmp_path: Path) -> None:
    saved = save(client, "Figure 3").json()
    opened = client.api("workspace/view", params={"name": "Figure 3"})
    assert opened == {"name": "Figure 3", "revision": saved["revision"], "view": VIEW}
    assert [view["name"] for view in client.api("workspace")["views"]] == ["Figure 3"]
    taken = save(client, "Figure 3")
    assert taken.status_code == 409
    assert "already" in taken.json()["error"]
    old = save(client, "Figure 3", base="old")
    assert old.status_code == 409
    assert "Somebody else" in old.json()["error"]
    assert save(client, "Figure 4", base=saved["revision"], rename_from="Figure 3").status_code == 200
    assert client.get("/api/v1/workspace/view", params={"name": "Figure 3"}).status_code == 404
    removed = client.post("/api/v1/workspace/view/remove", json={"name": "Figure 4"})
    assert removed.status_code == 204
    assert client.post("/api/v1/workspace/view/remove", json={"name": "Figure 4"}).status_code == 404
    assert client.api("workspace")["views"] == []
    assert len(list((tmp_path / ".sightline" / "trash" / "views").iterdir())) == 2


def test_a_view_of_a_newer_version_is_listed_and_not_opened(client: InProcess, tmp_path: Path) -> None:
    save(client, "good")
    newer = {"format": "sightline-view", "version": 99, "name": "newer", "view": {}}
    (tmp_path / ".sightline" / "views" / "newer.json").write_text(json.dumps(newer))
    listed = {view["name"]: view["problem"] for view in client.api("workspace")["views"]}
    assert listed["good"] == ""
    assert "newer version" in listed["newer"]
    answer = client.get("/api/v1/workspace/view", params={"name": "newer"})
    assert answer.status_code == 422
    assert "newer version" in answer.json()["error"]


def test_a_view_with_numbers_of_any_length_is_sent(client: InProcess, tmp_path: Path) -> None:
    save(client, "good")
    large = {"format": "sightline-view", "version": 1, "name": "large", "view": {"n": 10**40}}
    (tmp_path / ".sightline" / "views" / "large.json").write_text(json.dumps(large))
    assert client.api("workspace/view", params={"name": "large"})["view"] == {"n": 10**40}


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "..%2f..%2fsecret", "a/b", "\\\\host\\share", "x" * 200]
)
def test_no_name_leads_out_of_the_folder(client: InProcess, tmp_path: Path, name: str) -> None:
    assert save(client, name).status_code == 200
    assert client.api("workspace/view", params={"name": name})["view"] == VIEW
    outside = [path for path in tmp_path.rglob("*.json") if ".sightline" not in path.parts]
    assert outside == []
    assert len(list((tmp_path / ".sightline" / "views").iterdir())) == 1


def test_a_view_that_is_nested_for_ever_is_refused(client: InProcess) -> None:
    body = b'{"name": "x", "view": {"a": ' + b"[" * 500 + b"]" * 500 + b"}}"
    answer = client.post("/api/v1/workspace/view", content=body)
    assert answer.status_code in (400, 422)
    assert "levels" in answer.json()["error"]


POSTS = [
    route.path for route in api_routes() if route.path.startswith("workspace") and route.method == "POST"
]


@pytest.mark.parametrize("path", POSTS)
def test_pages_of_other_sites_change_nothing(client: InProcess, tmp_path: Path, path: str) -> None:
    body = {"name": "x", "view": {}, "edits": [{"id": "1", "kind": "favourite", "run": "a"}], "runs": ["a"]}
    for headers in (
        {"origin": "http://localhost:8888"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"},
        {"host": "evil.example"},
    ):
        assert client.post(f"/api/v1/{path}", json=body, headers=headers).status_code == 403
    assert not (tmp_path / ".sightline").exists()


@pytest.mark.parametrize("path", ["workspace", "workspace/view?name=x", "runs/fields"])
def test_the_token_guards_what_people_wrote(tmp_path: Path, path: str) -> None:
    client = client_for(two_runs(tmp_path), token="secret")
    assert client.get(f"/api/v1/{path}").status_code == 401


@pytest.mark.parametrize("path", POSTS)
def test_the_token_guards_every_change(tmp_path: Path, path: str) -> None:
    client = client_for(two_runs(tmp_path), token="secret", is_delete_allowed=True)
    body = {"name": "x", "view": {}, "edits": [{"id": "1", "kind": "favourite", "run": "a"}], "runs": ["a"]}
    assert client.post(f"/api/v1/{path}", json=body).status_code == 401
    assert not (tmp_path / ".sightline").exists()
    assert (tmp_path / "a").exists()


@pytest.fixture
def events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Events, str]]:
    monkeypatch.setattr(live, "WORKSPACE_INTERVAL_S", 0.05)
    app = make_app(two_runs(tmp_path), ServerOptions())
    with (
        serving(app) as url,
        httpx.stream("GET", f"{url}/api/v1/events", timeout=TIMEOUT) as response,
    ):
        yield Events(response), url


def test_every_page_hears_of_an_edit(events: tuple[Events, str]) -> None:
    stream, url = events
    stream.next("progress")
    body = {"edits": [{"id": "1", "kind": "favourite", "run": "a"}]}
    version = httpx.post(f"{url}/api/v1/workspace/edits", json=body).json()["version"]
    told = stream.next("workspace")
    assert (told["version"], told["id"]) == (version, None)  # it is no revision of the log
    assert httpx.get(f"{url}/api/v1/workspace").json()["version"] == version


def test_a_page_hears_of_an_edit_by_another_server(events: tuple[Events, str], tmp_path: Path) -> None:
    stream, url = events
    before = httpx.get(f"{url}/api/v1/workspace").json()["version"]
    other = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    edit(other, kind="note", run="a", text="from elsewhere")
    told = stream.next("workspace")
    found = httpx.get(f"{url}/api/v1/workspace").json()
    assert found["version"] >= told["version"] > before
    assert found["runs"][0]["note"] == "from elsewhere"


def test_where_nothing_can_be_written_the_users_own_place_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    log = two_runs(tmp_path / "log")
    (tmp_path / "log" / ".sightline").write_text("in the way")
    client = client_for(log)
    assert edit(client, kind="favourite", run="a")["is_applied"]
    found = client.api("workspace")
    assert found["is_writable"]
    assert found["place"].startswith(str(tmp_path / "data"))
    assert "for you alone" in found["problems"][0]


def test_the_runs_of_several_roots_keep_their_edits_apart(tmp_path: Path) -> None:
    write_run(tmp_path / "x" / "a", points(range(3)))
    write_run(tmp_path / "y" / "a", points(range(3)))
    log = open_log([f"one:{tmp_path / 'x'}", f"two:{tmp_path / 'y'}"], watch=False, cache=False).wait()
    client = client_for(log)
    edit(client, kind="name", run="two/a", text="Second")
    assert [(one["run"], one["display_name"]) for one in client.api("workspace")["runs"]] == [
        ("two/a", "Second")
    ]
    assert not (tmp_path / "x" / ".sightline").exists()
    alone = client_for(open_log(tmp_path / "y", watch=False, cache=False).wait())
    assert [one["run"] for one in alone.api("workspace")["runs"]] == ["a"]


def test_a_directory_that_vanishes_under_the_server_is_no_failure(client: InProcess, tmp_path: Path) -> None:
    edit(client, kind="favourite", run="a")
    os.rename(tmp_path / ".sightline", tmp_path.with_name("away"))
    assert client.api("workspace")["runs"] == []
    assert edit(client, id="2", kind="archive", run="a")["is_applied"]
    os.rename(tmp_path.with_name("away"), tmp_path.with_name("away-for-good"))

"""Runs to the trash and back, over HTTP and under a log that is followed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from sightline.log import Log, open_log
from tests.event_logs import points, write_run
from tests.server.clients import InProcess, client_for, two_runs


@pytest.fixture
def client(tmp_path: Path) -> InProcess:
    return client_for(two_runs(tmp_path), is_delete_allowed=True)


def delete(client: InProcess, *runs: str, is_dry: bool = False) -> list[dict[str, Any]]:
    answer = client.post("/api/v1/workspace/delete", json={"runs": runs, "is_dry": is_dry})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["runs"]
    return found


def restore(client: InProcess, *ids: str) -> list[dict[str, Any]]:
    answer = client.post("/api/v1/workspace/restore", json={"ids": ids})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["runs"]
    return found


def test_nothing_is_deleted_unless_the_server_was_started_for_it(tmp_path: Path) -> None:
    client = client_for(two_runs(tmp_path))
    assert client.api("workspace")["is_delete_allowed"] is False
    for path, body in (("delete", {"runs": ["a"]}), ("restore", {"ids": ["x"]})):
        answer = client.post(f"/api/v1/workspace/{path}", json=body)
        assert answer.status_code == 403
        assert "--allow-delete" in answer.json()["error"]
    assert client.api("runs")["name"] == ["a", "b"]


def test_a_run_goes_and_comes_back_with_its_number(client: InProcess, tmp_path: Path) -> None:
    before = client.api("runs")
    content = next((tmp_path / "a").iterdir()).read_bytes()
    (deleted,) = delete(client, "a")
    assert (deleted["file_count"], deleted["size_bytes"], deleted["error"]) == (1, len(content), "")
    gone = client.api("runs", params={"since": before["revision"]})
    assert gone["removed"] == [before["id"][0]]
    assert not (tmp_path / "a").exists()
    (entry,) = client.api("workspace")["trash"]
    assert (entry["id"], entry["run"], entry["file_count"]) == (deleted["trash_id"], "a", 1)
    (restored,) = restore(client, entry["id"])
    assert restored == {"id": entry["id"], "run": "a", "error": ""}
    back = client.api("runs")
    assert dict(zip(back["name"], back["id"], strict=True)) == dict(
        zip(before["name"], before["id"], strict=True)
    )
    assert next((tmp_path / "a").iterdir()).read_bytes() == content
    assert client.api("workspace")["trash"] == []


def test_a_dry_run_says_what_goes_and_what_stays(client: InProcess, tmp_path: Path) -> None:
    (tmp_path / "a" / "model.ckpt").write_bytes(b"precious")
    (tmp_path / "a" / "checkpoints").mkdir()
    profile = tmp_path / "a" / "plugins" / "profile" / "2026_02_10" / "host.xplane.pb"
    profile.parent.mkdir(parents=True)
    profile.write_bytes(b"x" * 10)
    (tmp_path / "projector_config.pbtxt").write_text("for all runs")
    write_run(tmp_path / "a" / "sub", points(range(3)))
    client.post("/api/v1/reload")
    size = next(path for path in (tmp_path / "a").iterdir() if "tfevents" in path.name).stat().st_size
    (dry,) = delete(client, "a", is_dry=True)
    assert dry == {
        "run": "a",
        "trash_id": None,
        "file_count": 2,
        "size_bytes": size + 10,
        "kept_count": 1,
        "error": "",
    }
    assert not (tmp_path / ".sightline").exists()
    (done,) = delete(client, "a")
    assert (done["file_count"], done["size_bytes"]) == (2, size + 10)
    assert client.api("runs")["name"] == ["a/sub", "b"]
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["checkpoints", "model.ckpt", "sub"]
    assert (tmp_path / "projector_config.pbtxt").exists()
    restore(client, done["trash_id"])
    assert profile.read_bytes() == b"x" * 10


def test_a_run_that_is_still_written_is_refused(client: InProcess, tmp_path: Path) -> None:
    write_run(tmp_path / "live", points(range(3), begin_s=time.time()), begin_s=time.time())
    client.post("/api/v1/reload")
    first, second, third = delete(client, "live", "b", "nobody")
    assert "still being written" in first["error"]
    assert (tmp_path / "live").exists()
    assert second["error"] == ""
    assert "no such run" in third["error"]
    assert client.api("runs")["name"] == ["a", "live"]


def test_the_trash_is_never_read_as_runs(client: InProcess, tmp_path: Path) -> None:
    delete(client, "a", "b")
    client.post("/api/v1/reload")
    assert client.api("runs")["name"] == []
    fresh = open_log(tmp_path, watch=False, cache=False).wait()
    assert fresh.runs == []
    (tmp_path / "deep" / ".sightline" / "trash").mkdir(parents=True)
    write_run(tmp_path / "deep" / ".sightline" / "trash" / "x", points([1]))
    fresh.refresh()
    assert fresh.runs == []
    # As the watcher tells of them, one by one.
    paths = [str(path) for path in tmp_path.rglob("*") if ".sightline" in path.parts]
    assert any("tfevents" in path for path in paths)
    fresh.store.index.refresh(paths)
    assert fresh.runs == []


def test_a_log_that_is_followed_sees_it_go_and_come_back(tmp_path: Path) -> None:
    two_runs(tmp_path)
    with open_log(tmp_path, cache=False).wait() as log:
        client = client_for(log, is_delete_allowed=True)
        (deleted,) = delete(client, "a")
        assert log.runs == ["b"]
        restore(client, deleted["trash_id"])
        assert log.runs == ["a", "b"]
        assert log["a"].scalars["loss"].step.tolist() == [0, 1, 2, 3, 4]


def test_the_cache_brings_nothing_back(tmp_path: Path) -> None:
    two_runs(tmp_path / "log")

    def opened() -> Log:
        return open_log(tmp_path / "log", watch=False, cache=tmp_path / "cache").wait()

    with opened() as log:
        delete(client_for(log, is_delete_allowed=True), "a")
    with opened() as log:
        assert log.runs == ["b"]


def test_runs_of_a_single_file_cannot_be_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    file = write_run(tmp_path / "a", points(range(3)))
    log = open_log(file, watch=False, cache=False).wait()
    (refused,) = delete(client_for(log, is_delete_allowed=True), *log.runs)
    assert "local log directories" in refused["error"]
    assert file.exists()


@pytest.mark.parametrize("entry", ["../../a", "20200101-000000-00000000", "..", "/etc"])
def test_only_what_is_in_the_trash_is_restored(client: InProcess, entry: str) -> None:
    (refused,) = restore(client, entry)
    assert "not in the trash" in refused["error"]


def test_a_hundred_runs_go_at_once(tmp_path: Path) -> None:
    for number in range(100):
        write_run(tmp_path / f"run-{number}", points([1]))
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait(), is_delete_allowed=True)
    deleted = delete(client, *[f"run-{number}" for number in range(100)])
    assert [one["error"] for one in deleted] == [""] * 100
    assert client.api("runs")["name"] == []
    restore(client, *[one["trash_id"] for one in deleted])
    assert len(client.api("runs")["name"]) == 100

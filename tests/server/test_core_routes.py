"""Environment, runs, tags, damage and reload, as a page asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline import SummaryWriter
from sightline.log import open_log
from tests.event_logs import append, file_version, image_record, points, write_run
from tests.server.clients import InProcess, client_for, two_runs


@pytest.fixture
def client(tmp_path: Path) -> InProcess:
    return client_for(two_runs(tmp_path))


def test_the_environment_names_directories_and_options(tmp_path: Path) -> None:
    client = client_for(two_runs(tmp_path), window_title="mine", histogram_interval=5)
    answer = client.api("environment")
    assert answer["window_title"] == "mine"
    assert answer["histogram_interval"] == 5
    assert answer["api_version"] == 1
    assert answer["is_following"] is False
    assert answer["log_directories"] == [{"path": str(tmp_path), "prefix": "", "exists": True}]


def test_the_run_table_has_one_element_per_run_in_every_column(client: InProcess) -> None:
    table = client.api("runs")
    assert table["is_complete"] is True
    assert table["name"] == ["a", "b"]
    assert table["points"] == [8, 10]
    assert table["last_step"] == [4, 9]
    assert table["status"] == ["finished", "finished"]
    assert table["is_status_known"] == [False, False]
    assert table["progress"]["is_done"] is True
    lengths = {
        len(column) for name, column in table.items() if isinstance(column, list) and name != "removed"
    }
    assert lengths == {2}


def test_only_what_changed_is_told_since_a_revision(tmp_path: Path) -> None:
    log = two_runs(tmp_path)
    client = client_for(log)
    before = client.api("runs")
    append(next((tmp_path / "b").iterdir()), points([10], begin_s=1_700_000_100))
    log.refresh()
    after = client.api("runs", params={"since": before["revision"], "server_id": before["server_id"]})
    assert (after["is_complete"], after["name"], after["points"]) == (False, ["b"], [11])
    again = client.api("runs", params={"since": after["revision"], "server_id": before["server_id"]})
    assert (again["is_complete"], again["name"]) == (False, [])


def test_a_revision_of_another_server_gets_everything(client: InProcess) -> None:
    table = client.api("runs", params={"since": 0, "server_id": "somebody else"})
    assert table["is_complete"] is True


def test_a_revision_from_the_future_gets_everything(client: InProcess) -> None:
    assert client.api("runs", params={"since": 10**9})["is_complete"] is True


def test_a_removed_run_is_told_and_its_number_stays_its_own(tmp_path: Path) -> None:
    log = two_runs(tmp_path)
    client = client_for(log)
    before = client.api("runs")
    file = next((tmp_path / "a").iterdir())
    content = file.read_bytes()
    file.unlink()
    log.refresh()
    gone = client.api("runs", params={"since": before["revision"]})
    assert gone["removed"] == [before["id"][0]]
    assert client.api("runs")["name"] == ["b"]
    file.write_bytes(content)
    log.refresh()
    back = client.api("runs", params={"since": gone["revision"]})
    assert (back["id"], back["name"], back["removed"]) == ([before["id"][0]], ["a"], [])


def test_a_run_that_told_its_end_has_a_known_status(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path / "told")) as writer:
        writer.add_scalar("loss", 1.0, 1)
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    table = client.api("runs")
    assert (table["status"], table["is_status_known"]) == (["finished"], [True])
    details = client.api("runs/0")
    assert details["name"] == "told"
    assert [session["status"] for session in details["sessions"]] == ["finished"]
    assert details["files"][0]["writer"] == "sightline.writer"
    assert details["files"][0]["size_bytes"] == details["files"][0]["read_bytes"] > 0


def test_tags_name_their_runs_as_stretches(client: InProcess) -> None:
    found = {tag["tag"]: tag for tag in client.api("tags")["tags"]}
    assert found["loss"]["runs"] == [0, 1]
    assert found["loss"]["kind"] == "scalar"
    first_of_a = client.api("runs")["id"][0]
    assert found["acc"]["runs"] == [first_of_a, first_of_a]


def test_tags_that_did_not_change_are_not_sent_again(tmp_path: Path) -> None:
    log = two_runs(tmp_path)
    client = client_for(log)
    first = client.get("/api/v1/tags")
    headers = {"if-none-match": first.headers["etag"]}
    second = client.get("/api/v1/tags", headers=headers)
    assert (second.status_code, second.content) == (304, b"")
    append(next((tmp_path / "b").iterdir()), points([10], begin_s=1_700_000_100))
    log.refresh()
    assert client.get("/api/v1/tags", headers=headers).status_code == 304
    append(next((tmp_path / "b").iterdir()), points([1], tag="new", begin_s=1_700_000_200))
    log.refresh()
    third = client.get("/api/v1/tags", headers=headers)
    assert third.status_code == 200
    assert "new" in [tag["tag"] for tag in third.json()["tags"]]


def test_tags_that_come_back_with_a_replaced_file_are_listed_again(tmp_path: Path) -> None:
    log = open_log(tmp_path, watch=False, cache=False).wait()
    client = client_for(log)  # sees all of it come
    file = write_run(tmp_path / "a", points(range(5)), points(range(3), tag="acc"))
    content = file.read_bytes()

    def tags() -> list[str]:
        log.refresh()
        return [tag["tag"] for tag in client.api("tags")["tags"]]

    assert tags() == ["acc", "loss"]
    file.unlink()
    write_run(tmp_path / "a", points([1], tag="loss"))
    assert tags() == ["loss"]
    append(file, content[len(file_version()) :])
    assert tags() == ["acc", "loss"]


def test_a_second_kind_under_a_known_tag_is_listed(tmp_path: Path) -> None:
    log = open_log(tmp_path, watch=False, cache=False).wait()
    client = client_for(log)
    file = write_run(tmp_path / "b", points(range(5)))
    log.refresh()
    assert [tag["kind"] for tag in client.api("tags")["tags"] if tag["tag"] == "loss"] == ["scalar"]
    append(file, image_record("loss", 11, b"png", wall_time=1_700_000_100))
    log.refresh()
    assert [tag["kind"] for tag in client.api("tags")["tags"] if tag["tag"] == "loss"] == ["image", "scalar"]


def test_numbers_of_an_earlier_start_of_the_server_are_refused(client: InProcess) -> None:
    own = client.api("runs")["server_id"]
    assert client.get("/api/v1/runs/0", params={"server_id": own}).status_code == 200
    refused = client.get("/api/v1/runs/0", params={"server_id": "before"})
    assert refused.status_code == 409
    assert "reload" in refused.json()["error"]


def test_damage_and_notices_are_reported(tmp_path: Path) -> None:
    write_run(tmp_path / "bad", points(range(3)), b"\xff" * 40, points(range(3, 6)))
    log = open_log(tmp_path, watch=False, cache=False).wait()
    report = client_for(log, notices=("--db has nothing to do here",)).api("damage")
    assert report["damage_count"] == len(report["damage"]) >= 1
    assert report["damage"][0]["run"] == "bad"
    assert "bad" in report["damage"][0]["text"]
    assert report["warnings"][0] == "--db has nothing to do here"


def test_reload_looks_at_all_files_now(tmp_path: Path) -> None:
    client = client_for(two_runs(tmp_path))
    write_run(tmp_path / "c", points(range(2)))
    assert client.post("/api/v1/reload").status_code == 204
    assert client.api("runs")["name"] == ["a", "b", "c"]


def test_large_json_is_compressed_for_those_who_take_it(tmp_path: Path) -> None:
    for number in range(40):
        write_run(tmp_path / f"run-{number}", points([1]))
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    packed = client.get("/api/v1/runs", headers={"accept-encoding": "gzip"})
    plain = client.get("/api/v1/runs", headers={"accept-encoding": "identity"})
    refused = client.get("/api/v1/runs", headers={"accept-encoding": "gzip;q=0"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert packed.json() == plain.json()
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in refused.headers

"""GET runs/fields: hyper-parameters by the numbers of runs."""

from __future__ import annotations

import math
from pathlib import Path

from sightline import SummaryWriter
from sightline.log import open_log
from tests.server.clients import client_for, two_runs


def test_fields_name_runs_by_number_and_what_is_not_finite_by_word(tmp_path: Path) -> None:
    for name, rate in (("x", 0.1), ("y", math.inf)):
        with SummaryWriter(str(tmp_path / name)) as writer:
            writer.add_hparams({"lr": rate, "amp": name == "x"}, {})
    log = open_log(tmp_path, watch=False, cache=False).wait()
    client = client_for(log)
    runs = client.api("runs")
    number = dict(zip(runs["name"], runs["id"], strict=True))
    answer = client.api("runs/fields", params={"server_id": runs["server_id"]})
    assert answer["server_id"] == runs["server_id"]
    fields = {field["name"]: field for field in answer["fields"]}
    lr = fields["lr"]
    assert lr["kind"] == "number"
    assert dict(zip(lr["run"], lr["value"], strict=True)) == {number["x"]: 0.1, number["y"]: "Infinity"}
    assert dict(zip(fields["amp"]["run"], fields["amp"]["value"], strict=True)) == {
        number["x"]: True,
        number["y"]: False,
    }


def test_fields_that_did_not_change_are_not_sent_again(tmp_path: Path) -> None:
    client = client_for(two_runs(tmp_path))
    first = client.get("/api/v1/runs/fields")
    assert first.json()["fields"] == []
    headers = {"if-none-match": first.headers["etag"]}
    assert client.get("/api/v1/runs/fields", headers=headers).status_code == 304


def test_numbers_of_an_earlier_start_are_refused(tmp_path: Path) -> None:
    client = client_for(two_runs(tmp_path))
    assert client.get("/api/v1/runs/fields", params={"server_id": "before"}).status_code == 409

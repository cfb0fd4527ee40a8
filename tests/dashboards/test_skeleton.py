"""The template of a dashboard works once it is registered, and needs nothing but that line."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from scripts import gen_types
from sightline import dashboards
from sightline.dashboards.skeleton import SKELETON
from sightline.log import open_log
from tests.dashboards.frame_decoder import decode_media_frame
from tests.event_logs import write_run
from tests.fixtures import event_bytes as eb
from tests.server.clients import InProcess, client_for

FLOAT = 1


def tensor_record(step: int, *sizes: int) -> bytes:
    count = 1
    for size in sizes:
        count *= size
    content = eb.blob(4, struct.pack(f"<{count}f", *range(count)))
    meta = eb.metadata(b"somebody_elses_plugin")
    return eb.tensor_record(b"weights", FLOAT, eb.shape(*sizes), content, step=step, meta=meta)


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> InProcess:
    monkeypatch.setattr(dashboards, "BUILT_IN", (*dashboards.BUILT_IN, SKELETON))
    damaged = eb.tensor_record(b"weights", FLOAT, eb.shape(3), eb.blob(4, b"\0"), step=9)
    write_run(tmp_path / "a", tensor_record(1, 2, 3), tensor_record(5, 4), damaged)
    return client_for(open_log(tmp_path, watch=False, cache=False).wait())


def ask(client: InProcess, **changes: Any) -> Any:
    last = {"run": 0, "tag": "weights", "index": 2, "step": 9}
    return client.get("/api/v1/skeleton/values", params={**last, **changes})


def test_it_is_not_registered() -> None:
    assert SKELETON not in dashboards.all_dashboards()


def test_values_have_steps_and_shapes_and_a_damaged_one_says_so(client: InProcess) -> None:
    client.api("runs")
    answer = ask(client, count=100).json()
    assert answer["steps"] == [1, 5, 9]
    assert answer["texts"][:2] == ["float32 2 × 3", "float32 4"]
    assert "Cannot decode" in answer["texts"][2]


def test_only_the_values_up_to_the_named_one_are_read_that_are_asked_for(client: InProcess) -> None:
    client.api("runs")
    assert ask(client, count=2).json()["steps"] == [5, 9]
    assert ask(client, index=1, step=5).json()["steps"] == [5]
    assert ask(client, count=101).status_code == 422


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"tag": "no such tag"}, 404), ({"run": 7}, 404), ({"server_id": "another"}, 409), ({"run": "a"}, 422)],
)
def test_what_is_not_there_is_an_error(client: InProcess, changes: dict[str, Any], status: int) -> None:
    client.api("runs")
    assert ask(client, **changes).status_code == status


def test_its_kind_is_known_to_the_routes_of_all_kinds(client: InProcess) -> None:
    client.api("runs")
    query = {"kind": "tensor", "tag": "weights", "runs": [0]}
    _, (series,) = decode_media_frame(client.post("/api/v1/media/series", json={"queries": [query]}).content)
    assert series["step"] == [1, 5, 9]


@pytest.mark.usefixtures("client")
def test_the_pages_types_know_it() -> None:
    text = gen_types.typescript()
    assert "export interface SkeletonAnswer {\n  steps: number[];\n  texts: string[];\n}" in text
    assert " | 'tensor'" in text

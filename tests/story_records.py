"""Event files with the records of a run's story, put together by hand as docs/format.md describes them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.event_logs import BEGIN_S
from tests.fixtures import event_bytes as eb

T = BEGIN_S


def start(story_id: str = "a", time: float = T, **facts: object) -> str:
    return json.dumps({"sightline": "run_start", "id": story_id, "time": time, **facts})


def end(story_id: str = "a", time: float = T + 60, status: str = "finished", **facts: object) -> str:
    record = {"sightline": "run_end", "id": story_id, "time": time, "status": status, "duration_s": 60}
    return json.dumps({**record, **facts})


def log_message(message: str, *, wall_time: float = 0.0) -> bytes:
    body = eb.integer(1, 20) + eb.blob(2, message.encode())
    return eb.record((eb.double(1, wall_time) if wall_time else b"") + eb.blob(6, body))


def our_version() -> bytes:
    return eb.record(
        eb.event(eb.blob(3, b"brain.Event:2"), eb.blob(10, eb.blob(1, b"sightline.writer")), wall_time=T)
    )


def write_ours(directory: Path, *records: bytes, name: str = "events.out.tfevents.1.a") -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name
    path.write_bytes(our_version() + b"".join(records))
    return path

"""The Audio routes: sounds to be played, waveforms, and sentences for what is neither."""

from __future__ import annotations

import io
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sightline.log import open_log
from tests.event_logs import write_run
from tests.fixtures import event_bytes as eb
from tests.server.clients import InProcess, client_for

STRING = 7
HALF = np.full(800, 16384, "<i2")


def sound(samples: np.ndarray[Any, Any], *, rate_hz: int = 8000) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(samples.tobytes())
    return out.getvalue()


GOOD = sound(HALF)
STREAMED = GOOD[:40] + bytes(4) + GOOD[44:]
DAMAGED = b"RIFF\0\0\0\0WAVEfmt "


def batch(tag: bytes, step: int, *rows: tuple[bytes, bytes]) -> bytes:
    """Sounds with labels, as tf.summary.audio writes them."""
    cells = b"".join(eb.blob(8, cell) for row in rows for cell in row)
    meta = eb.metadata(b"audio", content=eb.integer(2, 11))
    return eb.tensor_record(tag, STRING, eb.shape(len(rows), 2), cells, step=step, meta=meta)


@pytest.fixture
def client(tmp_path: Path) -> InProcess:
    write_run(
        tmp_path / "a",
        batch(b"speech", 10, (GOOD, b"**first**"), (STREAMED, b"second")),
        batch(b"speech", 20, (DAMAGED, b""), (b"fLaC" + bytes(20), b"flac")),
        batch("ton/ä…".encode(), 5, (GOOD, b"")),
    )
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    assert client.api("runs")["name"] == ["a"]
    return client


def ask(client: InProcess, route: str, step: int, sample: int = 0, **more: Any) -> Any:
    address = {"run": 0, "tag": "speech", "index": step // 10 - 1, "step": step, "sample": sample}
    headers = more.pop("headers", {})
    return client.get(f"/api/v1/audio/{route}", params={**address, **more}, headers=headers)


def test_a_sound_is_sent_as_it_was_logged(client: InProcess) -> None:
    answer = ask(client, "sound", 10)
    assert answer.status_code == 200
    assert answer.content == GOOD
    assert answer.headers["content-type"] == "audio/wav"
    assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "content-disposition" not in answer.headers


def test_every_sound_is_sent_as_it_was_logged(client: InProcess) -> None:
    assert ask(client, "sound", 10, 1).content == STREAMED
    saved = ask(client, "sound", 10, 1, download="true")
    assert saved.content == STREAMED
    assert saved.headers["content-disposition"] == 'attachment; filename="speech_step_10_sample_1.wav"'
    flac = ask(client, "sound", 20, 1)
    assert (flac.content[:4], flac.headers["content-type"]) == (b"fLaC", "audio/flac")


def test_peaks_tell_everything_about_the_sound(client: InProcess) -> None:
    peaks = ask(client, "peaks", 10, buckets=4).json()
    assert peaks == {
        "mime_type": "audio/wav",
        "label": "**first**",
        "samples": 2,
        "size_bytes": len(GOOD),
        "is_decoded": True,
        "rate_hz": 8000,
        "channels": 1,
        "bits": 16,
        "duration_s": 0.1,
        "rms": 0.5,
        "least": [0.5] * 4,
        "greatest": [0.5] * 4,
        "note": "",
    }
    assert "leaves the length open" in ask(client, "peaks", 10, 1).json()["note"]
    assert ask(client, "peaks", 20, 1).json()["is_decoded"] is False


def test_damage_has_a_sentence_and_can_be_saved(client: InProcess) -> None:
    answer = ask(client, "peaks", 20)
    assert answer.status_code == 422
    assert "ends within its header" in answer.json()["error"]
    for asked in ({}, {"download": "true"}):
        assert ask(client, "sound", 20, **asked).content == DAMAGED


@pytest.mark.parametrize("route", ["sound", "peaks"])
def test_the_same_sound_is_not_sent_twice(client: InProcess, route: str) -> None:
    first = ask(client, route, 10)
    again = ask(client, route, 10, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert ask(client, route, 10, 1).headers["etag"] != first.headers["etag"]


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"sample": 2}, 404), ({"step": 11}, 404), ({"run": 7}, 404), ({"tag": "x"}, 404), ({"index": -1}, 422)],
)
def test_what_is_not_there_is_said(client: InProcess, changes: dict[str, Any], status: int) -> None:
    for route in ("sound", "peaks"):
        address = {"run": 0, "tag": "speech", "index": 0, "step": 10, **changes}
        assert client.get(f"/api/v1/audio/{route}", params=address).status_code == status


def test_another_start_of_the_server_is_refused(client: InProcess) -> None:
    assert ask(client, "sound", 10, server_id="other").status_code == 409


def test_names_of_saved_files_are_plain(client: InProcess) -> None:
    params = {"run": 0, "tag": "ton/ä…", "index": 0, "step": 5, "download": "true"}
    answer = client.get("/api/v1/audio/sound", params=params)
    assert answer.headers["content-disposition"] == 'attachment; filename="ton_step_5.wav"'

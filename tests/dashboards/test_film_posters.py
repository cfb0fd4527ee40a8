"""Films in grids, where the server cannot decode them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from sightline.log import open_log
from sightline.media.film_posters import has_film_decoder
from tests.event_logs import image_record, write_run
from tests.server.clients import client_for

av = pytest.importorskip("av")

from tests.media.test_films import MP4  # noqa: E402  (needs PyAV)


def test_without_a_decoder_the_answer_says_that_it_is_a_film(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path / "a", image_record("film", 0, MP4))
    log = open_log(tmp_path, watch=False, cache=False).wait()
    client = client_for(log)
    assert client.api("runs")["name"] == ["a"]
    asked = {"run": 0, "tag": "film", "index": 0, "step": 0}
    with_poster = client.get("/api/v1/images/thumbnail", params=asked)
    assert with_poster.content
    # The next start of the server is one without a decoder.
    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.setattr("sightline.dashboards.images.pictures.has_film_decoder", has_film_decoder.__wrapped__)
    client = client_for(log)
    client.api("runs")
    answer = client.get("/api/v1/images/thumbnail", params=asked)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"] == "video/mp4"
    told = json.loads(answer.headers["sightline-facts"])
    assert told == json.loads(with_poster.headers["sightline-facts"])
    assert told["mime_type"] == "video/mp4"
    etag = answer.headers["etag"]
    assert etag != with_poster.headers["etag"]
    again = client.get("/api/v1/images/thumbnail", params=asked, headers={"if-none-match": etag})
    assert again.status_code == 304

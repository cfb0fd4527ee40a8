"""The Images routes over HTTP: small pictures, those that were logged, their pixels and frames, and many as a
file."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert

from sightline.dashboards.images import archive
from sightline.dashboards.images.archive import MISSING_NAME, safe_part
from sightline.dashboards.images.schemas import PictureZipRequest
from sightline.log import Log, open_log
from sightline.media import pictures
from sightline.model import byte_source
from sightline.model.kinds import Kind
from sightline.query import media_items
from tests.event_logs import image_record, image_tensor_record, write_run
from tests.media.encoded import animation, decode, deep_png, encode, image, photo, png_bomb, rgba
from tests.server.clients import InProcess, client_for

LOGS = Path(__file__).parent.parent / "fixtures" / "logs"
SANDBOX = "sandbox; default-src 'none'"
LARGE = encode(image(photo(400, 600)), "PNG")
SMALL = encode(image(photo(40, 60)), "PNG")
FILM = animation([photo(), photo() // 2, photo() // 3], "GIF", [40, 50, 60])
DEEP = np.random.default_rng(0).integers(0, 65_536, (6, 5, 3), dtype=np.uint16)
MASK = image(photo(400, 600, channels=1))
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    root = tmp_path_factory.mktemp("log")
    write_run(
        root / "a" / "b",
        image_record("large", 0, LARGE),
        image_record("large", 7, SMALL),
        image_record("film", 0, FILM),
        image_record("deep", 0, deep_png(DEEP)),
        image_record("svg", 0, SVG),
        image_record("bomb", 0, png_bomb(20_000)),
        image_record("cut", 0, SMALL[:200]),
        image_record("../../up: *", 3, SMALL),
        image_tensor_record("batch", 5, SMALL, LARGE, FILM),
        image_tensor_record("empty", 5),
        image_record("mask", 0, encode(MASK.convert("RGB"), "PNG")),
        image_record("small mask", 0, encode(MASK.convert("RGB").resize((20, 20)), "PNG")),
        image_record("grey", 0, encode(MASK, "PNG")),
        image_record("grey film", 0, animation([photo(channels=1), photo(channels=1) // 2], "GIF", [40, 50])),
    )
    return open_log(root, watch=False, cache=root / "cache").wait()


@pytest.fixture(scope="module")
def client(log: Log) -> InProcess:
    client = client_for(log)
    assert client.api("runs")["name"] == ["a/b"]
    return client


def ask(
    client: InProcess,
    route: str,
    tag: str,
    *,
    step: int = 0,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> httpx.Response:
    asked = {"run": 0, "tag": tag, "index": 0, "step": step, **more}
    answer = client.get(f"/api/v1/images/{route}", params=asked, headers=headers)
    assert answer.headers["x-content-type-options"] == "nosniff"
    return answer


def facts(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-security-policy"] == SANDBOX
    return json.loads(answer.headers["sightline-facts"])


# ── one picture ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [128, 256, 512])
def test_a_thumbnail_is_never_larger_than_asked_for(client: InProcess, size: int) -> None:
    answer = ask(client, "thumbnail", "large", size=size)
    told = facts(answer)
    assert (told["width"], told["height"], told["size_bytes"]) == (600, 400, len(LARGE))
    assert (told["mime_type"], told["bits"], told["channels"], told["frames"]) == ("image/png", 8, 3, 1)
    assert told["is_original"] is False
    assert max(decode(answer.content).size) == size
    assert answer.headers["content-type"] == "image/jpeg"


def test_a_small_picture_comes_as_it_was_logged(client: InProcess) -> None:
    answer = ask(client, "thumbnail", "large", step=7, index=1)
    assert facts(answer)["is_original"] is True
    assert answer.content == SMALL
    assert answer.headers["content-type"] == "image/png"


def test_an_index_that_moved_is_found_by_its_step(client: InProcess) -> None:
    assert ask(client, "original", "large", step=7, index=0).content == SMALL


def test_samples_of_a_batch(client: InProcess) -> None:
    for sample, data in enumerate((SMALL, LARGE, FILM)):
        answer = ask(client, "original", "batch", step=5, sample=sample)
        assert answer.content == data
        assert facts(answer)["samples"] == 3
    missing = ask(client, "thumbnail", "batch", step=5, sample=3)
    assert missing.status_code == 404
    assert "it has 3" in missing.json()["error"]


def test_the_original_is_what_was_logged(client: InProcess) -> None:
    answer = ask(client, "original", "film")
    told = facts(answer)
    assert answer.content == FILM
    assert answer.headers["content-type"] == "image/gif"
    assert (told["frames"], told["is_original"]) == (3, True)
    assert told["duration_s"] == pytest.approx(0.15)
    assert "content-disposition" not in answer.headers


def test_a_download_has_a_name(client: InProcess) -> None:
    answer = ask(client, "original", "../../up: *", step=3, download="true")
    assert answer.headers["content-disposition"] == 'attachment; filename="up_step_3.png"'


@pytest.mark.parametrize("route", ["thumbnail", "original", "pixels", "frames"])
def test_what_is_known_already_is_not_sent_again(client: InProcess, route: str) -> None:
    etag = ask(client, route, "large").headers["etag"]
    again = ask(client, route, "large", headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    other = ask(client, route, "large", step=7, index=1, headers={"if-none-match": etag})
    assert other.status_code == 200


@pytest.mark.parametrize("route", ["thumbnail", "original", "pixels", "frames"])
def test_what_is_known_already_is_not_even_looked_at(
    client: InProcess, route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    etag = ask(client, route, "batch", step=5, sample=2).headers["etag"]
    monkeypatch.setattr(media_items.FoundItem, "open", None)
    again = ask(client, route, "batch", step=5, sample=2, headers={"if-none-match": f'"other", W/{etag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)


def test_any_answer_is_only_one_that_there_is(client: InProcess) -> None:
    for tag, step, sample, status in (("large", 0, 0, 304), ("batch", 5, 9, 404), ("svg", 0, 0, 422)):
        answer = ask(client, "pixels", tag, step=step, sample=sample, headers={"if-none-match": "*"})
        assert answer.status_code == status


def test_a_batch_is_read_once_for_all_its_thumbnails(
    client: InProcess, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_bytes = 0
    series = log.store.get("a/b").media(Kind.image)["batch"]
    tag = series._tag

    def counted(place: Any) -> bytes:
        nonlocal read_bytes
        read_bytes += place.length
        return tag.read_bytes(place)

    monkeypatch.setattr(series, "_tag", replace(tag, read_bytes=counted))
    for sample in (1, 2):  # the first is its own thumbnail
        first = ask(client, "thumbnail", "batch", step=5, sample=sample)
        read_bytes = 0
        again = ask(client, "thumbnail", "batch", step=5, sample=sample)
        assert read_bytes == 0
        assert facts(again) == facts(first)
        assert again.content == first.content


def test_what_is_grey_is_known_whatever_channels_it_has(client: InProcess) -> None:
    assert facts(ask(client, "thumbnail", "mask"))["channels"] == 3
    for tag, is_grey in (("mask", True), ("small mask", True), ("large", False), ("grey film", False)):
        assert facts(ask(client, "thumbnail", tag))["is_grey"] is is_grey
    assert facts(ask(client, "original", "mask"))["is_grey"] is False  # by its header
    assert facts(ask(client, "original", "grey"))["is_grey"] is True


def test_other_sizes_have_other_etags(client: InProcess) -> None:
    etags = {ask(client, "thumbnail", "large", size=size).headers["etag"] for size in (128, 256, 512)}
    assert len(etags) == 3


# ── not a picture ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("route", ["thumbnail", "original", "pixels", "frames"])
@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ("svg", "because documents can run scripts"),
        ("bomb", "20,000 × 20,000 pixels"),
        ("empty", "an empty batch was logged"),
    ],
)
def test_what_cannot_be_shown_is_a_sentence(client: InProcess, route: str, tag: str, sentence: str) -> None:
    answer = ask(client, route, tag, step=5 if tag == "empty" else 0)
    assert answer.status_code == 422
    assert sentence in answer.json()["error"]


@pytest.mark.parametrize("route", ["thumbnail", "pixels", "frames"])
def test_a_picture_that_is_cut_off_is_a_sentence(client: InProcess, route: str) -> None:
    answer = ask(client, route, "cut")
    assert answer.status_code == 422
    assert "its end is missing" in answer.json()["error"]


def test_limits_come_before_decoding(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "essential_png", None)  # the first thing on the way to Pillow
    for route in ("thumbnail", "pixels", "frames"):
        assert ask(client, route, "bomb").status_code == 422


def test_a_step_of_too_many_bytes_is_not_read(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_items, "MAX_VALUE_BYTES", len(LARGE))
    answer = ask(client, "original", "large")
    assert answer.status_code == 422
    assert "too large to be read" in answer.json()["error"]


@pytest.mark.parametrize(
    ("tag", "ending", "media_type"),
    [("svg", "bin", "application/octet-stream"), ("bomb", "png", "image/png")],
)
def test_anything_can_be_downloaded(client: InProcess, tag: str, ending: str, media_type: str) -> None:
    answer = ask(client, "original", tag, download="true")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == media_type
    assert answer.headers["content-disposition"] == f'attachment; filename="{tag}_step_0.{ending}"'
    assert answer.headers["content-security-policy"] == SANDBOX


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"run": 77}, 404),
        ({"tag": "nothing"}, 404),
        ({"step": 1}, 404),
        ({"server_id": "0" * 16}, 409),
        ({"size": 300}, 422),
        ({"sample": -1}, 422),
    ],
)
def test_questions_about_what_is_not_there(client: InProcess, changes: dict[str, Any], status: int) -> None:
    asked = {"run": 0, "tag": "large", "index": 0, "step": 0, **changes}
    answer = client.get("/api/v1/images/thumbnail", params=asked)
    assert answer.status_code == status
    assert answer.json()["error"]


# ── pixels and frames ────────────────────────────────────────────────────────────────────────────────────


def test_pixels_are_exact(client: InProcess) -> None:
    answer = ask(client, "pixels", "deep")
    told = facts(answer)
    assert (told["width"], told["height"], told["channels"], told["bits"]) == (5, 6, 3, 16)
    found = np.frombuffer(answer.content, "<u2").reshape(6, 5, 3)
    np.testing.assert_array_equal(found, DEEP)


def test_frames_come_in_one_answer(client: InProcess) -> None:
    answer = ask(client, "frames", "film")
    assert facts(answer)["frames"] == 3
    body = answer.content
    (length,) = struct.unpack_from("<I", body)
    header = json.loads(body[4 : 4 + length])
    assert header["mime_type"] == "image/png"
    assert (header["width"], header["height"], header["is_cut"]) == (90, 60, False)
    assert header["durations_ms"] == [40, 50, 60]
    assert 4 + length + sum(header["sizes"]) == len(body)
    at = 4 + length
    for number, size in enumerate(header["sizes"]):
        oracle = decode(FILM)
        oracle.seek(number)
        np.testing.assert_array_equal(rgba(body[at : at + size]), np.asarray(oracle.convert("RGBA")))
        at += size


# ── many ─────────────────────────────────────────────────────────────────────────────────────────────────


def address(tag: str, step: int = 0, **more: int) -> dict[str, Any]:
    return {"run": 0, "tag": tag, "index": 0, "step": step, **more}


def unzipped(answer: httpx.Response) -> dict[str, bytes]:
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as made:
        assert made.testzip() is None
        assert {entry.compress_type for entry in made.infolist()} == {zipfile.ZIP_STORED}
        return {entry.filename: made.read(entry) for entry in made.infolist()}


def test_a_zip_holds_pictures_as_they_were_logged(client: InProcess) -> None:
    wanted = [
        address("large"),
        address("large", 7),
        address("large"),
        address("batch", 5, sample=1),
        address("batch", 5, sample=2),
        address("svg"),
        address("../../up: *", 3),
    ]
    answer = client.post("/api/v1/images/zip", json={"pictures": wanted})
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == 'attachment; filename="images.zip"'
    assert unzipped(answer) == {
        "a/b/large/step_0.png": LARGE,
        "a/b/large/step_7.png": SMALL,
        "a/b/batch/step_5_sample_1.png": LARGE,
        "a/b/batch/step_5_sample_2.gif": FILM,
        "a/b/svg/step_0.bin": SVG,
        "a/b/up_ _/step_3.png": SMALL,
    }


def test_a_zip_is_made_in_pieces(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """However large a picture is, no more than a piece of it is on its way."""
    monkeypatch.setattr(byte_source, "PIECE_BYTES", 1_000)
    asked = convert({"pictures": [address("large"), address("large", 7)]}, PictureZipRequest)
    pieces = list(archive.zip_of(client.app.state.context, asked).pieces)
    assert len(pieces) > len(LARGE) / 1_000
    assert max(map(len, pieces)) < 1_500  # with names, and the list at the end
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as made:
        assert made.read("a/b/large/step_0.png") == LARGE


def test_a_zip_tells_what_is_missing(client: InProcess) -> None:
    wanted = [address("large"), address("large", 99), address("nothing"), {**address("large"), "run": 5}]
    found = unzipped(client.post("/api/v1/images/zip", json={"pictures": wanted}))
    assert set(found) == {"a/b/large/step_0.png", MISSING_NAME}
    lines = found[MISSING_NAME].decode().splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("a/b, large, step 99, sample 0: No step of image")
    assert lines[2].startswith("run number 5, large, step 0")


@pytest.mark.parametrize("body", [{"pictures": []}, {"pictures": [address("large")] * 10_001}, {}])
def test_a_zip_has_one_picture_at_least_and_not_too_many(client: InProcess, body: dict[str, Any]) -> None:
    assert client.post("/api/v1/images/zip", json=body).status_code == 422


def test_a_zip_of_an_earlier_server_is_refused(client: InProcess) -> None:
    body = {"pictures": [address("large")], "server_id": "0" * 16}
    assert client.post("/api/v1/images/zip", json=body).status_code == 409


def test_names_that_become_the_same_stay_apart(tmp_path: Path) -> None:
    other = encode(image(photo(41, 60)), "PNG")
    write_run(tmp_path, image_record("a?b", 1, SMALL), image_record("A*b", 1, other))
    with open_log(tmp_path, watch=False, cache=False) as log:
        client = client_for(log.wait())
        client.api("runs")
        wanted = [address("a?b", 1), address("A*b", 1)]
        found = unzipped(client.post("/api/v1/images/zip", json={"pictures": wanted}))
    assert len({name.lower() for name in found}) == 2
    assert sorted(found.values()) == sorted([SMALL, other])


@given(st.text(max_size=200))
def test_a_part_of_a_path_is_safe(text: str) -> None:
    part = safe_part(text.replace("/", ""))
    assert not part.startswith(".")
    assert not part.endswith((".", " "))
    assert not set(part) & set('<>:"|?*\\/\0\n')
    assert len(part.encode()) <= 241


# ── logs of real programs ────────────────────────────────────────────────────────────────────────────────

REAL = [
    "torch/media",
    "tensorboardx/media",
    "tf2/summaries",
    "tf2/summary_calls",
    "tf1/file_writer",
    "keras/fit",
]


@pytest.mark.parametrize("name", REAL)
def test_every_picture_of_real_logs(name: str) -> None:
    with open_log(LOGS / name, watch=False, cache=False) as log:
        log.wait()
        client = client_for(log)
        runs = client.api("runs")
        numbers = dict(zip(runs["name"], runs["id"], strict=True))
        shown = 0
        for run in log.store.runs():
            for tag, series in run.media(Kind.image).items():
                for index, item in enumerate(series):
                    for sample, data in enumerate(item.samples):
                        more = {"run": numbers[run.name], "index": index, "sample": sample}
                        check_picture(client, tag, item.step, data, more)
                        shown += 1
        assert shown > 0


def check_picture(client: InProcess, tag: str, step: int, data: bytes, more: dict[str, int]) -> None:
    oracle = decode(data)
    original = ask(client, "original", tag, step=step, **more)
    told = facts(original)
    assert original.content == data
    assert (told["width"], told["height"]) == oracle.size
    assert told["frames"] == getattr(oracle, "n_frames", 1)
    small = ask(client, "thumbnail", tag, step=step, size=128, **more)
    assert facts(small)["size_bytes"] == len(data)
    assert max(decode(small.content).size) == min(128, max(oracle.size))
    pixels = ask(client, "pixels", tag, step=step, **more)
    exact = facts(pixels)
    found = np.frombuffer(pixels.content, np.uint8).reshape(
        exact["height"], exact["width"], exact["channels"]
    )
    np.testing.assert_array_equal(
        np.asarray(image(found).convert("RGBA")), np.asarray(oracle.convert("RGBA"))
    )
    assert ask(client, "frames", tag, step=step, **more).status_code == 200


def test_what_torch_draws_is_there() -> None:
    """The recorded log has boxes, a figure and a film; those are what is checked above."""
    with open_log(LOGS / "torch/media", watch=False, cache=False) as log:
        (run,) = log.wait().store.runs()
        types = {tag: series[0].mime_type for tag, series in run.media(Kind.image).items()}
    assert types == {
        "image": "image/png",
        "grey": "image/png",
        "images": "image/png",
        "boxes": "image/png",
        "figure": "image/png",
        "video": "image/gif",
    }

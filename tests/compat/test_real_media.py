"""Every picture, sound and text of the logs of real programs: what our routes answer, against what
TensorBoard's own loader reads from the same files."""

from __future__ import annotations

import io
import json
import wave
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tensorboard.util import tensor_util

from sightline.log import open_log
from tests.dashboards.frame_decoder import decode_media_frame
from tests.server.clients import InProcess, client_for

LOGS = Path(__file__).parents[1] / "fixtures" / "logs"
KIND_OF_PLUGIN = {"images": "image", "audio": "audio", "text": "text"}
Value = tuple[int, np.ndarray]
Series = dict[tuple[str, str, str], list[Value]]
"""By run, kind and tag: steps, and strings as TensorBoard hands them to its dashboards."""


def values_in(directory: Path) -> Series:
    found: Series = defaultdict(list)
    for path in sorted(directory.rglob("*tfevents*")):
        run = path.parent.relative_to(directory).as_posix()
        plugins: dict[str, str] = {}
        for event in EventFileLoader(str(path)).Load():
            for value in event.summary.value:
                plugin = plugins.setdefault(value.tag, value.metadata.plugin_data.plugin_name)
                if plugin in KIND_OF_PLUGIN and value.HasField("tensor"):
                    strings = tensor_util.make_ndarray(value.tensor)
                    found[run, KIND_OF_PLUGIN[plugin], value.tag].append((event.step, strings))
    return found


FOUND = {
    path.relative_to(LOGS).as_posix(): values
    for path in sorted(LOGS.glob("*/*"))
    if path.is_dir() and (values := values_in(path))
}


def test_the_logs_of_every_library_that_writes_media_are_here() -> None:
    kinds = {(name.split("/")[0], kind) for name, values in FOUND.items() for _, kind, _ in values}
    everything = {"image", "audio", "text"}
    expected = {"jax": everything, "tensorboardx": everything, "tf1": everything, "tf2": everything}
    expected |= {"torch": everything, "keras": {"image"}}
    assert kinds >= {(library, kind) for library, wanted in expected.items() for kind in wanted}


@pytest.mark.filterwarnings("ignore")  # of TensorBoard
@pytest.mark.parametrize("name", FOUND)
def test_every_value_has_an_answer(name: str) -> None:
    with open_log(LOGS / name, watch=False, cache=False) as log:
        client = client_for(log.wait())
        runs = client.api("runs")
        numbers = dict(zip(runs["name"], runs["id"], strict=True))
        for (run, kind, tag), values in FOUND[name].items():
            query = {"kind": kind, "tag": tag, "runs": [numbers[run]]}
            answer = client.post("/api/v1/media/series", json={"queries": [query]})
            _, (series,) = decode_media_frame(answer.content)
            assert series["step"] == [step for step, _ in values]
            for index, (step, strings) in enumerate(values):
                asked = {"run": numbers[run], "tag": tag, "index": index, "step": step}
                CHECK_OF_KIND[kind](client, asked, strings)


def answered(client: InProcess, route: str, asked: dict[str, Any]) -> Any:
    answer = client.get(f"/api/v1/{route}", params=asked)
    assert answer.status_code == 200, answer.text
    return answer


def check_empty(client: InProcess, route: str, asked: dict[str, Any]) -> None:
    """An empty batch was logged: a sentence says so."""
    answer = client.get(f"/api/v1/{route}", params=asked)
    assert answer.status_code in (404, 422)
    assert len(answer.json()["error"]) > 20


def check_pictures(client: InProcess, asked: dict[str, Any], strings: np.ndarray) -> None:
    samples = strings[2:]  # behind width and height
    if not len(samples):
        check_empty(client, "images/thumbnail", asked)
    for sample, data in enumerate(samples):
        of_sample = {**asked, "sample": sample}
        assert answered(client, "images/original", of_sample).content == data
        small = answered(client, "images/thumbnail", {**of_sample, "size": 128})
        facts = json.loads(small.headers["sightline-facts"])
        oracle = PIL.Image.open(io.BytesIO(data))
        assert (facts["width"], facts["height"], facts["size_bytes"]) == (*oracle.size, len(data))
        assert facts["mime_type"] == PIL.Image.MIME[str(oracle.format)]
        assert (facts["samples"], facts["frames"]) == (len(samples), getattr(oracle, "n_frames", 1))
        assert max(PIL.Image.open(io.BytesIO(small.content)).size) == min(128, max(oracle.size))


def check_sounds(client: InProcess, asked: dict[str, Any], strings: np.ndarray) -> None:
    if not len(strings):
        check_empty(client, "audio/peaks", asked)
        return
    rows = strings.reshape(len(strings), -1)  # a sound, and a label where there are some
    for sample, row in enumerate(rows):
        of_sample = {**asked, "sample": sample}
        assert answered(client, "audio/sound", {**of_sample, "download": True}).content == row[0]
        with wave.open(io.BytesIO(row[0])) as oracle:
            has_frames = oracle.getnframes() > 0
        if not has_frames:
            assert answered(client, "audio/peaks", of_sample).json()["note"] == "The sound has no samples"
            continue
        played = answered(client, "audio/sound", of_sample)
        assert played.headers["content-type"] == "audio/wav"
        with wave.open(io.BytesIO(played.content)) as oracle:
            facts = answered(client, "audio/peaks", {**of_sample, "buckets": 16}).json()
            assert (facts["rate_hz"], facts["channels"]) == (oracle.getframerate(), oracle.getnchannels())
            assert facts["bits"] == 8 * oracle.getsampwidth()
            assert facts["duration_s"] == pytest.approx(oracle.getnframes() / oracle.getframerate())
            assert (facts["samples"], facts["size_bytes"], facts["note"]) == (len(rows), len(row[0]), "")
            assert facts["label"] == (row[1].decode() if len(row) > 1 else "")
            assert oracle.getsampwidth() == 2
            numbers = np.frombuffer(oracle.readframes(oracle.getnframes()), "<i2") / 32768
        assert max(facts["greatest"]) == pytest.approx(numbers.max(), abs=1e-4)
        assert min(facts["least"]) == pytest.approx(numbers.min(), abs=1e-4)
        assert facts["rms"] == pytest.approx(np.sqrt((numbers**2).mean()), abs=1e-4)


def check_texts(client: InProcess, asked: dict[str, Any], strings: np.ndarray) -> None:
    facts = answered(client, "text/item", asked).json()
    assert facts["step"] == asked["step"]
    first_slice = strings.reshape(-1, *strings.shape[-2:])[0] if strings.ndim > 2 else strings
    assert facts["cells"] == [cell.decode(errors="backslashreplace") for cell in first_slice.ravel()]
    assert (facts["is_cut"], facts["rows"] * facts["columns"]) == (False, first_slice.size)


CHECK_OF_KIND = {"image": check_pictures, "audio": check_sounds, "text": check_texts}

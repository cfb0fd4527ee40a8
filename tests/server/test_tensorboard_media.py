"""TensorBoard's routes for images, audio and text, against the real TensorBoard on the same directory.

Every series here has at most ten steps, so that TensorBoard keeps them all. Chosen differences are listed in
docs/http-api.md, and each has a test here that says so.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest

from sightline import SummaryWriter
from sightline.dashboards import descriptions, tensorboard_points
from sightline.dashboards.text import tensorboard as text
from sightline.log import open_log
from sightline.summary import create_file_writer
from sightline.summary import image as summary_image
from sightline.summary import text as summary_text
from tests.event_logs import image_record, write_run
from tests.server.both import Both, ask_tensorboard
from tests.server.clients import InProcess, client_for

FIXTURES = Path(__file__).parents[1] / "fixtures/logs"
PLUGINS = "/data/plugin"
RESTARTED = {
    *("purge_step", "reopened", "parallel_writers", "restart_without_start"),
    *("restart_with_start", "restart_in_one_file"),
}

MARKDOWN = {
    "plain": "one *two* **three** `four < 5 & 6`",
    "paragraphs": "first\nline\n\nsecond",
    "lists": "- a\n- b\n\nthen\n\n1. c\n2. d",
    "code": "```python\nprint('<b>')\n```",
    "table": "| a | b |\n|---|:-:|\n| 1 | 2 |",
    "headings": "# One\n\n## Two\n\n> said\n\n---",
    "link": "[here](https://example.org 'title')",
    "script": "before <script>alert(1)</script> after",
    "javascript": "[x](javascript:alert(1)) [y](JaVaScRiPt:alert(1)) [z](data:text/html,x) [m](mailto:a@b.c)",
    "pictures": "![a](https://example.org/x.png 'title') ![b](/x.png) ![c](data:image/png;base64,AAAA)",
}


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("logs")
    shutil.copytree(FIXTURES, directory, dirs_exist_ok=True)
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    with SummaryWriter(str(directory / "ours")) as writer:
        for step in range(4):
            writer.add_image("one", pixels + step, step, dataformats="HWC", walltime=1_760_000_000.5 + step)
            writer.add_video(
                "film", np.stack([pixels, pixels])[np.newaxis], step, dataformats="NTHWC", format="gif"
            )
            writer.add_audio("tone", np.sin(np.arange(100) / (step + 1)), step, walltime=1_760_000_000.5)
        for name, text in MARKDOWN.items():
            writer.add_text(f"markdown/{name}", text, 3, walltime=1_760_000_000.25)
    with create_file_writer(str(directory / "batches")).as_default():
        summary_image("batch", np.zeros([3, 4, 5, 3]), step=0)
        summary_image("batch", np.zeros([2, 4, 5, 3]), step=1)
        summary_text("scalar", "*one*", step=0)
        summary_text("row", ["a", "**b**"], step=0)
        summary_text("table", [["a", "b"], ["c", "`d`"]], step=0)
        summary_text("cube", [[["a", "b"], ["c", "d"]], [["e", "f"], ["g", "h"]]], step=0)
    return directory


@pytest.fixture(scope="module")
def ours(logdir: Path) -> InProcess:
    return client_for(open_log(logdir, watch=False, cache=False).wait())


@pytest.fixture(scope="module")
def both(logdir: Path, ours: InProcess) -> Both:
    questions = [{"path": f"{PLUGINS}/{plugin}/tags"} for plugin in ("images", "audio", "text", "timeseries")]
    for plugin in ("images", "audio"):
        for run, tags in ours.get(f"{PLUGINS}/{plugin}/tags").json().items():
            for tag, facts in tags.items():
                for sample in range(facts["samples"]):
                    query = {"run": run, "tag": tag, "sample": sample}
                    questions.append({"path": f"{PLUGINS}/{plugin}/{plugin}", "query": query})
                    questions += _questions_for_bytes(ours, plugin, query)
        questions.append({"path": f"{PLUGINS}/{plugin}/{plugin}", "query": {"run": "nobody", "tag": "x"}})
    for run, names in ours.get(f"{PLUGINS}/text/tags").json().items():
        for tag in names:
            for markdown in ("true", "false"):
                query = {"run": run, "tag": tag, "markdown": markdown}
                questions.append({"path": f"{PLUGINS}/text/text", "query": query})
    questions.append({"path": f"{PLUGINS}/text/text", "query": {"run": "nobody", "tag": "x"}})
    asked = [
        {"plugin": "images", "tag": "batch", "run": "batches", "sample": sample} for sample in range(4)
    ] + [{"plugin": "images", "tag": "one", "run": "nobody", "sample": 0}]
    questions.append({"path": f"{PLUGINS}/timeseries/timeSeries", "query": {"requests": json.dumps(asked)}})
    return Both(questions, ask_tensorboard(logdir, questions), ours)


def _questions_for_bytes(ours: InProcess, plugin: str, query: dict[str, Any]) -> list[dict[str, Any]]:
    found = ours.get(f"{PLUGINS}/{plugin}/{plugin}", params=query).json()
    route = {"images": "individualImage", "audio": "individualAudio"}[plugin]
    return [
        {
            "path": f"{PLUGINS}/{plugin}/{route}",
            "query": {name: values[0] for name, values in parse_qs(one["query"]).items()},
        }
        for one in found
    ]


def _is_restarted(run: str) -> bool:
    return Path(run).name in RESTARTED


@pytest.mark.parametrize("plugin", ["images", "audio"])
def test_tags_have_the_same_names_descriptions_and_samples(both: Both, plugin: str) -> None:
    real, own = both.one(f"{PLUGINS}/{plugin}/tags")
    assert own == {run: tags for run, tags in real.items() if tags}
    assert own["batches"]["batch"]["samples"] == 3 if plugin == "images" else "ours" in own


def test_text_tags_are_the_same(both: Both) -> None:
    real, own = both.one(f"{PLUGINS}/text/tags")
    assert {run: sorted(tags) for run, tags in own.items()} == {
        run: sorted(tags) for run, tags in real.items() if tags
    }


@pytest.mark.parametrize("plugin", ["images", "audio"])
def test_lists_of_steps_are_the_same_with_the_same_keys(both: Both, plugin: str) -> None:
    compared = 0
    for question, real, own in both.pairs(f"{PLUGINS}/{plugin}/{plugin}"):
        if _is_restarted(question["query"]["run"]):
            continue
        assert own[:2] == real[:2], question
        if own[0] == 200:
            compared += len(own[2])
            # Our keys of repeated steps say more.
            steps = [one["step"] for one in own[2]]
            if len(set(steps)) == len(steps):
                assert own[2] == real[2], question
    assert compared > 10


@pytest.mark.parametrize(("plugin", "route"), [("images", "individualImage"), ("audio", "individualAudio")])
def test_the_bytes_are_the_same(both: Both, plugin: str, route: str) -> None:
    compared = 0
    for question, real, own in both.pairs(f"{PLUGINS}/{plugin}/{route}"):
        if real[0] == 200:
            assert own == real, question
            compared += 1
    assert compared > 5


def test_texts_are_the_same(both: Both) -> None:
    compared = 0
    for question, real, own in both.pairs(f"{PLUGINS}/text/text"):
        if real[0] == 500:  # at bytes that are not UTF-8
            assert own[0] == 200
            continue
        assert own[:2] == real[:2], question
        if _is_restarted(question["query"]["run"]):
            continue
        is_markdown = question["query"].get("markdown") == "true"
        assert [(one["wall_time"], one["step"]) for one in own[2]] == [
            (one["wall_time"], one["step"]) for one in real[2]
        ]
        for mine, theirs in zip(own[2], real[2], strict=True):
            if is_markdown or "<" not in mine["text"].replace("<t", "").replace("</t", ""):
                assert _without_line_ends(mine["text"]) == _without_line_ends(theirs["text"]), question
                compared += 1
    assert compared > 10


def _without_line_ends(html: str) -> str:
    return re.sub(r"\n\s*", "", html)


def test_nothing_in_a_text_becomes_markup_of_its_own(ours: InProcess) -> None:
    query = {"run": "ours", "tag": "markdown/script/text_summary"}
    for markdown in ("true", "false"):
        (one,) = ours.get(f"{PLUGINS}/text/text", params={**query, "markdown": markdown}).json()
        assert "<script" not in one["text"]
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in one["text"]
    (one,) = ours.get(
        f"{PLUGINS}/text/text", params={**query, "tag": "markdown/javascript/text_summary"}
    ).json()
    assert re.findall(r'href="([^"]*)"', one["text"]) == ["mailto:a@b.c"]


def test_time_series_of_images_are_the_same(both: Both, ours: InProcess) -> None:
    real, own = both.one(f"{PLUGINS}/timeseries/timeSeries")
    assert own == real
    assert [len(one["runToSeries"].get("batches", [])) for one in own] == [2, 2, 1, 0, 0]
    real, own = both.one(f"{PLUGINS}/timeseries/tags")
    assert own["images"] == real["images"]
    key = ours.get(f"{PLUGINS}/images/images", params={"run": "ours", "tag": "one"}).json()[2]["query"]
    answer = ours.get(f"{PLUGINS}/timeseries/imageData", params={"imageId": parse_qs(key)["blob_key"][0]})
    assert answer.headers["content-type"] == "image/png"
    assert ours.get(f"{PLUGINS}/timeseries/imageData").status_code == 400


def test_the_same_keys_are_not_sent_any_number_of_times(
    ours: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tensorboard_points, "MAX_POINTS", 1_000)
    one = {"plugin": "images", "run": "batches", "tag": "batch", "sample": 1}
    for times, status in ((10, 200), (501, 413)):
        requests = json.dumps([one] * times)
        answer = ours.post(f"{PLUGINS}/timeseries/timeSeries", data={"requests": requests})
        assert answer.status_code == status, times


def test_every_step_is_there_where_tensorboard_keeps_ten(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        for step in range(25):
            writer.add_image("many", np.full((1, 2, 3), step / 25), step)
            writer.add_text("many", f"step {step}", step)
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    images = client.get(f"{PLUGINS}/images/images", params={"run": ".", "tag": "many"}).json()
    assert [one["step"] for one in images] == list(range(25))
    texts = client.get(f"{PLUGINS}/text/text", params={"run": ".", "tag": "many/text_summary"}).json()
    assert [one["step"] for one in texts] == list(range(25))


def test_both_values_of_a_step_that_was_logged_twice_can_be_had(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        for shade in (0.0, 1.0):
            writer.add_image("twice", np.full((1, 2, 2), shade), 5)
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    found = client.get(f"{PLUGINS}/images/images", params={"run": ".", "tag": "twice"}).json()
    keys = [parse_qs(one["query"])["blob_key"][0] for one in found]
    bodies = [
        client.get(f"{PLUGINS}/images/individualImage", params={"blob_key": key}).content for key in keys
    ]
    assert len(bodies) == 2
    assert bodies[0] != bodies[1]


@pytest.mark.parametrize("step", [-(2**63), 2**63 - 1])
def test_the_first_and_the_last_step_there_can_be_have_keys(tmp_path: Path, step: int) -> None:
    write_run(tmp_path, image_record("x", step, b"data"))
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    (one,) = client.get(f"{PLUGINS}/images/images", params={"run": ".", "tag": "x"}).json()
    assert one["step"] == step
    answer = client.get(f"{PLUGINS}/images/individualImage?{one['query']}")
    assert (answer.status_code, answer.content) == (200, b"data")


@pytest.mark.parametrize("smuggled", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html></html>", b""])
def test_what_is_no_picture_is_not_called_one(tmp_path: Path, smuggled: bytes) -> None:
    write_run(tmp_path, image_record("x", 1, smuggled))
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    (one,) = client.get(f"{PLUGINS}/images/images", params={"run": ".", "tag": "x"}).json()
    answer = client.get(f"{PLUGINS}/images/individualImage?{one['query']}")
    assert (answer.status_code, answer.content) == (200, smuggled)
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "parts",
    [
        *([], {}, 5, ["", "images", "ours", "one"], ["", "images", "ours", "one", "0", 2]),
        *(["", "images", "ours", "one", True, 2], ["", "images", "ours", "one", 0, 10**30]),
        *(["", "images", "ours", "one", 2**63, 2], ["", "images", "ours", "one", -(2**63) - 1, 2]),
        ["", "images", 5, "one", 0, 2],
    ],
)
def test_keys_that_make_no_sense_are_refused(ours: InProcess, parts: Any) -> None:
    key = base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")
    assert ours.get(f"{PLUGINS}/images/individualImage", params={"blob_key": key}).status_code == 400


@pytest.mark.parametrize(
    "parts",
    [
        ["", "images", "ours", "one", 99, 2],
        ["", "images", "ours", "one", 0, 0],
        ["", "images", "ours", "one", 0, 9],
        ["", "images", "nobody", "one", 0, 2],
        ["", "audio", "ours", "tone", 0, 0],
    ],
)
def test_keys_of_what_is_not_there_are_not_found(ours: InProcess, parts: list[Any]) -> None:
    key = base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")
    assert ours.get(f"{PLUGINS}/images/individualImage", params={"blob_key": key}).status_code == 404


@pytest.mark.parametrize("key", ["", "!", "é", "AAAA", "W10", "[" * 4_000])
def test_text_that_is_no_key_is_refused(ours: InProcess, key: str) -> None:
    assert ours.get(f"{PLUGINS}/images/individualImage", params={"blob_key": key}).status_code == 400


def test_keys_of_tensorboards_other_loader_work_too(ours: InProcess) -> None:
    key = base64.urlsafe_b64encode(b'["","ours","one",1,2]').decode().rstrip("=")
    answer = ours.get(f"{PLUGINS}/images/individualImage", params={"blob_key": key})
    assert answer.headers["content-type"] == "image/png"


def test_a_text_too_long_to_render_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptions, "MAX_CHARS", 5)
    assert descriptions.safe_html("**a** <") == "<pre>**a** &lt;</pre>"
    assert descriptions.safe_html("**a**") == "<p><strong>a</strong></p>"


def test_the_limit_holds_for_all_cells_of_a_table_together() -> None:
    cells = np.array(["**a**", "b" * (descriptions.MAX_CHARS - 5)], dtype=object)
    assert "<td><p><strong>a</strong></p></td>" in text.html_of(cells, is_markdown=True)
    assert "<td>**a**</td>" in text.html_of(np.append(cells, "b"), is_markdown=True)


@pytest.mark.parametrize("shape", [(0,), (10**12, 0), (2, 10**12, 0)])
def test_a_text_without_cells_has_no_rows_whatever_its_shape_says(shape: tuple[int, ...]) -> None:
    html = text.html_of(np.empty(shape, dtype=object), is_markdown=True)
    assert html.endswith("<table>\n<tbody>\n</tbody>\n</table>")

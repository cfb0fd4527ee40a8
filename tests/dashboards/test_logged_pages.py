"""Logged HTML and Plotly figures: documents that are shut in, and nothing of theirs before our own script."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from sightline import SummaryWriter
from sightline.dashboards.tables import figures, pages, values
from sightline.dashboards.tables.page_contents import PageContents, contents_of
from sightline.dashboards.tables.pages import shown_html
from sightline.dashboards.tables.recent import Recent
from sightline.log import open_log
from tests.server.clients import InProcess, client_for

HTML = "<h1>Results</h1><script>parent.document.title = 'taken'</script>"
WIDE = "<p>\N{SNOWMAN}</p>"
WIDE_BYTES = len(WIDE.encode())


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> InProcess:
    directory = tmp_path_factory.mktemp("log")
    with SummaryWriter(directory / "run") as writer:
        writer.add_html("page", HTML)
        writer.add_html("wide", WIDE)
        writer.add_plotly("figure", {"data": [{"y": [1, 2]}], "layout": {"title": {"text": "T"}}})
    client = client_for(open_log(directory, watch=False, cache=False).wait())
    assert client.api("runs")["id"] == [0]
    return client


def get(client: InProcess, route: str, tag: str, **more: Any) -> httpx.Response:
    return client.get(f"/api/v1/tables/{route}", params={"run": 0, "tag": tag, "index": 0, "step": 0, **more})


@pytest.mark.parametrize("kind", ["figure", "page"])
def test_what_is_saved_can_do_nothing_in_a_tab_of_its_own(client: InProcess, kind: str) -> None:
    answer = get(client, kind, kind, download=True)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"


def test_a_figure_is_its_json(client: InProcess) -> None:
    assert get(client, "figure", "figure").json()["data"] == [{"y": [1, 2]}]
    assert "attachment" in get(client, "figure", "figure", download=True).headers["content-disposition"]


def test_a_figure_that_is_too_large_is_not_drawn(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "MAX_FIGURE_BYTES", 10)
    answer = get(client, "figure", "figure")
    assert answer.status_code == 422
    assert "at most 10 are drawn" in answer.json()["error"]
    assert get(client, "figure", "figure", download=True).status_code == 200


def rules_of(answer: httpx.Response) -> dict[str, str]:
    rules = (rule.strip().partition(" ") for rule in answer.headers["content-security-policy"].split(";"))
    return {name: value for name, _, value in rules}


def test_a_page_is_shut_in(client: InProcess) -> None:
    answer = get(client, "page", "page")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert HTML in answer.text
    rules = rules_of(answer)
    assert rules["sandbox"] == ""
    assert (
        rules["default-src"] == rules["connect-src"] == rules["form-action"] == rules["base-uri"] == "'none'"
    )
    assert "script-src" not in rules
    assert answer.headers["cross-origin-opener-policy"] == "unsafe-none"
    with_scripts = rules_of(get(client, "page", "page", scripts=True, server_id=server_id(client)))
    assert with_scripts == {**rules, "sandbox": "allow-scripts", "script-src": "'unsafe-inline'"}
    assert "allow-same-origin" not in str(with_scripts)


def server_id(client: InProcess) -> str:
    return str(client.api("environment")["server_id"])


def test_a_page_that_tells_its_height_runs_our_script_and_no_other(client: InProcess) -> None:
    plain = rules_of(get(client, "page", "page"))
    nonces = set()
    for _ in range(2):
        answer = get(client, "page", "page", is_fitted=True)
        rules = rules_of(answer)
        nonce = re.fullmatch(r"'nonce-([\w-]{20,})'", rules["script-src"])
        assert nonce is not None
        assert rules == {**plain, "sandbox": "allow-scripts", "script-src": rules["script-src"]}
        # The one script that has it comes before everything that was logged, and no answer can be had again.
        assert answer.text.count(nonce[1]) == 1
        assert answer.text.index(nonce[1]) < answer.text.index(HTML)
        assert "etag" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"
        nonces.add(nonce[1])
    assert len(nonces) == 2
    # Where its own scripts may run it is told by the same script, as before.
    asked = {"scripts": True, "server_id": server_id(client)}
    assert (
        get(client, "page", "page", **asked, is_fitted=True).text == get(client, "page", "page", **asked).text
    )


def test_no_logged_document_can_let_its_own_scripts_run(client: InProcess) -> None:
    """It could send its frame to this address, and does not know the server's id."""
    answer = get(client, "page", "page", scripts=True)
    assert answer.status_code == 422
    assert get(client, "page", "page", scripts=True, server_id="guessed").status_code == 409


def test_the_documents_say_what_is_sent(client: InProcess) -> None:
    text = (Path(__file__).parents[2] / "docs/security.md").read_text("utf-8")
    (block,) = re.findall(r"```\n(sandbox; .*?)```", text, re.DOTALL)
    assert " ".join(block.split()) == get(client, "page", "page").headers["content-security-policy"]


def test_a_page_is_saved_as_logged(client: InProcess) -> None:
    answer = get(client, "page", "page", download=True)
    assert answer.text == HTML
    assert answer.headers["content-type"] == "application/octet-stream"


def test_a_page_that_is_too_large_is_not_shown(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_PAGE_BYTES", 10)
    monkeypatch.setattr(pages, "_RECENT_FACTS", Recent(max_cost=10, max_count=10, keep_s=60))
    assert get(client, "page", "page").status_code == 422
    assert "more than 10 bytes" in get(client, "page/facts", "page").json()["error"]


@pytest.mark.parametrize(("limit", "status"), [(len(WIDE) - 1, 422), (len(WIDE), 422), (WIDE_BYTES, 200)])
def test_the_size_of_a_page_is_counted_in_bytes(
    client: InProcess, monkeypatch: pytest.MonkeyPatch, limit: int, status: int
) -> None:
    monkeypatch.setattr(pages, "MAX_PAGE_BYTES", limit)
    monkeypatch.setattr(pages, "_RECENT_FACTS", Recent(max_cost=10, max_count=10, keep_s=60))
    assert get(client, "page", "wide").status_code == status
    facts = get(client, "page/facts", "wide")
    assert facts.status_code == status
    assert status == 422 or facts.json()["size_bytes"] == WIDE_BYTES


def test_the_frame_of_figures_is_shut_in(client: InProcess) -> None:
    rules = rules_of(client.get("/api/v1/tables/figure/frame"))
    assert rules["sandbox"] == "allow-scripts"
    assert rules["default-src"] == rules["connect-src"] == "'none'"


def test_fragments_get_a_style_and_documents_keep_theirs() -> None:
    fragment = shown_html("<table></table>", has_scripts=False, is_dark=True)
    assert fragment.startswith("<!doctype html><style>")
    assert "color-scheme:dark" in fragment
    document = "<!DOCTYPE html><html><body style='background: white'>x</body></html>"
    assert shown_html(document, has_scripts=False, is_dark=True) == document
    assert shown_html(document, has_scripts=True, is_dark=True).startswith("<!DOCTYPE html><script>")
    old = "<html><body>x</body></html>"
    assert shown_html(old, has_scripts=False, is_dark=False) == old
    # Browsers show a document by old rules when a script comes before its doctype.
    for before in ("\ufeff", "\ufeff \n", "<!-- made by > -- hand --><!---->\n", '<?xml version="1.0"?>\n'):
        shown = shown_html(before + document, has_scripts=False, is_dark=False, nonce="word")
        assert shown.startswith("<!DOCTYPE html><script nonce=word>")
        assert shown.endswith(
            f"</script>{before.lstrip(chr(0xFEFF))}{document.removeprefix('<!DOCTYPE html>')}"
        )


@pytest.mark.parametrize(
    "html",
    [
        "<!--><script x='--><!doctype html><p>text</p>",
        "<!doctype html \"><script x='><p>text</p>",
        "<?x <script y='><!doctype html>",
        "<!doctype <script y='>",
        "text<!doctype html>",
    ],
)
def test_nothing_that_was_logged_but_a_doctype_comes_before_our_script(html: str) -> None:
    """Half a tag in front of it would take it in, and its word with it."""
    shown = shown_html(html, has_scripts=False, is_dark=False, nonce="word")
    before = shown[: shown.index("<script nonce=word>")]
    assert re.fullmatch(r"(<!doctype[^<>]*>)?(<style>[^<>]*</style>)?", before)


def test_facts_of_a_page(client: InProcess) -> None:
    answer = get(client, "page/facts", "page").json()
    assert answer == {
        "size_bytes": len(HTML),
        "has_scripts": True,
        "remote_hosts": [],
        "remote_host_count": 0,
        "is_looked_through": True,
    }


def test_a_page_that_was_not_looked_through_says_so(
    client: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "_RECENT_FACTS", Recent(max_cost=10, max_count=10, keep_s=60))
    monkeypatch.setattr(pages, "contents_of", lambda _: PageContents(False, [], 0, False))
    assert get(client, "page/facts", "page").json()["is_looked_through"] is False


def test_facts_of_a_page_are_found_once(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_RECENT_FACTS", Recent(max_cost=10, max_count=10, keep_s=60))
    calls = []

    def counted(html: str) -> PageContents:
        calls.append(html)
        return contents_of(html)

    monkeypatch.setattr(pages, "contents_of", counted)
    answers = [get(client, "page/facts", "page").json() for _ in range(3)]
    assert answers[0] == answers[2]
    assert calls == [HTML]


def test_a_figure_is_kept_as_text_alone(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its object is many times as large, and nobody asks for it."""
    kept: list[Any] = []
    measure = values.bytes_in_memory
    monkeypatch.setattr(values, "_RECENT", Recent(max_cost=10**6, max_count=10, keep_s=60))

    def watched(item: Any) -> int:
        kept.append(item)
        return measure(item)

    monkeypatch.setattr(values, "bytes_in_memory", watched)
    assert get(client, "figure", "figure").status_code == 200
    assert [item.figure for item in kept] == [{}]

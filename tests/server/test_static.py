"""The built page: found, compressed, kept or not kept by the browser."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from sightline.server.static import StaticFiles
from sightline.server.workers import Workers
from tests.server.clients import InProcess

SCRIPT = b"console.log('hello');" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "assets/index-1234.js").write_bytes(SCRIPT)
    (tmp_path / "favicon.svg").write_text("<svg/>")
    return tmp_path


@pytest.fixture
def client_of() -> Callable[[Path], InProcess]:
    def client_of(directory: Path) -> InProcess:
        files = StaticFiles(Workers(), page_headers={"x-page": "yes"}, directory=directory)
        return InProcess(Starlette(routes=[Route("/", files.page), Route("/{name:path}", files.file)]))

    return client_of


ClientOf = Callable[[Path], InProcess]


def test_the_page_is_never_kept(folder: Path, client_of: ClientOf) -> None:
    answer = client_of(folder).get("/")
    assert answer.text == "<!doctype html>"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["x-page"] == "yes"


def test_assets_are_kept_for_ever_and_compressed(folder: Path, client_of: ClientOf) -> None:
    client = client_of(folder)
    answer = client.get("/assets/index-1234.js", headers={"accept-encoding": "gzip, br"})
    assert answer.content == SCRIPT
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < len(SCRIPT) / 5
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")
    plain = client.get("/assets/index-1234.js", headers={"accept-encoding": "identity"})
    assert (plain.content, plain.headers.get("content-encoding")) == (SCRIPT, None)


def test_files_without_a_hash_are_not_kept_for_ever(folder: Path, client_of: ClientOf) -> None:
    answer = client_of(folder).get("/favicon.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "immutable" not in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["/nothing", "/assets", "/assets/", "/../static.py", "/assets/%2e%2e/index.html"]
)
def test_what_is_not_in_the_folder_is_not_found(folder: Path, client_of: ClientOf, path: str) -> None:
    (folder.parent / "static.py").write_text("outside")
    assert client_of(folder).get(path).status_code == 404


def test_a_link_out_of_the_folder_is_not_followed(folder: Path, client_of: ClientOf) -> None:
    (folder / "assets/passwd").symlink_to("/etc/passwd")
    assert client_of(folder).get("/assets/passwd").status_code == 404


def test_a_page_that_was_built_anew_is_served_anew(folder: Path, client_of: ClientOf) -> None:
    client = client_of(folder)
    assert client.get("/").text == "<!doctype html>"
    (folder / "index.html").write_text("<!doctype html><p>new")
    os.utime(folder / "index.html", (1, 1))
    assert client.get("/").text == "<!doctype html><p>new"


def test_without_a_built_page_it_is_said_how_to_build_it(tmp_path: Path, client_of: ClientOf) -> None:
    answer = client_of(tmp_path / "missing").get("/")
    assert answer.status_code == 503
    assert "make page" in answer.text


def test_the_folder_is_looked_through_once_for_each_file(
    folder: Path, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of forty files would wait for forty walks."""
    client = client_of(folder)
    assert client.get("/assets/index-1234.js").status_code == 200
    monkeypatch.setattr(StaticFiles, "_known_paths", lambda _: {})
    assert client.get("/assets/index-1234.js").content == SCRIPT


def test_a_file_that_has_gone_or_has_become_a_link_is_not_found(folder: Path, client_of: ClientOf) -> None:
    client = client_of(folder)
    script = folder / "assets/index-1234.js"
    assert client.get("/assets/index-1234.js").status_code == 200
    script.unlink()
    assert client.get("/assets/index-1234.js").status_code == 404
    script.symlink_to("/etc/passwd")
    assert client.get("/assets/index-1234.js").status_code == 404
    assets = folder / "assets"
    script.unlink()
    script.write_bytes(SCRIPT)
    assert client.get("/assets/index-1234.js").status_code == 200
    assets.rename(folder.parent / "elsewhere")
    assets.symlink_to(folder.parent / "elsewhere")
    assert client.get("/assets/index-1234.js").status_code == 404

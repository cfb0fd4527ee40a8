"""``sightline.toml``: which file counts, what its paths are relative to, and what is said about mistakes."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest

from sightline import Settings, load_settings
from sightline.model.errors import BadArgumentError
from sightline.settings import settings_from_toml

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="TOML is read by Python 3.11 and later")


def test_every_key_is_read() -> None:
    text = """
    runs_dir = "out"
    logdir = ["runs", "old:/data/old"]
    port = 6010
    host = "10.0.0.1"
    bind_all = true
    path_prefix = "/tb"
    window_title = "mine"
    allowed_hosts = ["gpu7", "gpu8"]
    include = ["2026-*"]
    exclude = "*test*"
    allow_delete = true
    histogram_interval = 50
    max_port_attempts = 3
    """
    assert settings_from_toml(text, path="sightline.toml") == Settings(
        runs_dir="out",
        logdir=("runs", "old:/data/old"),
        port=6010,
        host="10.0.0.1",
        bind_all=True,
        path_prefix="/tb",
        window_title="mine",
        allowed_hosts=("gpu7", "gpu8"),
        include=("2026-*",),
        exclude=("*test*",),
        allow_delete=True,
        histogram_interval=50,
        max_port_attempts=3,
        path="sightline.toml",
    )


def test_the_toml_file_counts_before_the_json_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "tensorboard.json").write_text('{"port": 1}', "utf-8")
    assert load_settings().port == 1
    (tmp_path / "sightline.toml").write_text("port = 2", "utf-8")
    assert (load_settings().port, load_settings().path) == (2, "sightline.toml")


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "with,comma").mkdir()
    file = tmp_path / "sightline.toml"
    file.write_text(
        'runs_dir = "out"\nlogdir = ["a", "n:b", "/abs", "~/home", "s3://bucket/x", "n:s3://y", "c,m:d", '
        '"with,comma", "glob*"]',
        "utf-8",
    )
    settings = load_settings(file)
    assert settings.runs_dir == f"{tmp_path}/out"
    assert settings.logdir == (
        f"{tmp_path}/a",
        f"n:{tmp_path}/b",
        "/abs",
        "~/home",
        "s3://bucket/x",
        "n:s3://y",
        f"{tmp_path}/c",
        f"m:{tmp_path}/d",
        f"{tmp_path}/with,comma",
        f"{tmp_path}/glob*",
    )


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("logdir = 3", "logdir"),
        ("logdir = [3]", "logdir"),
        ('logdir = [""]', "logdir"),
        ("port = 2026-01-01", "port"),
        ('bind_all = "yes"', "bind_all"),
        ("include = {}", "include"),
        ("window_title = 1", "window_title"),
        ("host = []", "host"),
    ],
)
def test_a_senseless_value_names_the_key_and_the_file(line: str, key: str) -> None:
    with pytest.raises(BadArgumentError, match=f"Setting '{key}' must be .*: s.toml"):
        settings_from_toml(line, path="s.toml")


def test_what_is_no_toml_names_the_place_and_the_file() -> None:
    with pytest.raises(BadArgumentError, match=r"Settings must be TOML: .*line 2.*: s\.toml"):
        settings_from_toml("port = 1\nport 2", path="s.toml")


def test_a_token_in_the_file_is_not_used(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "sightline"):
        settings_from_toml('token = "secret"', path="s.toml")
    (record,) = caplog.records
    assert "SIGHTLINE_TOKEN" in record.getMessage()
    assert "secret" not in record.getMessage()

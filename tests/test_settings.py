"""The project's settings file: defaults, both spellings, and what is said about mistakes."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from sightline import Settings, load_settings
from sightline.model.errors import BadArgumentError, NoSuchPathError
from sightline.settings import settings_from_json


def settings(**values: object) -> Settings:
    return settings_from_json(json.dumps(values), path="s.json")


def test_without_a_file_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings() == Settings("runs", 6006, 100, 10, "")
    (tmp_path / "configs").write_text("a file", "utf-8")
    assert load_settings() == Settings()


def test_the_file_of_the_current_directory_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "configs").mkdir()
    file = tmp_path / "configs" / "tensorboard.json"
    file.write_text('{"runs_dir": "out", "port": 6007, "histogram_interval": 50}', "utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_settings() == Settings("out", 6007, 50, 10, "configs/tensorboard.json")
    assert load_settings(file).path == str(file)


@pytest.mark.parametrize(
    "text",
    [
        '{"runs_dir": "r", "port": 6010, "histogram_interval": 7, "max_port_attempts": 3}',
        '{"runs_directory": "r", "default_port": 6010, "histogram_interval": 7, "max_port_attempts": 3}',
        '\ufeff{"runs_dir": "r", "runs_directory": "r", "default_port": 6010, "histogram_interval": 7,'
        ' "max_port_attempts": 3}',
    ],
)
def test_both_spellings_and_a_byte_order_mark_are_understood(text: str, tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_text(text, "utf-8")
    assert load_settings(file) == Settings("r", 6010, 7, 3, str(file))


@pytest.mark.parametrize(
    ("interval", "steps"),
    [(100, [0, 100, 200]), (150, [0, 150]), (0, []), (-1, []), (1000, [0])],
)
def test_histograms_are_due_every_so_many_steps(interval: int, steps: list[int]) -> None:
    chosen = Settings(histogram_interval=interval)
    assert [step for step in range(0, 250, 50) if chosen.is_histogram_step(step)] == steps


def test_two_spellings_that_disagree_are_an_error() -> None:
    with pytest.raises(BadArgumentError, match=r"'default_port' \(2\) and 'port' \(1\).*: s.json"):
        settings(port=1, default_port=2)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("runs_dir", 3),
        ("runs_dir", ""),
        ("runs_directory", None),
        ("port", "6006"),
        ("port", True),
        ("port", 6006.5),
        ("default_port", 70_000),
        ("port", -1),
        ("histogram_interval", "often"),
        ("histogram_interval", None),
        ("max_port_attempts", 0),
        ("max_port_attempts", []),
    ],
)
def test_a_senseless_value_names_the_key_and_the_file(key: str, value: object) -> None:
    with pytest.raises(BadArgumentError, match=f"Setting '{key}' must be .*: s.json"):
        settings(**{key: value})


@pytest.mark.parametrize("text", ["", "{", "{'port': 1}", "[1]", "3", "[" * 100_000])
def test_what_is_no_json_object_is_an_error_that_names_the_file(text: str, tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_text(text, "utf-8")
    with pytest.raises(BadArgumentError, match=r"JSON.*s\.json"):
        load_settings(file)


def test_a_file_that_was_named_must_be_there_and_readable(tmp_path: Path) -> None:
    with pytest.raises(NoSuchPathError, match=r"missing\.json"):
        load_settings(tmp_path / "missing.json")
    with pytest.raises(BadArgumentError, match="Cannot read the settings"):
        load_settings(tmp_path)
    (tmp_path / "s.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(BadArgumentError, match="not UTF-8"):
        load_settings(tmp_path / "s.json")


def test_unknown_keys_are_one_warning_with_what_was_meant(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "sightline"):
        assert settings(histogramm_interval=5, theme="dark") == Settings(path="s.json")
    (record,) = caplog.records
    text = record.getMessage()
    assert "'histogramm_interval'. Did you mean 'histogram_interval'?" in text
    assert "'theme'" in text
    assert text.endswith("s.json")

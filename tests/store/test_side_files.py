"""Projector configs and profiler traces are found by name."""

from __future__ import annotations

from pathlib import Path

from sightline.store.side_files import SideFiles, find_side_files


def make(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")


def test_a_directory_that_is_not_there_has_no_side_files(tmp_path: Path) -> None:
    assert find_side_files([str(tmp_path / "gone")], roots=[str(tmp_path / "gone")]) == SideFiles()


def test_configs_of_the_run_of_its_plugin_directory_and_of_the_root_are_found(tmp_path: Path) -> None:
    run = tmp_path / "run"
    plugin = run / "plugins" / "org_tensorflow_tensorboard_projector"
    configs = [place / "projector_config.pbtxt" for place in (run, plugin, tmp_path)]
    make(*configs, run / "other.pbtxt")
    found = find_side_files([str(run)], roots=[str(tmp_path)])
    assert found.projector == tuple(sorted(map(str, configs)))


def test_all_files_of_profile_sessions_and_traces_of_torch_are_found(tmp_path: Path) -> None:
    sessions = tmp_path / "plugins" / "profile"
    wanted = [
        sessions / "2025_01_01" / "host.xplane.pb",
        sessions / "2025_01_02" / "host.trace.json.gz",
        tmp_path / "worker.1.pt.trace.json",
        tmp_path / "worker.2.pt.trace.json.gz",
    ]
    make(*wanted, tmp_path / "trace.json", sessions / "not_in_a_session")
    assert find_side_files([str(tmp_path)]).profile == tuple(sorted(map(str, wanted)))


def test_a_config_that_is_found_twice_is_listed_once(tmp_path: Path) -> None:
    make(tmp_path / "projector_config.pbtxt")
    found = find_side_files([str(tmp_path)], roots=[str(tmp_path)])
    assert found.projector == (str(tmp_path / "projector_config.pbtxt"),)

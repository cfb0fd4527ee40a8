"""The tools agree with each other and with what the documents say."""

from __future__ import annotations

import json
import re
import subprocess
from importlib import metadata
from pathlib import Path

import pytest

import sightline
from tests.slow_files import SLOW_FILES

ROOT = Path(__file__).resolve().parents[1]


def requirements() -> list[tuple[str, str]]:
    """(extra, package) of the installed metadata; the extra is "" for what everybody gets."""
    found = []
    for line in metadata.requires("sightline") or []:
        package = re.match(r"[A-Za-z0-9._-]+", line)
        assert package is not None
        extra = re.search(r"extra == ['\"](\w+)['\"]", line)
        found.append((extra.group(1) if extra else "", package.group()))
    return found


def make_targets() -> set[str]:
    text = (ROOT / "Makefile").read_text("utf-8")
    return set(re.findall(r"^([a-z0-9-]+):.*## ", text, re.MULTILINE))


def test_the_installed_version_is_the_one_the_package_says() -> None:
    assert metadata.version("sightline") == sightline.__version__


def test_every_dependency_has_a_line_in_the_ledger() -> None:
    ledger = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    rows = set(re.findall(r"^\| ([\w.-]+) \|", ledger, re.MULTILINE))
    missing = {package for _, package in requirements()} - rows
    assert not missing


def test_every_package_of_the_page_has_a_line_in_the_ledger() -> None:
    ledger = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    rows = set(re.findall(r"^\| ([\w@/.-]+) \|", ledger, re.MULTILINE))
    package = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))
    assert set(package["devDependencies"]) <= rows
    assert "dependencies" not in package


def test_the_lock_file_of_the_page_names_no_registry() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
    assert not [name for name, entry in lock["packages"].items() if "resolved" in entry]


def test_the_lock_file_of_the_page_covers_the_binaries_of_every_platform() -> None:
    # A registry that lacks one of them makes npm leave it out silently, and `npm ci` refuses such a file.
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    locked = {name.rpartition("node_modules/")[2] for name in packages}
    wanted = {name for entry in packages.values() for name in entry.get("optionalDependencies", {})}
    assert wanted <= locked


def test_fewer_than_ten_packages_are_needed_at_run_time() -> None:
    assert len([package for extra, package in requirements() if not extra]) < 10


@pytest.mark.parametrize("extra", ["test", "bench", "dev"])
def test_no_extra_asks_for_torch(extra: str) -> None:
    assert "torch" not in [package for owner, package in requirements() if owner == extra]


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_every_make_target_named_in_a_document_exists(document: str) -> None:
    text = (ROOT / document).read_text("utf-8")
    named = set(re.findall(r"^make ([a-z0-9-]+)|`make ([a-z0-9-]+)", text, re.MULTILINE))
    targets = {first or second for first, second in named}
    assert targets
    assert targets <= make_targets()


def test_continuous_integration_runs_the_test_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert script.rstrip().endswith("make test")


def test_make_help_lists_every_target() -> None:
    shown = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert set(re.findall(r"^  make ([a-z0-9-]+)", shown, re.MULTILINE)) == make_targets()
    phony = re.search(r"^\.PHONY: ((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert phony is not None
    assert set(phony.group(1).replace("\\", "").split()) == make_targets()


def test_every_slow_file_exists() -> None:
    assert [file for file in SLOW_FILES if not (ROOT / "tests" / file).exists()] == []

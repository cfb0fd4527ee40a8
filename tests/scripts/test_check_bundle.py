"""The budget counts what the first view needs, and nothing that loads on demand."""

from __future__ import annotations

import importlib.util
import json
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_bundle", ROOT / "scripts" / "check_bundle.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


check_bundle = _load()

MANIFEST = {
    "index.html": {"file": "assets/index.js", "imports": ["_shared.js"], "dynamicImports": ["src/a.svelte"]},
    check_bundle.FIRST_DASHBOARD: {"file": "assets/Scalars.js", "imports": ["_shared.js", "_chart.js"]},
    "_shared.js": {"file": "assets/shared.js"},
    "_chart.js": {"file": "assets/chart.js"},
    "src/a.svelte": {"file": "assets/a.js"},
}


@pytest.fixture
def static(tmp_path: Path) -> Path:
    (tmp_path / ".vite").mkdir()
    (tmp_path / "assets").mkdir()
    (tmp_path / ".vite" / "manifest.json").write_text(json.dumps(MANIFEST), "utf-8")
    (tmp_path / "index.html").write_text("<!doctype html>", "utf-8")
    for name in ("index", "Scalars", "shared", "chart", "a", "filter.worker"):
        (tmp_path / "assets" / f"{name}.js").write_text("export {};", "utf-8")
    return tmp_path


def test_the_first_view_is_entry_dashboard_their_imports_and_workers(static: Path) -> None:
    names = {path.name for path in check_bundle.first_view_files(static)}
    assert names == {"index.js", "Scalars.js", "shared.js", "chart.js", "filter.worker.js"}


def test_a_page_over_the_budget_fails(static: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_bundle, "STATIC", static)
    assert check_bundle.main() == 0
    noise = random.Random(1).randbytes(check_bundle.BUDGET_BYTES).hex()
    (static / "assets" / "chart.js").write_text(noise, "utf-8")
    assert check_bundle.main() == 1


def test_a_dashboard_that_moved_is_said_instead_of_counted_as_nothing(static: Path) -> None:
    manifest = {"index.html": MANIFEST["index.html"], "_shared.js": MANIFEST["_shared.js"]}
    (static / ".vite" / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(LookupError, match="did the dashboard move"):
        check_bundle.first_view_files(static)

"""The import checker is code that guards all other code, so it is shown catching each kind of offence."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_imports", ROOT / "scripts" / "check_imports.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


check_imports = _load()


def problems(tmp_path: Path, name: str, text: str) -> list[str]:
    """What the checker says about one file of an otherwise empty package, without the path."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return [line.removeprefix(f"{path}:") for line in check_imports.check_tree(tmp_path)]


def test_the_sources_of_this_project_keep_the_direction() -> None:
    assert check_imports.check_tree(ROOT / "src" / "sightline") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("log.py", "from sightline.readers.roots import Root\nfrom sightline import store\n"),
        ("store/run.py", "import sightline._core\nfrom sightline.formats import values\n"),
        ("store/run.py", "from .series import ScalarSeries\nfrom ..model.kinds import Kind\n"),
        ("cli.py", "import sightline.log\n"),
        ("formats/wire.py", "import struct\nimport numpy as np\n"),
        ("readers/remote.py", "def connect() -> None:\n    import fsspec\n"),
        ("query/frames.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pandas\n"),
        ("dashboards/scalars/routes.py", "from sightline.dashboards.scalars import view\n"),
        ("dashboards/scalars/routes.py", "from sightline.dashboards.named_values import named_value\n"),
        ("dashboards/scalars/routes.py", "from sightline.dashboards import named_values\n"),
        ("__init__.py", "from sightline.log import Log\n"),
        ("__init__.py", "from sightline import summary\nfrom sightline.settings import load_settings\n"),
        ("settings.py", "from sightline.model.errors import BadArgumentError\n"),
        ("writer/run_dirs.py", "from sightline.settings import Settings\n"),
        ("cli/arguments.py", "from sightline.settings import load_settings\n"),
        ("server/app.py", "from sightline.settings import load_settings\n"),
        ("integrations/keras/callback.py", "import sightline.settings\n"),
        ("summary/_writer.py", "from sightline.writer.summary_writer import SummaryWriter\n"),
    ],
)
def test_an_allowed_import_is_accepted(tmp_path: Path, name: str, text: str) -> None:
    assert problems(tmp_path, name, text) == []


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("model/kinds.py", "from sightline.store import run\n", "1: model must not import store"),
        ("store/run.py", "import sightline.readers.watch\n", "1: store must not import readers"),
        ("store/run.py", "from ..readers import watch\n", "1: store must not import readers"),
        ("store/run.py", "from .. import log\n", "1: store must not import log"),
        ("query/selection.py", "import sightline\n", "1: query must not import __init__"),
        ("query/selection.py", "from sightline import Run\n", "1: query must not import __init__"),
        (
            "formats/wire.py",
            "def f() -> None:\n    from sightline import _core\n",
            "2: formats must not import _core",
        ),
        ("writer/file.py", "from sightline.server import app\n", "1: writer must not import server"),
        ("settings.py", "from sightline.writer import base\n", "1: settings must not import writer"),
        ("store/run.py", "import sightline.settings\n", "1: store must not import settings"),
        ("writer/base.py", "from sightline import summary\n", "1: writer must not import summary"),
        ("summary/__init__.py", "import sightline.log\n", "1: summary must not import log"),
        ("cli/export.py", "import sightline.summary\n", "1: cli must not import summary"),
        ("__init__.py", "from sightline.server import app\n", "1: __init__ must not import server"),
        (
            "query/frames.py",
            "import pandas as pd\n",
            "1: pandas may only be imported inside the function that uses it",
        ),
        (
            "formats/messages.py",
            "def f() -> None:\n    from google.protobuf import message\n",
            "2: google.protobuf must not be needed at run time",
        ),
        (
            "dashboards/scalars/routes.py",
            "from sightline.dashboards import images\n",
            "1: dashboards/scalars must not import its neighbour images",
        ),
        (
            "dashboards/scalars/routes.py",
            "from ..images import routes\n",
            "1: dashboards/scalars must not import its neighbour images",
        ),
        (
            "utils/strings.py",
            "",
            "1: layer utils is not in the list of scripts/check_imports.py",
        ),
        (
            "cli.py",
            "import sightline.helpers\n",
            "1: layer helpers is not in the list of scripts/check_imports.py",
        ),
    ],
)
def test_an_import_against_the_direction_is_reported(
    tmp_path: Path, name: str, text: str, problem: str
) -> None:
    assert problems(tmp_path, name, text) == [problem]


def test_an_import_under_type_checking_still_counts_for_the_direction(tmp_path: Path) -> None:
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from sightline.store.run import Run\n"
    assert problems(tmp_path, "model/kinds.py", text) == ["3: model must not import store"]


def test_every_layer_named_in_the_list_is_itself_in_the_list() -> None:
    named = set().union(*check_imports.MAY_IMPORT.values())
    assert named <= set(check_imports.MAY_IMPORT)


def test_the_direction_has_no_cycle() -> None:
    rest = dict(check_imports.MAY_IMPORT)
    while rest:
        leaves = {layer for layer, targets in rest.items() if not targets & set(rest)}
        assert leaves, f"these layers import each other in a circle: {sorted(rest)}"
        rest = {layer: targets for layer, targets in rest.items() if layer not in leaves}

"""The page's import checker is shown catching each kind of offence, and letting pass what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import check_web_imports

ROOT = Path(__file__).resolve().parents[2]


def problems(tmp_path: Path, name: str, text: str) -> list[str]:
    """What the checker says about one file of an otherwise empty tree, without the path."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return [line.removeprefix(f"{path}:") for line in check_web_imports.check_tree(tmp_path)]


def test_the_sources_of_the_page_keep_the_direction() -> None:
    assert check_web_imports.check_tree(ROOT / "web" / "src") == []


def test_the_board_names_no_kind() -> None:
    found = check_web_imports.kind_names(check_web_imports.SOURCE, check_web_imports.KINDS.read_text("utf-8"))
    assert set(found) <= set(check_web_imports.KIND_NAMES_LEFT)
    assert "board" not in found


def test_names_of_kinds_are_counted_where_none_should_be(tmp_path: Path) -> None:
    files = {
        "state/tags.ts": "const a = ofKind('scalar');\nconst b = ['mesh', 'mesh'];\n",
        "state/tags.test.ts": "const c = 'scalar';\n",
        "state/query.ts": "const kind = 'text', name = 'scalars';\n",
        "kinds/mesh/kind.ts": "const name = 'mesh';\n",
        "dashboards/mesh/Mesh.svelte": "<Page kinds={['mesh']} />\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    kinds = 'class Kind(str, Enum):\n    scalar = "scalar"\n    mesh = "mesh"\n    text = "text"\n'
    found = check_web_imports.kind_names(tmp_path, kinds)
    tags = tmp_path / "state" / "tags.ts"
    assert found == {"state": [f"{tags}:1", f"{tags}:2", f"{tags}:2"]}


def test_the_number_of_kind_names_may_only_fall() -> None:
    check = check_web_imports.check_kind_names
    assert check({"app": ["a.ts:1"]}, {"app": 1}) == []
    assert check({"app": ["a.ts:1", "a.ts:2"]}, {"app": 1})[-1] == (
        "app names kinds 2 times, not 1: ask the kind instead"
    )
    assert check({}, {"app": 1}) == ["app names kinds 0 times only: lower its number in KIND_NAMES_LEFT"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chart/line-chart.ts", "import { ticks } from '../base/ticks';\nimport { draw } from './draw';\n"),
        ("state/page.svelte.ts", "import type { Range } from '../chart/types';\n"),
        ("state/filter.ts", "new Worker(new URL('../workers/filter.worker.ts', import.meta.url));\n"),
        ("dashboards/scalars/Card.svelte", "import {\n  getPage,\n} from '../../state/page.svelte';\n"),
        ("dashboards/scalars/Card.svelte", "import type { XAxis } from '../../wire/client';\n"),
        ("kinds/registry.ts", "export { TABLE } from './table/kind';\n"),
        ("dashboards/registry.ts", "const load = () => import('./scalars/Scalars.svelte');\n"),
        ("app/App.svelte", "import { dashboards } from '../dashboards/registry';\nimport './themes.css';\n"),
        ("app/App.svelte", "import { onMount } from 'svelte';\n"),
        ("base/ticks.test.ts", "import { expect } from 'vitest';\nimport fc from 'fast-check';\n"),
        ("chart/test-series.ts", "import { vi } from 'vitest';\n"),
        ("main.ts", "import App from './app/App.svelte';\nimport { mount } from 'svelte';\n"),
    ],
)
def test_an_allowed_import_passes(tmp_path: Path, name: str, text: str) -> None:
    assert problems(tmp_path, name, text) == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("base/ticks.ts", "import { a } from '../chart/a';\n", "1: base must not import chart"),
        ("chart/a.ts", "\nimport type { Run } from '../state/types';\n", "2: chart must not import state"),
        ("state/page.ts", "import { a } from '../chart/types';\n", "1: state must not import chart"),
        (
            "dashboards/text/Card.svelte",
            "export { a } from '../../wire/a';\n",
            "1: dashboards must not import wire",
        ),
        (
            "dashboards/text/Text.svelte",
            "import(\n  '../scalars/Scalars.svelte'\n);\n",
            "2: dashboards/text must not import its neighbour scalars",
        ),
        (
            "kinds/image/Tile.svelte",
            "import { a } from '../table/a';\n",
            "1: kinds/image must not import its neighbour table",
        ),
        (
            "kinds/order.ts",
            "import { a } from './table/a';\n",
            "1: only kinds/registry.ts may import kinds/table",
        ),
        (
            "board/Board.svelte",
            "import { KINDS } from '../kinds/all-kinds';\n",
            "1: board must not import kinds",
        ),
        ("widgets/Menu.svelte", "import '../app/themes.css';\n", "1: widgets must not import app"),
        ("chart/a.ts", "import { tick } from 'svelte';\n", "1: chart must not import the package svelte"),
        ("chart/draw.ts", "import { vi } from 'vitest';\n", "1: chart must not import the package vitest"),
        ("app/App.svelte", "import * as d3 from 'd3';\n", "1: app must not import the package d3"),
        ("app/a.ts", "import a from '../../e2e/a';\n", "1: ../../e2e/a leaves web/src"),
        (
            "misc/a.ts",
            "import '../base/a';\n",
            "1: layer misc is not in the list of scripts/check_web_imports.py",
        ),
    ],
)
def test_an_import_against_the_direction_is_named_with_its_line(
    tmp_path: Path, name: str, text: str, expected: str
) -> None:
    assert problems(tmp_path, name, text) == [expected]

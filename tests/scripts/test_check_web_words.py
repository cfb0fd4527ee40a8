"""The checker of words in links is shown catching each kind of offence, and letting pass what is allowed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = """
export const FULL = optionalSetting<string>('full', (text) => text);
export const RANGE: Setting<Range> = { word: 'open.range', usual: 'full' };
export const table = { words: ['sort', 'tree'] };
"""


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


check_web_words = _load("check_web_words")


def problems(tmp_path: Path, name: str, text: str) -> list[str]:
    """What the checker says about one file beside the declarations, without the path."""
    for path, content in (("state/settings/cards.ts", SETTINGS), (name, text)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, "utf-8")
    return [line.removeprefix(f"{tmp_path / name}:") for line in check_web_words.check_tree(tmp_path)]


def test_no_word_of_a_link_is_written_outside_of_its_setting() -> None:
    assert check_web_words.check_tree(ROOT / "web" / "src") == []


def test_the_words_of_the_page_are_found() -> None:
    words = check_web_words.words_of(ROOT / "web" / "src")
    assert {"smoothing", "runFilter", "section", "spans", "media", "columns", "view", "reset"} <= words
    assert {"step", "open.mode", "text-search", "tables", "sound.a", "kinds"} <= words


@pytest.mark.parametrize("word", ["full", "open.range", "sort", "tree"])
def test_a_word_in_a_link_made_by_hand_is_caught(tmp_path: Path, word: str) -> None:
    (problem,) = problems(tmp_path, "board/link.ts", f"const link = `#scalars&{word}=${{id}}`;\n")
    assert problem.startswith(f"1: the word “{word}” belongs to its setting")


@pytest.mark.parametrize("access", ["kindWords['open.range']", "kindWords.step", "kindWords?.step"])
def test_a_kinds_word_that_is_asked_for_by_name_is_caught(tmp_path: Path, access: str) -> None:
    (problem,) = problems(tmp_path, "kinds/image/tile.ts", f"const text = view.{access};\n")
    assert problem.startswith("1: a kind's word")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("board/Card.svelte", "<Dialog open={isOpen} full={true} class:sort={isSorted} />\n"),
        ("board/link.ts", "// Writes &full=id\nconst other = '&unknown=1';\n"),
        ("board/link.test.ts", "expect(link).toBe('#scalars&full=a');\n"),
        ("kinds/image/tile.ts", "const text = view.kindWords[OPEN.word];\n"),
        ("state/settings/cards.test.ts", "const { view } = parseView('#scalars&full=a');\n"),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, name: str, text: str) -> None:
    assert problems(tmp_path, name, text) == []

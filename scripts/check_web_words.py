"""Keeps the words of the page's links inside the declarations of its settings; part of ``make check``.

A word of a link is declared once, with its setting (web/src/state/settings and the kinds' own settings).
Code that writes a word into a link by hand, or asks for a kind's word by name, breaks when the setting
changes, and nobody notices. Both are errors, except in tests, which show what links look like.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "web" / "src"
DECLARATIONS = "state/settings"

_CALLED = re.compile(r"\b(?:\w+Setting|shownFlag|sayList)(?:<[^'\n]*>)?\(\s*'([^']+)'")
_WORD = re.compile(r"\bword: '([^']+)'")
_WORDS = re.compile(r"\bwords: \[([^\]]*)\]")
_NAMED = re.compile(r"\bconst \w+_WORDS?\b[^=\n]* = ([^;]+);")
_QUOTED = re.compile(r"'([^']+)'")

# "&smoothing=" and the like. One letter says too little: "x=" may be a sign on a button.
_WRITTEN = re.compile(r"[&#?'\"`]([\w.-]{2,})=")
_ASKED = re.compile(r"\bkindWords(?:\[['\"`]|\??\.\w)")
_COMMENT = re.compile(r"^\s*(?://|\*|/\*)")


def words_of(source: Path) -> set[str]:
    """All words that settings declare."""
    words: set[str] = set()
    for path in _files(source):
        text = path.read_text("utf-8")
        words.update(_CALLED.findall(text), _WORD.findall(text))
        is_declaring = path.relative_to(source).as_posix().startswith(DECLARATIONS)
        for several in _WORDS.findall(text) + (_NAMED.findall(text) if is_declaring else []):
            words.update(_QUOTED.findall(several))
    return words


def check_tree(source: Path) -> list[str]:
    """Lines of the form ``path:line: what is wrong``."""
    words = words_of(source)
    lines = []
    for path in _files(source):
        if path.relative_to(source).as_posix().startswith(DECLARATIONS):
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if _COMMENT.match(line):
                continue
            lines += [
                f"{path}:{number}: the word “{word}” belongs to its setting: use linkWith or formatView"
                for word in _WRITTEN.findall(line)
                if word in words
            ]
            if _ASKED.search(line):
                lines.append(f"{path}:{number}: a kind's word is asked for by its setting: use settingOf")
    return lines


def _files(source: Path) -> Iterator[Path]:
    for path in sorted(path for suffix in ("*.ts", "*.svelte") for path in source.rglob(suffix)):
        if ".test." not in path.name and ".fixture." not in path.name and not path.name.startswith("test-"):
            yield path


def main() -> int:
    lines = check_tree(SOURCE)
    for line in lines:
        print(line)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

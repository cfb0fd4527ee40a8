"""Names of files that browsers save: they say what is inside, in letters that every file system and every
header takes."""

from __future__ import annotations

import re

MAX_STEM_CHARS = 80

_OTHER_LETTERS = re.compile(r"[^A-Za-z0-9.-]+")


def file_stem(*words: str, otherwise: str) -> str:
    """The words as the beginning of a name, each with its share of the length.

    >>> file_stem("../run 1", "träin/loss", otherwise="value"), file_stem("损失", otherwise="value")
    ('run_1_tr_in_loss', 'value')
    """
    share = MAX_STEM_CHARS // len(words)
    cleaned = (_OTHER_LETTERS.sub("_", word).strip("._-")[:share] for word in words)
    return "_".join(filter(None, cleaned)) or otherwise


def value_file_name(*words: str, step: int, ending: str, sample: int = 0, otherwise: str = "value") -> str:
    """Of one value of a tag.

    >>> value_file_name("speech", step=10, sample=1, ending="wav")
    'speech_step_10_sample_1.wav'
    """
    which = f"_sample_{sample}" if sample else ""
    return f"{file_stem(*words, otherwise=otherwise)}_step_{step}{which}.{ending}"

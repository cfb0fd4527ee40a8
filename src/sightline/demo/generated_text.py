"""What a language model might have answered at some point of its training: noise, then words, then sense."""

from __future__ import annotations

import numpy as np

GENERATE_EVERY = 250

PROMPT = "Explain why the sky is blue."
_ANSWER = """
Sunlight is made of all colours. When it passes through the air, its short waves are scattered far more than
its long ones: the strength grows with $1/\\lambda^4$. So blue light reaches us from every direction, and the
sky looks blue. In the evening the light has a longer way to go, most of the blue is gone, and what is left is
red.
"""
_COMMON = "the of and to in is that it was for on are as with they be at one have this from"
_LETTERS = "etaoinshrdlucmfwypvbgkjq"


def generated_text(step: int, *, steps: int, seed: int) -> str:
    """Markdown: a heading, the prompt, the answer, and a few numbers about it."""
    rng = np.random.default_rng([2_027, seed, step])
    clarity = 1 - float(np.exp(-3.5 * step / steps))
    answer, common = _ANSWER.split(), _COMMON.split()
    words = [_word(word, common, clarity=clarity, rng=rng) for word in answer]
    right = sum(told == word for told, word in zip(words, answer, strict=True))
    return "\n".join(
        [
            f"**Prompt:** {PROMPT}",
            "",
            f"> {' '.join(words)}",
            "",
            "| tokens | as expected |",
            "|---:|---:|",
            f"| {len(words)} | {100 * right / len(words):.0f} % |",
        ]
    )


def _word(word: str, common: list[str], *, clarity: float, rng: np.random.Generator) -> str:
    if rng.uniform() < clarity**2:
        return word
    if rng.uniform() < clarity:
        return str(rng.choice(common))
    return "".join(rng.choice(list(_LETTERS), size=rng.integers(2, 8)))

"""Lines that are computed from tags of one run: ``train/loss - val/loss``, ``ema(reward, 0.9)``.

    text ──parser──▶ Formula (program.py) ──evaluation──▶ points, and what is not finite because of it

Nothing of a formula is ever run as Python. Its length, depth and size are bounded, and every step of it goes
through the points once, so that nobody's formula can hold up the server. docs/formulas.md is for people.
"""

from __future__ import annotations

from sightline.query.formulas.evaluation import Evaluated, evaluate
from sightline.query.formulas.parser import parse_formula
from sightline.query.formulas.program import MAX_LENGTH, Formula

__all__ = ["MAX_LENGTH", "Evaluated", "Formula", "evaluate", "parse_formula"]

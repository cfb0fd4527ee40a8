"""What a command line comes to, without running it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from sightline.cli.arguments import parse_arguments
from sightline.cli.plan import ServePlan, make_plan
from sightline.settings import load_settings


def plan_of(line: str, environ: Mapping[str, str] | None = None) -> ServePlan:
    """Of a line as one types it, with or without the name of the program; quotes as in a shell, no globs."""
    words = shlex.split(line)
    arguments = parse_arguments(words[1:] if words[:1] == ["sightline"] else words)
    return make_plan(arguments, load_settings(arguments.config), environ or {})

"""Hides passwords, keys and tokens in what the run's story records.

People type secrets on command lines. A log is copied, mailed and shown around, so a value is hidden when the
name beside it smells of a secret (``--api-key …``, ``db.password=…``, ``"token": …``), when it has the shape
of a well-known kind of key, or when it stands before the ``@`` of a URL. Too much hidden is a nuisance, too
little is a leak; but words every training script has (``--tokenizer``, ``--max-tokens 512``) stay readable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

HIDDEN = "***"

# Patterns stay text until they are used, on the background thread: compiling them takes milliseconds. Words
# begin where no other ends, so that a long text is gone through once.
_SECRET = r"secret|passw|passphrase|pwd|credential|jwt|signature"
# These name harmless things as well: a plain number beside them is shown.
_MAYBE_SECRET = r"key|token|auth|cookie|bearer|(?:^|[^a-z])(?:pass|sig|pat)(?:$|[^a-z])"
_HARMLESS = r"tokeni[sz]\w*|key[-_]?(?:words?|points?|frames?|board|value)|monkey|authors?(?![a-z])"
_PLAIN = r"(?i:[-+]?[\d._]+(?:e[-+]?\d+)?[kmgb%]?|true|false|yes|no|none|null|on|off)"

_KNOWN_SHAPES = (
    r"(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{16,}"  # Hugging Face
    r"|sk-[A-Za-z0-9_-]{16,}"  # OpenAI, Anthropic
    r"|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}"  # GitHub, GitLab
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}"  # AWS, Google
    r"|xox[abeprs]-[\w-]{10,}"  # Slack
    r"|nvapi-[\w-]{16,}"  # NVIDIA
    r"|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"  # JSON web tokens
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
)
# Everything behind it: the scheme is a word of its own ("Authorization: token abc").
_AUTHORIZATION = r"""(?i)\b((?:proxy-)?authorization["']?\s{0,9}[:=]\s{0,9}["']?)[^"'\n]+"""
_URL_USER = r"(?<![\w+.-])((?i:[a-z][a-z0-9+.-]{0,30})://)([^/\s@?#'\"]+)@"
_WHOLE_ASSIGNMENT = r"([-+~]*[\w.\-/\[\]@]+=)((?s:.+))"
_ASSIGNMENT = (
    r"""(?<![\w.-])(["']?[\w.-]{1,300}["']?\s{0,9}[=:](?!//)\s{0,9})"""
    r"""("(?:[^"\\]|\\.)*(?:"|\Z)|'(?:[^'\\]|\\.)*(?:'|\Z)|[^\s,;&?}\])'"]+)"""
)


def is_secret(name: str, value: str = "") -> bool:
    """Whether the value that stands beside this name must not be shown."""
    name = re.sub(_HARMLESS, "", name.lower())
    if re.search(_SECRET, name):
        return True
    return re.search(_MAYBE_SECRET, name) is not None and re.fullmatch(_PLAIN, value) is None


def redacted_prose(text: str) -> str:
    """What people wrote (messages, tracebacks), without the values of ``password=…`` and the like.

    ``KeyError: 'lost'`` and ``missing key: head`` are no secrets: behind a colon only clear names count.
    """

    def shown(match: re.Match[str]) -> str:
        name, value = match[1], match[2]
        if ":" in name and not re.search(_SECRET, name.lower()):
            return name + re.sub(_ASSIGNMENT, shown, value)
        return _without_secret(match)

    return redacted_text(re.sub(_ASSIGNMENT, shown, text))


def redacted_text(text: str) -> str:
    """Text without the users of URLs and without keys of well-known shapes."""
    text = re.sub(_AUTHORIZATION, rf"\g<1>{HIDDEN}", text)
    return re.sub(_KNOWN_SHAPES, HIDDEN, re.sub(_URL_USER, _without_user, text))


def redacted_command(arguments: Sequence[str]) -> list[str]:
    """A command line that can be shown to others; as many arguments as before."""
    return list(_redacted(arguments))


def _redacted(arguments: Sequence[str]) -> Iterator[str]:
    option = ""  # the last one: it may have several values
    for argument in arguments:
        # A short flag after a secret option is hidden too: it may be a password that begins with a dash.
        if option and not argument.startswith("--") and is_secret(option, argument):
            yield HIDDEN
            continue
        if argument.startswith("-") and not re.fullmatch(_PLAIN, argument):
            option = "" if "=" in argument else argument
        yield _redacted_argument(argument)


def _redacted_argument(argument: str) -> str:
    whole = re.fullmatch(_WHOLE_ASSIGNMENT, argument)
    if whole and is_secret(whole[1], whole[2]):
        return whole[1] + HIDDEN
    return redacted_text(re.sub(_ASSIGNMENT, _without_secret, argument))


def _without_secret(match: re.Match[str]) -> str:
    name, value = match[1], match[2]
    if not is_secret(name, value.strip("\"'")):
        return name + re.sub(_ASSIGNMENT, _without_secret, value)  # "error: password=…" is two of them
    quote = value[0] if value[0] in "\"'" else ""
    return f"{name}{quote}{HIDDEN}{quote}"


def _without_user(match: re.Match[str]) -> str:
    scheme, user = match[1], match[2]
    # `ssh://git@host` is an address; `https://x@host` is a token as often as a name.
    is_address = ":" not in user and scheme.lower() not in ("http://", "https://")
    return match[0] if is_address else f"{scheme}{HIDDEN}@"

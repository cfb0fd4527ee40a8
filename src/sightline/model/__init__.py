"""The words of the domain: kinds and forms of data, errors, reports. No I/O, no dependencies."""

from sightline.model.errors import (
    BadArgumentError,
    DamagedValueError,
    DataError,
    FileGoneError,
    MissingExtraError,
    NoSuchPathError,
    SightlineError,
    UnknownNameError,
    UserError,
)
from sightline.model.forms import Form
from sightline.model.kinds import Kind, kind_of
from sightline.model.reports import Change, Damage, FileFacts, Progress, TagInfo

__all__ = [
    "BadArgumentError",
    "Change",
    "Damage",
    "DamagedValueError",
    "DataError",
    "FileFacts",
    "FileGoneError",
    "Form",
    "Kind",
    "MissingExtraError",
    "NoSuchPathError",
    "Progress",
    "SightlineError",
    "TagInfo",
    "UnknownNameError",
    "UserError",
    "kind_of",
]

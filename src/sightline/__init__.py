"""Sightline writes and reads the logs of training runs: every point, every kind, damage reported.

    from sightline import SummaryWriter
    with SummaryWriter("runs/exp1") as writer:
        writer.add_scalar("train/loss", 0.5, 1)

    import sightline
    log = sightline.open("runs").wait()
    log["exp1"].scalars["train/loss"].value

The names below are the public interface, together with the module ``sightline.summary``; everything else
may change. They are loaded on first use, so that ``import sightline`` costs next to nothing, and a training
job never loads what reads logs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from sightline.log import Log as Log
    from sightline.log import open_log as open
    from sightline.model.errors import BadArgumentError as BadArgumentError
    from sightline.model.errors import DamagedValueError as DamagedValueError
    from sightline.model.errors import DataError as DataError
    from sightline.model.errors import FileGoneError as FileGoneError
    from sightline.model.errors import MissingExtraError as MissingExtraError
    from sightline.model.errors import NoSuchPathError as NoSuchPathError
    from sightline.model.errors import SightlineError as SightlineError
    from sightline.model.errors import UnknownNameError as UnknownNameError
    from sightline.model.errors import UserError as UserError
    from sightline.model.kinds import Kind as Kind
    from sightline.model.reports import Change as Change
    from sightline.model.reports import Damage as Damage
    from sightline.model.reports import Progress as Progress
    from sightline.model.reports import TagInfo as TagInfo
    from sightline.query.selection import Selection as Selection
    from sightline.settings import Settings as Settings
    from sightline.settings import load_settings as load_settings
    from sightline.store.media import MediaSeries as MediaSeries
    from sightline.store.run import Run as Run
    from sightline.store.series import ScalarSeries as ScalarSeries
    from sightline.writer.file_writer import FileWriter as FileWriter
    from sightline.writer.global_writer import GlobalSummaryWriter as GlobalSummaryWriter
    from sightline.writer.run_dirs import run_dir as run_dir
    from sightline.writer.summary_writer import SummaryWriter as SummaryWriter

# public name → (module, name there)
_PUBLIC = {
    "BadArgumentError": ("sightline.model.errors", "BadArgumentError"),
    "Change": ("sightline.model.reports", "Change"),
    "Damage": ("sightline.model.reports", "Damage"),
    "DamagedValueError": ("sightline.model.errors", "DamagedValueError"),
    "DataError": ("sightline.model.errors", "DataError"),
    "FileGoneError": ("sightline.model.errors", "FileGoneError"),
    "FileWriter": ("sightline.writer.file_writer", "FileWriter"),
    "GlobalSummaryWriter": ("sightline.writer.global_writer", "GlobalSummaryWriter"),
    "Kind": ("sightline.model.kinds", "Kind"),
    "Log": ("sightline.log", "Log"),
    "MediaSeries": ("sightline.store.media", "MediaSeries"),
    "MissingExtraError": ("sightline.model.errors", "MissingExtraError"),
    "NoSuchPathError": ("sightline.model.errors", "NoSuchPathError"),
    "Progress": ("sightline.model.reports", "Progress"),
    "Run": ("sightline.store.run", "Run"),
    "ScalarSeries": ("sightline.store.series", "ScalarSeries"),
    "Selection": ("sightline.query.selection", "Selection"),
    "Settings": ("sightline.settings", "Settings"),
    "SightlineError": ("sightline.model.errors", "SightlineError"),
    "SummaryWriter": ("sightline.writer.summary_writer", "SummaryWriter"),
    "TagInfo": ("sightline.model.reports", "TagInfo"),
    "UnknownNameError": ("sightline.model.errors", "UnknownNameError"),
    "UserError": ("sightline.model.errors", "UserError"),
    "load_settings": ("sightline.settings", "load_settings"),
    "open": ("sightline.log", "open_log"),
    "run_dir": ("sightline.writer.run_dirs", "run_dir"),
}

__all__ = [
    "BadArgumentError",
    "Change",
    "Damage",
    "DamagedValueError",
    "DataError",
    "FileGoneError",
    "FileWriter",
    "GlobalSummaryWriter",
    "Kind",
    "Log",
    "MediaSeries",
    "MissingExtraError",
    "NoSuchPathError",
    "Progress",
    "Run",
    "ScalarSeries",
    "Selection",
    "Settings",
    "SightlineError",
    "SummaryWriter",
    "TagInfo",
    "UnknownNameError",
    "UserError",
    "__version__",
    "load_settings",
    "open",
    "run_dir",
]


def __getattr__(name: str) -> object:
    try:
        module, attribute = _PUBLIC[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    value: object = getattr(import_module(module), attribute)
    globals()[name] = value  # the next access does not come here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})

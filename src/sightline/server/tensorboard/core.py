"""What TensorBoard tells about itself: environment, runs, and which of its plugins have data."""

from __future__ import annotations

from typing import Any

from sightline.server.context import ServerContext
from sightline.server.tensorboard.answers import Fields


def environment(context: ServerContext, _: Fields) -> dict[str, Any]:
    return {
        "version": context.version,
        "data_location": _location(context),
        "window_title": context.options.window_title,
        "experiment_name": "",
        "experiment_description": "",
        "creation_time": 0,
        "debug": {
            "data_provider": "Sightline",
            "flags": {str(name): _plain(value) for name, value in context.options.flags.items()},
        },
    }


def logdir(context: ServerContext, _: Fields) -> dict[str, str]:
    return {"logdir": _location(context)}


def window_properties(context: ServerContext, _: Fields) -> dict[str, str]:
    return {"window_title": context.options.window_title}


def runs(context: ServerContext, _: Fields) -> list[str]:
    names: list[str] = context.store.names()
    return names


def nothing(_context: ServerContext, _fields: Fields) -> list[str]:
    """Experiments exist only on servers with many log directories."""
    return []


def notifications(_context: ServerContext, _fields: Fields) -> dict[str, list[str]]:
    return {"notifications": []}


def plugins_listing(context: ServerContext, _: Fields) -> dict[str, Any]:
    """The plugins whose routes are served here, in the order of TensorBoard's tabs."""
    is_enabled = bool(context.scalar_tags.all())
    return {
        "timeseries": _plugin(is_enabled, "Time Series", {"type": "NG_COMPONENT"}),
        "scalars": _plugin(
            is_enabled,
            "scalars",
            {"type": "CUSTOM_ELEMENT", "element_name": "tf-scalar-dashboard"},
        ),
        **{
            name: _plugin(
                bool(tags.all()),
                name,
                {"type": "CUSTOM_ELEMENT", "element_name": f"tf-{element}-dashboard"},
            )
            for name, element, tags in (
                ("images", "image", context.image_tags),
                ("audio", "audio", context.audio_tags),
                ("text", "text", context.text_tags),
            )
        },
    }


def _plugin(is_enabled: bool, tab_name: str, loading_mechanism: dict[str, str]) -> dict[str, Any]:
    return {
        "disable_reload": False,
        "enabled": is_enabled,
        "remove_dom": False,
        "tab_name": tab_name,
        "loading_mechanism": loading_mechanism,
    }


def _location(context: ServerContext) -> str:
    """As it was given, where we know; else the places themselves."""
    flags = context.options.flags
    given = flags.get("logdir") or flags.get("logdir_spec")
    return str(given) if given else ",".join(root.path for root in context.log.roots)


def _plain(value: object) -> object:
    """Flags as JSON, and as text where JSON has no word for them."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    return str(value)

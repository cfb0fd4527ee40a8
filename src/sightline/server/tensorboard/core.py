"""What TensorBoard tells about itself: environment, runs, and which of its plugins have data."""

from __future__ import annotations

from typing import Any

from sightline.dashboards import tensorboard_plugins
from sightline.dashboards.kind_tags import kind_tags
from sightline.server.context import ServerContext
from sightline.wire.tensorboard import Fields, TensorBoardPlugin


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
    return context.store.names()


def nothing(_context: ServerContext, _fields: Fields) -> list[str]:
    """Experiments exist only on servers with many log directories."""
    return []


def notifications(_context: ServerContext, _fields: Fields) -> dict[str, list[str]]:
    return {"notifications": []}


def plugins_listing(context: ServerContext, _: Fields) -> dict[str, Any]:
    """The plugins whose routes are served here, in the order of TensorBoard's tabs."""
    return {plugin.name: _listed(context, plugin) for plugin in tensorboard_plugins()}


def _listed(context: ServerContext, plugin: TensorBoardPlugin) -> dict[str, Any]:
    element = {"type": "CUSTOM_ELEMENT", "element_name": plugin.element}
    return {
        "disable_reload": False,
        "enabled": any(kind_tags(context, kind).all() for kind in plugin.kinds),
        "remove_dom": False,
        "tab_name": plugin.tab_name or plugin.name,
        "loading_mechanism": element if plugin.element else {"type": "NG_COMPONENT"},
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

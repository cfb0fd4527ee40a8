"""TensorBoard's own HParams tab, without its server: what it answers for a log directory."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
from tensorboard.plugins import base_plugin
from werkzeug.test import Client

with warnings.catch_warnings():  # about what it carries along
    warnings.simplefilter("ignore", DeprecationWarning)
    from tensorboard.plugins.hparams import hparams_plugin

STATUSES = ("STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING")


class HParamsTab:
    def __init__(self, log_directory: Path) -> None:
        multiplexer = plugin_event_multiplexer.EventMultiplexer()
        multiplexer.AddRunsFromDirectory(str(log_directory))
        multiplexer.Reload()
        provider = data_provider.MultiplexerDataProvider(multiplexer, str(log_directory))
        context = base_plugin.TBContext(data_provider=provider, logdir=str(log_directory))
        self._apps = hparams_plugin.HParamsPlugin(context).get_plugin_apps()

    def experiment(self) -> dict[str, Any]:
        return self._ask("/experiment", {})

    def types(self) -> dict[str, str]:
        """Hyper-parameter → its type, of the experiment that TensorBoard takes."""
        return {info["name"]: info["type"] for info in self.experiment().get("hparamInfos", [])}

    def metrics(self) -> list[str]:
        return [info["name"]["tag"] for info in self.experiment().get("metricInfos", [])]

    def groups(self, **sorting: str) -> dict[str, dict[str, Any]]:
        """Run → hparams, metrics and status of its session."""
        asked = {
            "startIndex": 0,
            "sliceSize": 1000,
            "allowedStatuses": STATUSES,
            "colParams": [{"hparam": name, "order": order} for name, order in sorting.items()],
        }
        found = self._ask("/session_groups", asked).get("sessionGroups", [])
        return {group["name"]: _facts_of(group) for group in found}

    def _ask(self, path: str, asked: dict[str, Any]) -> dict[str, Any]:
        response = Client(self._apps[path]).post(path, json=asked)
        assert response.status_code == 200, response.get_data()
        answer: dict[str, Any] = json.loads(response.get_data())
        return answer


def _facts_of(group: dict[str, Any]) -> dict[str, Any]:
    (session,) = group["sessions"]
    return {
        "hparams": group["hparams"],
        "metrics": {metric["name"]["tag"]: metric["value"] for metric in group.get("metricValues", [])},
        "status": session.get("status", "STATUS_UNKNOWN"),
        "start": session.get("startTimeSecs", 0),
        "end": session.get("endTimeSecs", 0),
    }

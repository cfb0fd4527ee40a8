"""TensorBoard's own HTTP interface, on our data: scripts and tools that ask ``/data/…`` keep working.

A thin adapter: the answers have TensorBoard's shape, the points are ours. All of them: nothing is sampled.
What dashboards answer of it is in their folders (``tensorboard.py``). What is different from TensorBoard on
purpose is listed in docs/http-api.md, and tests compare everything else with the real one.
"""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sightline.dashboards import all_dashboards
from sightline.server.context import ServerContext
from sightline.server.tensorboard import core
from sightline.server.tensorboard.dispatch import endpoint_for
from sightline.server.workers import Lines
from sightline.wire.tensorboard import Question

_CORE_QUESTIONS: dict[str, Question] = {
    "/data/environment": core.environment,
    "/data/logdir": core.logdir,
    "/data/window_properties": core.window_properties,
    "/data/runs": core.runs,
    "/data/experiments": core.nothing,
    "/data/experiment_runs": core.nothing,
    "/data/notifications": core.notifications,
    "/data/plugins_listing": core.plugins_listing,
}

_OLD_PAGES = ("/audio", "/events", "/graphs", "/histograms", "/images")


class Asked(NamedTuple):
    question: Question
    is_heavy: bool


def questions() -> dict[str, Asked]:
    """Path → what answers it."""
    plugins = [dashboard.tensorboard for dashboard in all_dashboards() if dashboard.tensorboard is not None]
    return {
        **{path: Asked(question, is_heavy=False) for path, question in _CORE_QUESTIONS.items()},
        **{
            f"/data/plugin/{plugin.name}/{route.name}": Asked(plugin.question(route), route.is_heavy)
            for plugin in plugins
            for route in plugin.routes
        },
    }


def tensorboard_routes(context: ServerContext, lines: Lines) -> list[BaseRoute]:
    found: list[BaseRoute] = []
    for path, (question, is_heavy) in questions().items():
        endpoint = endpoint_for(question, context, lines.heavy if is_heavy else lines.small)
        found.append(Route(path, endpoint, methods=["GET", "POST"]))
    return [*found, *(Route(path, _to_the_page) for path in _OLD_PAGES)]


async def _to_the_page(_: Request) -> Response:
    return Response(status_code=302, headers={"location": "./"})

"""TensorBoard's own HTTP interface, on our data: scripts and tools that ask ``/data/…`` keep working.

A thin adapter: the answers have TensorBoard's shape, the points are ours. All of them: nothing is sampled.
What dashboards answer of it is in their folders (``tensorboard.py``). What is different from TensorBoard on
purpose is listed in docs/http-api.md, and tests compare everything else with the real one.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sightline.dashboards import tensorboard_plugins
from sightline.server.context import ServerContext
from sightline.server.tensorboard import core
from sightline.server.tensorboard.dispatch import endpoint_for
from sightline.server.workers import Lines, Workers
from sightline.wire.tensorboard import Question

CORE_QUESTIONS: dict[str, Question] = {
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


def plugin_questions() -> dict[str, Question]:
    """Those of the dashboards, by path. They answer with points, or read values from the files."""
    plugins = tensorboard_plugins()
    return {path: question for plugin in plugins for path, question in plugin.questions().items()}


def tensorboard_routes(context: ServerContext, lines: Lines) -> list[BaseRoute]:
    def route(path: str, question: Question, workers: Workers) -> Route:
        return Route(path, endpoint_for(question, context, workers), methods=["GET", "POST"])

    return [
        *(route(path, question, lines.small) for path, question in CORE_QUESTIONS.items()),
        *(route(path, question, lines.heavy) for path, question in plugin_questions().items()),
        *(Route(path, _to_the_page) for path in _OLD_PAGES),
    ]


async def _to_the_page(_: Request) -> Response:
    return Response(status_code=302, headers={"location": "./"})

"""TensorBoard's own HTTP interface, on our data: scripts and tools that ask ``/data/…`` keep working.

A thin adapter: the answers have TensorBoard's shape, the points are ours. All of them: nothing is sampled.
What is different from TensorBoard on purpose is listed in docs/http-api.md, and tests compare everything else
with the real one.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sightline.server.context import ServerContext
from sightline.server.tensorboard import audio, core, images, scalars, text, timeseries
from sightline.server.tensorboard.answers import Question, endpoint_for
from sightline.server.workers import Lines, Workers

QUESTIONS: dict[str, Question] = {
    "/data/environment": core.environment,
    "/data/logdir": core.logdir,
    "/data/window_properties": core.window_properties,
    "/data/runs": core.runs,
    "/data/experiments": core.nothing,
    "/data/experiment_runs": core.nothing,
    "/data/notifications": core.notifications,
    "/data/plugins_listing": core.plugins_listing,
    "/data/plugin/scalars/tags": scalars.tags,
    "/data/plugin/scalars/scalars": scalars.scalars,
    "/data/plugin/scalars/scalars_multirun": scalars.scalars_multirun,
    "/data/plugin/timeseries/tags": timeseries.tags,
    "/data/plugin/timeseries/timeSeries": timeseries.time_series,
    "/data/plugin/timeseries/imageData": timeseries.image_data,
    "/data/plugin/images/tags": images.tags,
    "/data/plugin/images/images": images.images,
    "/data/plugin/images/individualImage": images.individual_image,
    "/data/plugin/audio/tags": audio.tags,
    "/data/plugin/audio/audio": audio.audio,
    "/data/plugin/audio/individualAudio": audio.individual_audio,
    "/data/plugin/text/tags": text.tags,
    "/data/plugin/text/text": text.text,
}
"""Path → what answers it. A question that is POST only says so itself, as in TensorBoard."""

_HEAVY: tuple[Question, ...] = (
    *(scalars.scalars, scalars.scalars_multirun, timeseries.tags, timeseries.time_series),
    *(images.tags, images.images, images.individual_image, timeseries.image_data),
    *(audio.tags, audio.audio, audio.individual_audio, text.text),
)
"""They answer with points, or read values from the files; see ``Lines``."""

_OLD_PAGES = ("/audio", "/events", "/graphs", "/histograms", "/images")


def tensorboard_routes(context: ServerContext, lines: Lines) -> list[BaseRoute]:
    def workers_for(question: Question) -> Workers:
        return lines.heavy if question in _HEAVY else lines.small

    return [
        *(
            Route(path, endpoint_for(question, context, workers_for(question)), methods=["GET", "POST"])
            for path, question in QUESTIONS.items()
        ),
        *(Route(path, _to_the_page) for path in _OLD_PAGES),
    ]


async def _to_the_page(_: Request) -> Response:
    return Response(status_code=302, headers={"location": "./"})

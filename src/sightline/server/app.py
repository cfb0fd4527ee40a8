"""Puts the application together: the gate, the API, TensorBoard's routes, the page.

Starlette ─▶ SecurityMiddleware ─▶ PathMiddleware ─▶ api/v1/…   core routes and those of the dashboards
                                                     data/…     what TensorBoard serves
                                                     …          the built page
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from sightline.dashboards import all_dashboards
from sightline.log import Log
from sightline.server.context import ServerContext
from sightline.server.core_routes import CORE_ROUTES, with_openapi
from sightline.server.dispatch import Endpoint, endpoint_for
from sightline.server.errors import error_response, on_http_exception
from sightline.server.live import Hub
from sightline.server.options import ServerOptions
from sightline.server.paths import InnerPaths, PathMiddleware
from sightline.server.security import SecurityMiddleware, content_security_policy
from sightline.server.static import StaticFiles
from sightline.server.tensorboard import plugin_questions, tensorboard_routes
from sightline.server.workers import Lines
from sightline.server.workspace_routes import WORKSPACE_ROUTES
from sightline.wire.openapi import EVENT_STREAM
from sightline.wire.routes import API_PREFIX, ApiRoute, Late


def api_routes() -> tuple[ApiRoute, ...]:
    """Everything below ``api/v1``: the one table that the server, its documents and its tests are made
    from."""
    from_dashboards = [route for dashboard in all_dashboards() for route in dashboard.routes]
    # runs/fields comes before runs/{id}, which would take it for a number.
    return with_openapi([*WORKSPACE_ROUTES, *CORE_ROUTES, *from_dashboards])


def warm_up() -> None:
    """Import what the first questions need: while the browser still loads the page, and not before the server
    listens."""
    import sightline.query.tag_table  # noqa: F401

    for handler in [*(route.handler for route in api_routes()), *plugin_questions().values()]:
        if isinstance(handler, Late):
            handler.load()
    for dashboard in all_dashboards():
        dashboard.warm_up()


def make_app(log: Log, options: ServerOptions) -> Starlette:
    """The application for one log. Opens no socket; its event streams begin to tell when a server starts
    it."""
    context = ServerContext(log, options)
    lines = Lines()
    hub = Hub(context, lines.small.run)
    paths = InnerPaths(options.prefix)
    page_headers = {"content-security-policy": content_security_policy(options)}
    static = StaticFiles(lines.small, page_headers=page_headers)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        hub.start()
        warming = asyncio.ensure_future(lines.patient.run(warm_up))
        try:
            yield
        finally:
            warming.cancel()
            context.stop_listening()
            await hub.stop()

    app = Starlette(
        routes=[
            *_api_endpoints(context, lines, hub),
            *tensorboard_routes(context, lines),
            Route("/", static.page),
            Route("/index.html", static.page),
            Route("/{name:path}", static.file),
        ],
        middleware=[
            Middleware(SecurityMiddleware, options=options, paths=paths, workers=lines.small),
            Middleware(PathMiddleware, paths=paths, prefix=options.prefix),
        ],
        # Keys are looked up by class: these are all errors that a route may raise outside of our own
        # endpoints.
        exception_handlers=dict.fromkeys((400, 404, 405, 413, 500), on_http_exception),
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.context = context
    app.state.hub = hub
    app.state.lines = lines
    return app


def _api_endpoints(context: ServerContext, lines: Lines, hub: Hub) -> list[BaseRoute]:
    endpoints: dict[str, dict[str, Endpoint]] = {}
    heavy = {route for dashboard in all_dashboards() for route in dashboard.routes}
    for route in api_routes():
        workers = lines.patient if route.is_patient else lines.heavy if route in heavy else lines.small
        endpoint = _events_endpoint(hub) if route.handler is None else endpoint_for(route, context, workers)
        endpoints.setdefault(route.path, {})[route.method] = endpoint
    found: list[BaseRoute] = [
        Route(f"{API_PREFIX}/{path}", _by_method(methods), methods=_ALL_METHODS)
        for path, methods in endpoints.items()
    ]
    # Behind them, so that the page's own routes do not answer for what only looks like the API.
    return [*found, Route("/api/{rest:path}", _no_such_route, methods=_ALL_METHODS)]


_ALL_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def _by_method(methods: dict[str, Endpoint]) -> Endpoint:
    """One path, whatever the method: a path that exists is never a 404."""
    allowed = ", ".join(sorted({*methods, *(["HEAD"] if "GET" in methods else [])}))

    async def endpoint(request: Request) -> Response:
        found = methods.get("GET" if request.method == "HEAD" else request.method)
        if found is None:
            message = f"This path is there, but not for {request.method}: use {allowed}"
            return error_response(request.scope["path"], 405, message, {"allow": allowed})
        return await found(request)

    return endpoint


async def _no_such_route(request: Request) -> Response:
    message = "There is no such route; api/v1/openapi.json and docs/http-api.md list them all"
    return error_response(request.scope["path"], 404, message)


def _events_endpoint(hub: Hub) -> Endpoint:
    async def events(request: Request) -> Response:
        stream = hub.open_stream()
        if stream is None:
            message = "Too many pages are open; close some of them"
            return error_response(request.scope["path"], 503, message)
        # X-Accel-Buffering: nginx must not wait until a buffer is full.
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        if request.method == "HEAD":
            hub.end_stream(stream)
            return Response(headers=headers, media_type=EVENT_STREAM)
        return StreamingResponse(hub.events(stream), headers=headers, media_type=EVENT_STREAM)

    return events

"""The HTTP server: routes, live events, security, the built page. Only the command line and notebooks start
it.

    make_app   the application, without any socket: what tests and other servers use
    serve      runs it on sockets that the caller has bound, until SIGINT or SIGTERM
"""

from sightline.server.app import make_app
from sightline.server.options import ServerOptions
from sightline.server.serving import serve

__all__ = ["ServerOptions", "make_app", "serve"]

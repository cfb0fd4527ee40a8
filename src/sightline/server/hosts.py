"""Who a request may be addressed to, and which site it may come from.

The log is private, and a browser lets every page on the internet send requests to localhost. Two checks keep
them out. Host: a foreign page that has its name resolve to 127.0.0.1 (DNS rebinding) still has to say that
name. Origin: what writes or streams must come from our own page. What a script of a foreign page cannot forge
is believed (Sec-Fetch-Site, Origin), nothing else is.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from sightline.model.addresses import ip_address_of, is_everywhere, is_loopback

_DEFAULT_PORTS = {"http": 80, "https": 443}


def host_of(netloc: str) -> str:
    """The name in a Host header, without port and brackets, in lower case; "" when it makes no sense."""
    try:
        found = urlsplit(f"//{netloc}").hostname or ""
    except ValueError:
        return ""
    return found.rstrip(".")


class AllowedHosts:
    """The names a server answers to. Ports never matter: tunnels change them."""

    def __init__(self, bound_host: str, more: tuple[str, ...] = ()) -> None:
        bound = bound_host.strip("[]").lower()
        self.is_any_address = is_everywhere(bound)
        given = {name.strip().strip("[]").lower().rstrip(".") for name in more}
        self._suffixes = tuple(name for name in given if name.startswith("."))
        self._names = given - set(self._suffixes) | (set() if self.is_any_address else {bound})
        self._has_machine_names = False

    def is_allowed(self, netloc: str) -> bool:
        """``netloc`` is the Host header. Never blocks; see ``learn_machine_names``."""
        host = host_of(netloc)
        if not host:
            return False
        if is_loopback(host) or host in self._names or host.endswith(self._suffixes or ("\0",)):
            return True
        # A literal address was typed or linked: no name was resolved, so there is nothing to rebind.
        return self.is_any_address and ip_address_of(host) is not None

    @property
    def is_learning(self) -> bool:
        """Whether ``learn_machine_names`` may make a difference."""
        return self.is_any_address and not self._has_machine_names

    def learn_machine_names(self) -> None:
        """Add what this machine is called. Asks the resolver, which may take seconds."""
        if self.is_learning:
            name = socket.gethostname().lower()
            short = name.split(".", 1)[0]
            self._names = self._names | {name, short, f"{short}.local", socket.getfqdn().lower().rstrip(".")}
            self._has_machine_names = True


def is_foreign_fetch(headers: Mapping[str, str]) -> bool:
    """A page of another site fetches something here. Following a link from there is no fetch."""
    is_cross_site = headers.get("sec-fetch-site") == "cross-site"
    return is_cross_site and headers.get("sec-fetch-mode", "navigate") != "navigate"


def is_own_origin(headers: Mapping[str, str]) -> bool:
    """Whether what writes or streams comes from our own page, or from no page at all (curl, scripts)."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        # The browser has compared the addresses that it used itself: no proxy in between can blur them.
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return True
    named = [headers.get("host", ""), *headers.get("x-forwarded-host", "").split(",")]
    return any(_is_same(origin, netloc.strip()) for netloc in named if netloc.strip())


def _is_same(origin: str, netloc: str) -> bool:
    try:
        parts = urlsplit(origin)
        asked = urlsplit(f"//{netloc}")
        default = _DEFAULT_PORTS.get(parts.scheme)
        is_same_port = asked.port is None or (asked.port == (parts.port or default))
    except ValueError:
        return False
    # Proxies that pass the name on often leave out the port.
    return bool(parts.hostname) and parts.hostname == asked.hostname and is_same_port

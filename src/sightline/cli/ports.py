"""Sockets to serve on: one per address, all with the same port, listening before anything slow is done.

A port that was not asked for is a wish: the next free one will do. A port that was asked for is in a
bookmark, a tunnel or a proxy: then the user has to know who sits on it. Linux tells, for processes of the
same user.
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sightline.model.addresses import EVERYWHERE, LOOPBACK
from sightline.model.errors import BadArgumentError, UserError

_BACKLOG = 2048
_ANY_PORT_ATTEMPTS = 20
_LISTENING = "0A"
"""The state of a socket in /proc/net/tcp."""

_Address = tuple[socket.AddressFamily, str]


class PortTakenError(UserError):
    """Somebody else listens there."""


@dataclass(frozen=True)
class PortHolder:
    """The process that listens on a port."""

    pid: int
    name: str


def listen(
    host: str, port: int, *, attempts: int = 1, is_shared: bool = False
) -> tuple[list[socket.socket], int]:
    """Sockets that listen on `port` of `host`, or on the first free one of `attempts` ports from there on.

    `host` is a name, an address or a word of ``model.addresses``. Returns the sockets and the port. Port 0
    stands for any free one. Raises PortTakenError, or BadArgumentError for an address that this machine has
    not.
    """
    addresses = _addresses(host)
    if port == 0:
        ports: Sequence[int] = [0] * _ANY_PORT_ATTEMPTS
    else:
        ports = range(port, min(port + attempts, 65536))
    for candidate in ports:
        sockets = _listen_on_all(addresses, candidate, host=host, is_shared=is_shared)
        if sockets is not None:
            return sockets, int(sockets[0].getsockname()[1])
    raise PortTakenError(_taken_text(host, port, attempts=len(ports)))


def port_holder(port: int) -> PortHolder | None:
    """The process that listens on a port, if the system says so to this user."""
    inodes = {f"socket:[{inode}]" for inode in _listening_inodes(port)}
    if not inodes:
        return None
    for pid in filter(str.isdecimal, _names("/proc")):
        for descriptor in _names(f"/proc/{pid}/fd"):
            try:
                if os.readlink(f"/proc/{pid}/fd/{descriptor}") in inodes:
                    return PortHolder(int(pid), _process_name(pid))
            except OSError:
                continue  # closed, or ended, meanwhile
    return None


# ── binding ─────────────────────────────────────────────────────────────────────────────────────────────


def _addresses(host: str) -> list[_Address]:
    if host == LOOPBACK:
        return [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
    if host == EVERYWHERE:
        return [(socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")]
    try:
        found = socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadArgumentError(f"Cannot listen on the host {host!r}: {reason}") from None
    return list(dict.fromkeys((family, str(place[0])) for family, _, _, _, place in found))


def _listen_on_all(
    addresses: Sequence[_Address], port: int, *, host: str, is_shared: bool
) -> list[socket.socket] | None:
    """None when one of them is taken: a browser may try that one first. What is not there is left out."""
    sockets: list[socket.socket] = []
    missing: OSError | None = None
    for family, address in addresses:
        own_port = int(sockets[0].getsockname()[1]) if sockets else port
        try:
            sockets.append(_listening_socket(family, address, own_port, is_shared=is_shared))
        except OSError as error:
            if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT):
                missing = error
                continue
            for opened in sockets:
                opened.close()
            if error.errno == errno.EADDRINUSE:
                return None
            raise _refused(error, host=host, port=port) from None
    if missing is not None and not sockets:
        raise _refused(missing, host=host, port=port) from None
    return sockets


def _listening_socket(
    family: socket.AddressFamily, address: str, port: int, *, is_shared: bool
) -> socket.socket:
    # The event loop asks for the protocol before it sends without delay: without it each answer takes 40 ms.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # Connections of a server that has just ended linger for a minute, and are no reason to wait.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if is_shared and hasattr(socket, "SO_REUSEPORT"):
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((address, port))
        made.listen(_BACKLOG)
        made.setblocking(False)
    except BaseException:
        made.close()
        raise
    return made


def _refused(error: OSError, *, host: str, port: int) -> UserError:
    if error.errno == errno.EACCES:
        return BadArgumentError(
            f"Permission denied: port {port} is kept for the system (as all below 1024); "
            "choose another one, like --port 6006"
        )
    if error.errno == errno.EADDRNOTAVAIL:
        return BadArgumentError(f"This machine has no address {host!r}; --bind_all listens on all it has")
    return BadArgumentError(f"Cannot listen on port {port} of {host}: {error.strerror}")


# ── who is there ────────────────────────────────────────────────────────────────────────────────────────


def _taken_text(host: str, port: int, *, attempts: int) -> str:
    if attempts > 1:
        return (
            f"Address already in use: all ports from {port} to {port + attempts - 1} are taken. "
            "Any free one: --port 0"
        )
    holder = port_holder(port)
    by = f" by {holder.name} (pid {holder.pid})" if holder is not None else ""
    free = _free_port_after(host, port)
    another = f"Try --port {free}" if free is not None else "Try --port 0, any free one"
    return f"Address already in use: port {port} is taken{by}. {another}, or leave --port out"


def _free_port_after(host: str, port: int) -> int | None:
    try:
        sockets, free = listen(host, port + 1, attempts=20) if port < 65535 else ([], 0)
    except UserError:
        return None
    for opened in sockets:
        opened.close()
    return free or None


def _listening_inodes(port: int) -> Iterator[str]:
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(table, encoding="ascii") as lines:
                rows = [line.split() for line in lines][1:]
        except OSError:
            continue  # another system, or no such protocol
        for row in rows:
            if len(row) > 9 and row[3] == _LISTENING and int(row[1].rpartition(":")[2], 16) == port:
                yield row[9]


def _names(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []  # of another user, or gone


def _process_name(pid: str) -> str:
    """The program, and for Python the module or script, which is what tells one from another."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = [os.fsdecode(word) for word in file.read().split(b"\0") if word]
    except OSError:
        words = []
    if not words:
        return "a process"
    name = os.path.basename(words[0])
    if name.startswith("python") and len(words) > 1:
        told = words[2] if words[1] == "-m" and len(words) > 2 else words[1]
        if told != "-c":
            return f"{name} {os.path.basename(told)}"
    return name

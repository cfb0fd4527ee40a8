"""Binding: the next free port, a port that is taken and by whom, both versions of the protocol."""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from sightline.cli.ports import PortTakenError, listen, port_holder
from sightline.model.addresses import EVERYWHERE, LOOPBACK
from sightline.model.errors import BadArgumentError

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who holds a port")


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def taken_port(stack: ExitStack, *, host: str = "127.0.0.1") -> int:
    """A port on which this process listens, with a free one behind it."""
    for _ in range(100):
        holder = socket.socket()
        holder.bind((host, 0))
        holder.listen()
        port = int(holder.getsockname()[1])
        if port < 65_000:
            stack.callback(holder.close)
            return port
        holder.close()
    raise AssertionError("no port")


def listening(stack: ExitStack, host: str, port: int, **choices: int) -> int:
    sockets, chosen = listen(host, port, **choices)  # type: ignore[arg-type]
    for one in sockets:
        stack.callback(one.close)
    return chosen


def test_a_wish_is_met_by_the_next_free_port(opened: ExitStack) -> None:
    port = taken_port(opened)
    assert listening(opened, LOOPBACK, port, attempts=50) > port


@pytest.mark.parametrize("host", [LOOPBACK, "localhost", "127.0.0.1", EVERYWHERE, "0.0.0.0"])
def test_a_port_that_was_asked_for_and_is_taken_is_an_error_with_advice(host: str, opened: ExitStack) -> None:
    port = taken_port(opened)
    with pytest.raises(PortTakenError) as caught:
        listen(host, port)
    told = str(caught.value)
    assert told.startswith(f"Address already in use: port {port} is taken")
    free = re.search(r"Try --port (\d+), or leave --port out$", told)
    assert free is not None
    assert int(free[1]) > port


@needs_linux
def test_the_process_that_holds_a_port_is_named(opened: ExitStack) -> None:
    port = taken_port(opened)
    holder = port_holder(port)
    assert holder is not None
    assert holder.pid == os.getpid()
    with pytest.raises(PortTakenError, match=rf"by .*python.* \(pid {os.getpid()}\)"):
        listen(LOOPBACK, port)


def test_nobody_holds_a_free_port(opened: ExitStack) -> None:
    with ExitStack() as soon_closed:
        port = taken_port(soon_closed)
    assert port_holder(port) is None


def test_when_all_ports_are_taken_that_is_told(opened: ExitStack) -> None:
    port = taken_port(opened)
    with suppress(PortTakenError):  # then somebody else has it, which is as good
        listening(opened, "127.0.0.1", port + 1)
    with pytest.raises(PortTakenError, match=f"all ports from {port} to {port + 1} are taken.*--port 0"):
        listen("127.0.0.1", port, attempts=2)


def test_port_zero_is_any_free_one_the_same_for_all_addresses(opened: ExitStack) -> None:
    sockets, port = listen(LOOPBACK, 0)
    for one in sockets:
        opened.callback(one.close)
    assert port > 0
    assert {one.getsockname()[1] for one in sockets} == {port}
    assert "127.0.0.1" in {one.getsockname()[0] for one in sockets}


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6")
def test_a_port_that_another_has_on_the_other_protocol_counts_as_taken(opened: ExitStack) -> None:
    holder = socket.socket(socket.AF_INET6)
    opened.callback(holder.close)
    try:
        holder.bind(("::1", 0))
    except OSError:
        pytest.skip("no IPv6 here")
    holder.listen()
    port = int(holder.getsockname()[1])
    with pytest.raises(PortTakenError):
        listen(LOOPBACK, port)


def test_sockets_listen_before_anybody_accepts(opened: ExitStack) -> None:
    port = listening(opened, LOOPBACK, 0)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        assert connection.getpeername()[1] == port


def test_sockets_say_that_they_are_tcp(opened: ExitStack) -> None:
    # asyncio switches Nagle's delay off only then.
    sockets, _ = listen(LOOPBACK, 0)
    for one in sockets:
        opened.callback(one.close)
    assert {one.proto for one in sockets} == {socket.IPPROTO_TCP}


def test_a_port_may_be_shared_when_that_is_asked_for(opened: ExitStack) -> None:
    port = listening(opened, LOOPBACK, 0, is_shared=True)
    assert listening(opened, LOOPBACK, port, is_shared=True) == port


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("no-such-host.invalid", "Cannot listen on the host 'no-such-host.invalid': "),
        ("192.0.2.1", "This machine has no address '192.0.2.1'; --bind_all listens on all"),
        ("a" * 300, "Cannot listen on the host"),
    ],
)
def test_a_host_that_is_not_ours_is_told(host: str, told: str) -> None:
    with pytest.raises(BadArgumentError, match=re.escape(told)):
        listen(host, 0)

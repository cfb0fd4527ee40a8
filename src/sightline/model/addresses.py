"""What a server listens on, in words that mean the same to whoever binds the sockets and to whoever decides
who may ask.

The empty string is none of them. To a socket it means everywhere, to many programs it means the default; here
it is nothing, so that no two places can read it differently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

LOOPBACK = "localhost"
"""This machine only, by either version of the protocol."""

EVERYWHERE = "*"
"""Every address of this machine, by either version of the protocol."""


def is_loopback(host: str) -> bool:
    """By its spelling: no resolver is asked, because it may be an attacker's."""
    name = host.lower()
    if name == LOOPBACK or name.endswith(f".{LOOPBACK}"):
        return True
    address = ip_address_of(host)
    return address is not None and address.is_loopback


def is_everywhere(host: str) -> bool:
    address = ip_address_of(host)
    return host == EVERYWHERE or (address is not None and address.is_unspecified)


def ip_address_of(host: str) -> IPv4Address | IPv6Address | None:
    """None for a name. IPv6 may stand in brackets, as in URLs."""
    if host in ("", LOOPBACK, EVERYWHERE):
        return None
    import ipaddress  # takes longer than all the rest of a start that needs none

    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None

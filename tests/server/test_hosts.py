"""Which names are answered to, and which pages may write or listen."""

from __future__ import annotations

import pytest

from sightline.model.addresses import EVERYWHERE, LOOPBACK
from sightline.server.hosts import AllowedHosts, host_of, is_foreign_fetch, is_own_origin


@pytest.mark.parametrize(
    ("netloc", "host"),
    [
        ("localhost:6006", "localhost"),
        ("LOCALHOST", "localhost"),
        ("[::1]:6006", "::1"),
        ("example.org.", "example.org"),
        ("", ""),
        ("[::1", ""),
        ("evil.com@localhost", "localhost"),
    ],
)
def test_the_host_is_what_stands_before_the_port(netloc: str, host: str) -> None:
    assert host_of(netloc) == host


@pytest.mark.parametrize(
    "netloc", ["localhost", "127.0.0.1:8080", "127.3.2.1", "[::1]:1", "my.localhost:6006"]
)
def test_loopback_is_always_answered(netloc: str) -> None:
    assert AllowedHosts("127.0.0.1").is_allowed(netloc)


@pytest.mark.parametrize(
    "netloc",
    ["evil.com", "localhost.evil.com", "127.0.0.1.evil.com", "192.168.1.5:6006", "", "[::2]", "notlocalhost"],
)
def test_a_server_on_loopback_answers_to_nothing_else(netloc: str) -> None:
    assert not AllowedHosts("127.0.0.1").is_allowed(netloc)


def test_the_bound_name_is_answered_to() -> None:
    assert AllowedHosts("gpu7.lab").is_allowed("GPU7.lab:6006")
    assert AllowedHosts("192.168.1.5").is_allowed("192.168.1.5")
    assert not AllowedHosts("192.168.1.5").is_allowed("192.168.1.6")


@pytest.mark.parametrize("bound", ["0.0.0.0", "::", "[::]", EVERYWHERE])
def test_on_all_interfaces_any_literal_address_is_answered_to_but_no_foreign_name(bound: str) -> None:
    hosts = AllowedHosts(bound)
    assert hosts.is_allowed("192.168.1.5:6006")
    assert hosts.is_allowed("[fd00::5]:6006")
    assert not hosts.is_allowed("evil.com")


@pytest.mark.parametrize("bound", [LOOPBACK, ""])
def test_no_host_at_all_is_never_taken_for_all_interfaces(bound: str) -> None:
    hosts = AllowedHosts(bound)
    assert hosts.is_allowed("localhost:6006")
    assert not hosts.is_allowed("192.168.1.5:6006")
    assert not hosts.is_learning


def test_on_all_interfaces_the_machine_is_known_by_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "GPU7")
    monkeypatch.setattr("socket.getfqdn", lambda: "gpu7.lab.example.org")
    hosts = AllowedHosts("0.0.0.0")
    assert hosts.is_learning
    hosts.learn_machine_names()
    assert not hosts.is_learning
    for name in ("gpu7", "gpu7.local", "gpu7.lab.example.org:6006"):
        assert hosts.is_allowed(name)
    assert not hosts.is_allowed("gpu7.evil.com")


def test_more_names_can_be_allowed() -> None:
    hosts = AllowedHosts("127.0.0.1", ("tb.example.org", ".lab.example.org"))
    assert hosts.is_allowed("tb.example.org")
    assert hosts.is_allowed("a.lab.example.org")
    assert not hosts.is_allowed("b.example.org")
    assert not hosts.is_allowed("evillab.example.org")


@pytest.mark.parametrize(
    ("headers", "is_own"),
    [
        ({}, True),
        ({"host": "localhost:6006", "origin": "http://localhost:6006"}, True),
        ({"host": "localhost:6006", "origin": "http://localhost:8888"}, False),
        ({"host": "localhost:6006", "origin": "https://evil.com"}, False),
        ({"host": "localhost:6006", "origin": "null"}, False),
        ({"host": "tb.example.org", "origin": "https://tb.example.org"}, True),
        ({"host": "tb.example.org:443", "origin": "https://tb.example.org"}, True),
        ({"host": "127.0.0.1:6006", "origin": "https://tb.org", "x-forwarded-host": "tb.org"}, True),
        ({"host": "127.0.0.1:6006", "origin": "https://tb.org", "x-forwarded-host": "a.org, tb.org"}, True),
        ({"host": "127.0.0.1:6006", "origin": "https://tb.org", "x-forwarded-host": "a.org"}, False),
        ({"host": "127.0.0.1", "origin": "https://tb.org", "sec-fetch-site": "same-origin"}, True),
        ({"host": "tb.org", "origin": "https://tb.org", "sec-fetch-site": "cross-site"}, False),
        ({"host": "localhost:6006", "origin": "http://localhost:1", "sec-fetch-site": "same-site"}, False),
        ({"host": "localhost", "origin": "http://[broken"}, False),
        ({"host": "localhost:99999999", "origin": "http://localhost"}, False),
    ],
)
def test_own_pages_are_told_from_foreign_ones(headers: dict[str, str], is_own: bool) -> None:
    assert is_own_origin(headers) is is_own


def test_following_a_link_is_no_foreign_fetch() -> None:
    assert is_foreign_fetch({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"})
    assert not is_foreign_fetch({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"})
    assert not is_foreign_fetch({"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"})
    assert not is_foreign_fetch({})

"""The gate: Host, Origin, token and headers, as a browser and as an attacker meet them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from sightline.log import Log
from sightline.server import ServerOptions
from sightline.server.security import Token, content_security_policy
from tests.server.clients import client_for, two_runs

TOKEN = "open sesame"
COOKIE_NAME = Token(TOKEN, path="/").cookie().split("=", 1)[0]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return two_runs(tmp_path_factory.mktemp("log"))


def cookie_of(answer: httpx.Response) -> str:
    return answer.headers["set-cookie"].split(";", 1)[0]


# ── Host and Origin ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/", "/api/v1/runs", "/data/runs", "/assets/x.js"])
def test_a_name_that_was_rebound_to_us_is_refused(log: Log, path: str) -> None:
    answer = client_for(log, base_url="http://evil.com:6006").get(path)
    assert answer.status_code == 403
    assert "evil.com" in answer.text


def test_a_tunnel_on_another_port_is_fine(log: Log) -> None:
    assert client_for(log, base_url="http://localhost:16006").get("/api/v1/runs").status_code == 200


def test_an_allowed_host_is_answered(log: Log) -> None:
    client = client_for(log, base_url="http://tb.example.org", allowed_hosts=("tb.example.org",))
    assert client.get("/api/v1/runs").status_code == 200


def test_with_a_token_any_name_is_answered(log: Log) -> None:
    client = client_for(log, base_url="http://whatever.example", token=TOKEN)
    headers = {"authorization": f"Bearer {TOKEN}"}
    assert client.get("/api/v1/runs", headers=headers).status_code == 200


@pytest.mark.parametrize(("method", "path"), [("POST", "/api/v1/reload"), ("GET", "/api/v1/events")])
def test_pages_at_other_addresses_may_neither_write_nor_listen(log: Log, method: str, path: str) -> None:
    answer = client_for(log).ask(method, path, headers={"origin": "http://localhost:8888"})
    assert answer.status_code == 403
    assert "Host" in answer.json()["error"]


def test_our_own_page_may_write(log: Log) -> None:
    headers = {"origin": "http://localhost:6006"}
    assert client_for(log).post("/api/v1/reload", headers=headers).status_code == 204


def test_a_script_of_another_site_cannot_even_load_data(log: Log) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client_for(log).get("/data/runs", headers=headers).status_code == 403


def test_a_link_on_another_site_opens_the_page(log: Log) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client_for(log).get("/", headers=headers).status_code in (200, 503)


# ── token ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/", "/index.html", "/?token=wrong"])
def test_the_page_itself_comes_without_the_token_and_asks_for_it(log: Log, path: str) -> None:
    answer = client_for(log, token=TOKEN).get(path)
    assert answer.status_code in (200, 503)  # 503: the page was not built
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/api/v1/runs", "/data/runs", "/api/v1/events", "/api/v1/environment"])
def test_without_the_token_nothing_of_the_log_is_shown(log: Log, path: str) -> None:
    answer = client_for(log, token=TOKEN).get(path)
    assert answer.status_code == 401
    assert "token" in answer.text
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "arguments",
    [
        {"headers": {"authorization": "Bearer wrong"}},
        {"headers": {"authorization": "Basic b3Blbg=="}},
        {"params": {"token": "wrong"}},
        {"params": {"token": ""}},
        {"headers": {"cookie": f"{COOKIE_NAME}=wrong"}},
        {"headers": {"cookie": f"{COOKIE_NAME}={TOKEN}"}},
        {"headers": {"cookie": COOKIE_NAME}},
        {"headers": {"cookie": "]]]"}},
        {"headers": {"authorization": "Bearer ümläut".encode()}},
    ],
)
def test_a_wrong_token_is_refused(log: Log, arguments: dict[str, Any]) -> None:
    assert client_for(log, token=TOKEN).get("/api/v1/runs", **arguments).status_code == 401


def test_the_printed_address_leads_to_a_cookie_and_out_of_the_address_bar(log: Log) -> None:
    client = client_for(log, token=TOKEN, port=6006)
    answer = client.get("/", params={"token": TOKEN, "smoothing": "0.6"})
    assert (answer.status_code, answer.headers["location"]) == (303, "./?smoothing=0.6")
    assert TOKEN not in answer.headers["set-cookie"]
    facts = {part.strip() for part in answer.headers["set-cookie"].split(";")[1:]}
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= facts
    with_cookie = {"cookie": f"other=1; {cookie_of(answer)}"}
    assert client.get("/api/v1/runs", headers=with_cookie).status_code == 200


@pytest.mark.parametrize("other", ['a b="c', "{}", 'x={"y": [1]}', "=", "ü=1", "a=b=c", "@@@;;"])
def test_odd_cookies_of_other_programs_do_not_lock_anybody_out(log: Log, other: str) -> None:
    client = client_for(log, token=TOKEN)
    own = cookie_of(client.get("/", params={"token": TOKEN}))
    for cookies in (f"{other}; {own}", f"{own};{other}"):
        headers = {"cookie": cookies.encode("utf-8")}
        assert client.get("/api/v1/runs", headers=headers).status_code == 200


def test_servers_behind_one_address_do_not_overwrite_each_others_cookies(log: Log) -> None:
    names = set()
    for token in (TOKEN, "another"):
        answer = client_for(log, token=token, port=6006).get("/", params={"token": token})
        names.add(cookie_of(answer).split("=")[0])
        assert token not in answer.headers["set-cookie"]
    assert len(names) == 2


@pytest.mark.parametrize(
    ("path", "target"), [("/tb", "./tb/"), ("/tb/", "./"), ("/tb/experiment/x", "./x/"), ("/tb/a", "./a")]
)
def test_the_token_is_taken_with_and_without_the_slash_at_the_end(log: Log, path: str, target: str) -> None:
    client = client_for(log, token=TOKEN, path_prefix="/tb")
    answer = client.get(path, params={"token": TOKEN})
    assert (answer.status_code, answer.headers["location"]) == (303, target)
    with_rest = client.get(path, params={"token": TOKEN, "darkMode": "true"})
    assert with_rest.headers["location"] == f"{target}?darkMode=true"


@pytest.mark.parametrize(
    ("method", "path", "mode"),
    [
        ("POST", "/api/v1/reload", "navigate"),
        ("POST", "/api/v1/scalars", "cors"),
        ("GET", "/api/v1/events", "navigate"),
        ("GET", "/api/v1/runs", "no-cors"),
        ("POST", "/data/plugin/scalars/scalars_multirun", "navigate"),
    ],
)
def test_a_cookie_that_comes_along_from_another_site_opens_nothing_but_links(
    log: Log, method: str, path: str, mode: str
) -> None:
    client = client_for(log, token=TOKEN)
    cookie = cookie_of(client.get("/", params={"token": TOKEN}))
    headers = {"cookie": cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": mode}
    assert client.ask(method, path, headers=headers).status_code == 403
    headers = {"cookie": cookie, "origin": "https://evil.example"}
    assert client.ask(method, path, headers=headers).status_code == (200 if path.endswith("runs") else 403)


def test_the_cookie_belongs_to_the_path_prefix(log: Log) -> None:
    answer = client_for(log, token=TOKEN, path_prefix="/tb").get("/tb/", params={"token": TOKEN})
    assert "Path=/tb/" in answer.headers["set-cookie"]
    assert answer.headers["location"] == "./"


def test_a_cookie_of_another_token_is_refused(log: Log) -> None:
    other = client_for(log, token="another").get("/", params={"token": "another"})
    answer = client_for(log, token=TOKEN).get("/api/v1/runs", headers={"cookie": cookie_of(other)})
    assert answer.status_code == 401


def test_scripts_may_put_the_token_into_the_address_of_data(log: Log) -> None:
    client = client_for(log, token=TOKEN)
    for path in ("/api/v1/runs", "/data/runs"):
        assert client.get(path, params={"token": TOKEN}).status_code == 200


# ── headers ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/", "/api/v1/runs", "/api/v1/nothing", "/data/runs", "/nothing"])
def test_every_answer_has_the_headers_that_keep_it_at_home(log: Log, path: str) -> None:
    headers = client_for(log).get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    policy = content_security_policy(ServerOptions())
    assert "unsafe" not in policy
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"


@pytest.mark.parametrize(
    ("options", "ancestor", "is_allowed"),
    [
        (ServerOptions(), "http://localhost:*", True),
        (ServerOptions(host="0.0.0.0"), "http://localhost:*", False),
        (ServerOptions(host="0.0.0.0"), "'self'", True),
        (ServerOptions(allowed_hosts=("hub.example.org",)), "https://hub.example.org:*", True),
        (ServerOptions(allowed_hosts=(".example.org",)), "https://*.example.org:*", True),
        (ServerOptions(allowed_hosts=("x; script-src *",)), "script-src *", False),
    ],
)
def test_notebooks_of_this_machine_may_frame_the_page(
    options: ServerOptions, ancestor: str, is_allowed: bool
) -> None:
    frames = content_security_policy(options).rsplit("frame-ancestors ", 1)[1]
    assert (ancestor in frames) is is_allowed


def test_a_path_with_dots_does_not_leave_the_page_folder(log: Log) -> None:
    client = client_for(log)
    for path in (
        "/../options.py",
        "/%2e%2e/server/options.py",
        "/assets/..%2f..%2fserver/options.py",
        "//etc/passwd",
    ):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "ServerOptions" not in answer.text

"""Prefixes, experiments and slashes: the same server at any address."""

from __future__ import annotations

import pytest

from sightline.log import Log
from tests.server.clients import client_for, two_runs


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return two_runs(tmp_path_factory.mktemp("log"))


@pytest.mark.parametrize("given", ["/x/y", "x/y/", "/x/y/"])
def test_everything_is_below_the_prefix(log: Log, given: str) -> None:
    client = client_for(log, path_prefix=given)
    assert client.get("/x/y/api/v1/runs").status_code == 200
    assert client.get("/x/y/data/runs").json() == ["a", "b"]
    for outside in ("/api/v1/runs", "/", "/x/yz/", "/x"):
        assert client.get(outside).status_code == 404


def test_a_prefix_without_its_slash_is_redirected_relatively(log: Log) -> None:
    answer = client_for(log, path_prefix="/x/y").get("/x/y", params={"a": "b"})
    assert (answer.status_code, answer.headers["location"]) == (307, "./y/?a=b")


def test_an_experiment_in_front_makes_no_difference(log: Log) -> None:
    client = client_for(log, path_prefix="/x")
    assert client.get("/x/experiment/defaultExperimentId/data/runs").json() == ["a", "b"]
    assert client.get("/x/experiment/e/api/v1/runs").status_code == 200
    answer = client.get("/x/experiment/e")
    assert (answer.status_code, answer.headers["location"]) == (307, "./e/")


def test_a_slash_at_the_end_of_tensorboards_paths_makes_no_difference(log: Log) -> None:
    assert client_for(log).get("/data/runs/").json() == ["a", "b"]


@pytest.mark.parametrize("path", ["/audio", "/events", "/graphs", "/histograms", "/images"])
def test_old_addresses_lead_to_the_page(log: Log, path: str) -> None:
    answer = client_for(log).get(path)
    assert (answer.status_code, answer.headers["location"]) == (302, "./")

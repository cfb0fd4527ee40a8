"""The table of dashboards: what it names is there, and fits together."""

from __future__ import annotations

import inspect
from typing import get_type_hints

import pytest

from sightline.dashboards import all_dashboards, tensorboard_plugins
from sightline.model.kinds import plugin_of
from sightline.wire.routes import ApiRoute, Late
from sightline.wire.tensorboard import Fields, TensorBoardPlugin

ROUTES = [route for dashboard in all_dashboards() for route in dashboard.routes]


def _name_of(route: ApiRoute) -> str:
    return f"{route.method} {route.path}"


@pytest.mark.parametrize("route", ROUTES, ids=_name_of)
def test_a_handler_is_there_and_says_what_it_takes(route: ApiRoute) -> None:
    assert isinstance(route.handler, Late)
    function = route.handler.load()
    _, request = list(inspect.signature(function).parameters)[:2]
    assert get_type_hints(function)[request] == (route.request_type or type(None))
    assert get_type_hints(function)["return"]


@pytest.mark.parametrize("plugin", tensorboard_plugins(), ids=lambda plugin: plugin.name)
def test_questions_of_tensorboard_are_there_and_take_fields(plugin: TensorBoardPlugin) -> None:
    for question in plugin.questions().values():
        function = question.load()
        _, fields = inspect.signature(function).parameters
        assert get_type_hints(function)[fields] is Fields


def test_kinds_that_have_tensorboards_routes_are_called_as_it_calls_them() -> None:
    for dashboard in all_dashboards():
        if dashboard.tensorboard is not None and dashboard.kinds:
            assert [plugin_of(kind) for kind in dashboard.kinds] == [dashboard.tensorboard.name]


def test_names_of_dashboards_are_different() -> None:
    names = [dashboard.name for dashboard in all_dashboards()]
    assert len(names) == len(set(names))


def test_a_handler_of_a_misspelt_name_is_an_error_that_says_it() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        Late("sightline.wire.routes:no_such_name").load()

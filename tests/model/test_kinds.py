from __future__ import annotations

import doctest

import pytest

from sightline.model import Form, Kind, kind_of, kinds

LEGACY = {
    Form.SCALAR: Kind.scalar,
    Form.IMAGE: Kind.image,
    Form.AUDIO: Kind.audio,
    Form.HISTOGRAM: Kind.histogram,
    Form.GRAPH: Kind.graph,
    Form.META_GRAPH: Kind.graph,
    Form.RUN_METADATA: Kind.graph,
    Form.LOG_MESSAGE: Kind.log_message,
}


@pytest.mark.parametrize("form", LEGACY)
@pytest.mark.parametrize("plugin", ["", "scalars", "images", "graphs", "unheard_of"])
def test_the_form_of_legacy_values_and_events_decides_whatever_the_plugin(form: Form, plugin: str) -> None:
    assert kind_of(form, plugin) is LEGACY[form]


@pytest.mark.parametrize("form", [Form.TENSOR, Form.SCALAR_TENSOR, Form.METADATA])
@pytest.mark.parametrize(
    ("plugin", "kind"),
    [
        ("images", Kind.image),
        ("audio", Kind.audio),
        ("text", Kind.text),
        ("histograms", Kind.histogram),
        ("hparams", Kind.hparams),
        ("pr_curves", Kind.pr_curve),
        ("mesh", Kind.mesh),
        ("custom_scalars", Kind.custom_scalars),
        ("sightline_table", Kind.table),
        ("sightline_html", Kind.html),
        ("sightline_plotly", Kind.plotly),
        ("sightline_confusion_matrix", Kind.confusion_matrix),
        ("graphs", Kind.graph),
        ("graph_run_metadata", Kind.graph),
        ("graph_run_metadata_graph", Kind.graph),
        ("graph_keras_model", Kind.graph),
        ("graph_tagged_run_metadata", Kind.graph),
        ("scalars", Kind.tensor),
        ("tensor", Kind.tensor),
        ("unheard_of", Kind.tensor),
        ("", Kind.tensor),
    ],
)
def test_the_plugin_of_a_tensor_decides(form: Form, plugin: str, kind: Kind) -> None:
    assert kind_of(form, plugin) is kind


def test_a_form_of_a_newer_core_is_a_tensor() -> None:
    assert kind_of(99, "") is Kind.tensor


def test_plain_integers_are_forms_too() -> None:
    assert kind_of(3, "") is Kind.image


def test_a_kind_is_written_as_its_name() -> None:
    assert f"{Kind.pr_curve}" == str(Kind.pr_curve) == "pr_curve"
    assert Kind("image") is Kind.image


def test_the_examples_in_the_documentation_run() -> None:
    assert doctest.testmod(kinds).failed == 0

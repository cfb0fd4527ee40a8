"""What a value is to the user: its kind.

A tag is shown by kind. The kind follows from two facts the core reports: the form (how the value lies in the
file) and the plugin name in the tag's first metadata. Legacy forms speak for themselves, whatever plugin they
claim; tensors are what their plugin says, and stay plain tensors when nobody here knows the plugin, so that
data of foreign plugins is kept and can be looked at.
"""

from __future__ import annotations

from enum import Enum

from sightline.model.forms import Form


class Kind(str, Enum):
    """The kinds of data, as they are called in the API, the command line, URLs and documents."""

    scalar = "scalar"
    image = "image"
    audio = "audio"
    text = "text"
    histogram = "histogram"
    hparams = "hparams"
    pr_curve = "pr_curve"
    mesh = "mesh"
    custom_scalars = "custom_scalars"
    table = "table"
    html = "html"
    plotly = "plotly"
    confusion_matrix = "confusion_matrix"
    graph = "graph"
    tensor = "tensor"
    log_message = "log_message"

    def __str__(self) -> str:
        return self.value

    @property
    def is_media(self) -> bool:
        """Its values stay in the log's files and are read one by one. Only numbers are held as columns."""
        return self is not Kind.scalar


# Legacy values and events: the form decides.
_KIND_OF_FORM: dict[int, Kind] = {
    Form.SCALAR: Kind.scalar,
    Form.IMAGE: Kind.image,
    Form.AUDIO: Kind.audio,
    Form.HISTOGRAM: Kind.histogram,
    Form.GRAPH: Kind.graph,
    Form.META_GRAPH: Kind.graph,
    Form.RUN_METADATA: Kind.graph,
    Form.LOG_MESSAGE: Kind.log_message,
}

# Names of the plugins that write a kind, TensorBoard's own first.
_PLUGINS_OF_KIND: dict[Kind, tuple[str, ...]] = {
    Kind.scalar: ("scalars",),
    Kind.image: ("images",),
    Kind.audio: ("audio",),
    Kind.text: ("text",),
    Kind.histogram: ("histograms",),
    Kind.hparams: ("hparams",),
    Kind.pr_curve: ("pr_curves",),
    Kind.mesh: ("mesh",),
    Kind.custom_scalars: ("custom_scalars",),
    # Written by our own writer
    Kind.table: ("sightline_table",),
    Kind.html: ("sightline_html",),
    Kind.plotly: ("sightline_plotly",),
    Kind.confusion_matrix: ("sightline_confusion_matrix",),
    Kind.graph: (
        "graphs",
        "graph_run_metadata",
        "graph_run_metadata_graph",
        "graph_keras_model",
        "graph_tagged_run_metadata",
    ),
}

# Tensors and values without data: the plugin decides. But not "scalars": a tensor of that plugin which is not
# one number cannot be charted, and is offered as the tensor it is.
_KIND_OF_PLUGIN = {
    plugin: kind for kind, plugins in _PLUGINS_OF_KIND.items() if kind.is_media for plugin in plugins
}


def plugin_of(kind: Kind) -> str:
    """The name of TensorBoard's plugin for a kind; "" when there is none."""
    return next(iter(_PLUGINS_OF_KIND.get(kind, ())), "")


def kind_of(form: int, plugin: str) -> Kind:
    """The kind of a series. Never fails: what is unknown is a tensor.

    >>> kind_of(Form.TENSOR, "images")
    <Kind.image: 'image'>
    >>> kind_of(Form.TENSOR, "somebody_elses_plugin")
    <Kind.tensor: 'tensor'>
    """
    kind = _KIND_OF_FORM.get(form)
    return kind or _KIND_OF_PLUGIN.get(plugin, Kind.tensor)

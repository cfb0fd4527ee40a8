"""How a value lies in an event file.

The compiled core sorts everything it meets in a file into these forms and numbers them; the numbers here
equal the core's ``FORM_*`` constants. They are repeated rather than imported because ``model`` depends on
nothing, not even on the core. What a value *is* (an image, a text …) follows from form and plugin: see
``kinds``.
"""

from __future__ import annotations

from enum import IntEnum


class Form(IntEnum):
    """The way a value is stored. The bytes of a row are those of the message named here."""

    SCALAR = 0  # a number, kept in columns; there are no bytes to fetch
    TENSOR = 1  # Summary.Value with a tensor
    SCALAR_TENSOR = 2  # Summary.Value with a one-element numeric tensor of a plugin other than "scalars"
    IMAGE = 3  # Summary.Value with the legacy image
    AUDIO = 4  # Summary.Value with the legacy audio
    HISTOGRAM = 5  # Summary.Value with the legacy histogram
    METADATA = 6  # Summary.Value with metadata and no data at all (hparams)
    GRAPH = 7  # GraphDef, from Event.graph_def
    META_GRAPH = 8  # MetaGraphDef, from Event.meta_graph_def
    RUN_METADATA = 9  # TaggedRunMetadata, from Event.tagged_run_metadata
    LOG_MESSAGE = 10  # LogMessage, from Event.log_message

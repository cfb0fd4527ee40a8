"""Keras models, told from others and turned to JSON, without importing Keras: the model brings it."""

from __future__ import annotations

import json
from typing import Any

from sightline.model.errors import BadArgumentError


def is_keras_model(model: object) -> bool:
    """Whether an object is a model of Keras, alone or in TensorFlow.

    With torch underneath it is a module of torch as well, but one that knows its layers better.
    """
    return any(base.__name__ == "Model" and _is_keras(base.__module__) for base in type(model).__mro__)


def _is_keras(module: str) -> bool:
    return module.split(".")[0] in ("keras", "tf_keras") or module.startswith("tensorflow.python.keras")


def json_of(model: Any) -> str:
    """The layers of a model, as Keras describes them."""
    try:
        text = str(model.to_json())
        has_layers = bool(json.loads(text)["config"].get("layers"))
    except Exception as error:
        raise BadArgumentError(
            f"Keras cannot describe this model: {type(error).__name__}: {error}"
        ) from error
    if not has_layers:
        raise BadArgumentError(
            f"Keras knows no layers of {type(model).__name__}, so there is no graph to draw. "
            "It knows those of Sequential and functional models"
        )
    return text

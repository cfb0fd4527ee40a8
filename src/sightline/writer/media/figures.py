"""Pixels of matplotlib's figures.

matplotlib's objects belong to the thread that draws with them, so a figure is rendered where it was handed
over; only the pixels go to the background thread. A figure that exists has imported matplotlib already:
nothing is imported here that was not there before, pyplot least of all.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.model.errors import BadArgumentError


def check_figure(figure: object) -> None:
    """Raises BadArgumentError for anything but a figure of matplotlib."""
    if any(
        base.__module__ == "matplotlib.figure" and base.__name__ == "Figure" for base in type(figure).__mro__
    ):
        return
    raise BadArgumentError(
        f"add_figure takes a figure of matplotlib, or a list of them, not {type(figure).__name__}"
    )


def pixels_of(figure: Any, *, is_closed: bool) -> NDArray[np.uint8]:
    """Renders a figure as torch does, by the Agg backend, to RGB pixels, HWC. May close it after."""
    agg: Any = import_module("matplotlib.backends.backend_agg")
    shown_on = figure.canvas
    try:
        canvas = agg.FigureCanvasAgg(figure)
        canvas.draw()
        pixels = np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
    finally:
        figure.set_canvas(shown_on)  # else a window that shows the figure would never be drawn again
    if is_closed:
        close_figure(figure)
    return pixels


def close_figure(figure: Any) -> None:
    """Lets pyplot forget the figure; one made without pyplot needs nothing."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close(figure)

"""The server halves of the dashboards: one folder each, of the same name as the page's, listed here and
nowhere else.

A dashboard is a ``wire.routes.Dashboard``: its name, the kinds of data it shows, and routes whose handlers
use only ``sightline.query`` and the ``Context`` they are given. docs/add-a-dashboard.md tells how one
is made. ``all_dashboards`` is where those of other packages will join (entry-point group
``sightline.dashboards``), through the same door.

Modules beside the folders are there for all of them:

context       what handlers see of the server    kind_tags           tags of a kind, run by run
named_values  the value that a request names     descriptions        logged Markdown as safe HTML
thumbnails    small pictures, made once          decoded_parts       histograms and curves of a question
tensorboard_blobs, tensorboard_histograms, tensorboard_points   pictures and sounds, histograms, points of
                                                 scalars, as TensorBoard asks for them
"""

from __future__ import annotations

from sightline.dashboards.audio import AUDIO
from sightline.dashboards.custom_scalars import CUSTOM_SCALARS
from sightline.dashboards.distributions import DISTRIBUTIONS
from sightline.dashboards.histograms import HISTOGRAMS
from sightline.dashboards.images import IMAGES
from sightline.dashboards.media import MEDIA
from sightline.dashboards.mesh import MESH
from sightline.dashboards.pr_curves import PR_CURVES
from sightline.dashboards.scalars import SCALARS
from sightline.dashboards.tables import TABLES
from sightline.dashboards.text import TEXT
from sightline.dashboards.timeseries import TIMESERIES
from sightline.wire.routes import Dashboard
from sightline.wire.tensorboard import TensorBoardPlugin

BUILT_IN: tuple[Dashboard, ...] = (
    TIMESERIES,
    SCALARS,
    CUSTOM_SCALARS,
    MEDIA,
    IMAGES,
    AUDIO,
    DISTRIBUTIONS,
    HISTOGRAMS,
    TEXT,
    PR_CURVES,
    MESH,
    TABLES,
)


def all_dashboards() -> tuple[Dashboard, ...]:
    """In the order in which their routes are listed."""
    return BUILT_IN


def tensorboard_plugins() -> list[TensorBoardPlugin]:
    """What they answer of TensorBoard's interface."""
    return [dashboard.tensorboard for dashboard in all_dashboards() if dashboard.tensorboard is not None]

"""The server halves of the dashboards: one folder each, of the same name as the page's, listed here and
nowhere else.

A dashboard is a ``wire.routes.Dashboard``: its name, the kinds of data it shows, and routes whose handlers
use only ``sightline.query`` and the ``Context`` they are given. ``all_dashboards`` is where those of other
packages will join (entry-point group ``sightline.dashboards``), through the same door.
"""

from __future__ import annotations

from sightline.dashboards.audio import AUDIO
from sightline.dashboards.histograms import HISTOGRAMS
from sightline.dashboards.images import IMAGES
from sightline.dashboards.media import MEDIA
from sightline.dashboards.pr_curves import PR_CURVES
from sightline.dashboards.scalars import SCALARS
from sightline.dashboards.tables import TABLES
from sightline.dashboards.text import TEXT
from sightline.wire.routes import Dashboard

BUILT_IN: tuple[Dashboard, ...] = (SCALARS, MEDIA, IMAGES, AUDIO, TEXT, TABLES, HISTOGRAMS, PR_CURVES)


def all_dashboards() -> tuple[Dashboard, ...]:
    """In the order in which their routes are listed."""
    return BUILT_IN

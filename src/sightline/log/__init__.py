"""The read API: ``open_log`` (public as ``sightline.open``) and the ``Log`` it returns.

``facade`` is what users see; ``reading`` is the thread behind it that loads, follows and saves.
"""

from sightline.log.facade import Log, open_log

__all__ = ["Log", "open_log"]

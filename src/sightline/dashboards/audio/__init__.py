"""Sounds: their bytes as they were logged, and what a waveform is drawn from."""

from __future__ import annotations

from sightline.dashboards.audio.media_types import SOUND_MEDIA_TYPES
from sightline.model.kinds import Kind
from sightline.wire.media_schemas import PeaksParameters, SoundParameters, SoundPeaks
from sightline.wire.routes import ApiRoute, Context, Dashboard, Promised

# The module behind these brings NumPy: it is imported by the first question, and by the server as soon as it
# listens.


def _sound(context: Context, request: SoundParameters) -> Promised:
    from sightline.dashboards.audio.sounds import sound_of

    return sound_of(context, request)


def _peaks(context: Context, request: PeaksParameters) -> Promised:
    from sightline.dashboards.audio.sounds import peaks_of

    return peaks_of(context, request)


def _warm_up() -> None:
    import sightline.dashboards.audio.sounds  # noqa: F401


AUDIO = Dashboard(
    name="audio",
    kinds=(Kind.audio.value,),
    warm_up=_warm_up,
    routes=(
        ApiRoute(
            "GET",
            "audio/sound",
            "One sound as it was logged",
            _sound,
            request=SoundParameters,
            media_types=SOUND_MEDIA_TYPES,
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "audio/peaks",
            "One sound at a glance: label, length, loudness and waveform",
            _peaks,
            request=PeaksParameters,
            answer=SoundPeaks,
            is_heavy=True,
            errors=(404, 409),
        ),
    ),
)

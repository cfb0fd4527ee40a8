"""Sounds: their bytes as they were logged, and what a waveform is drawn from."""

from __future__ import annotations

from sightline.dashboards.audio.schemas import SOUND_MEDIA_TYPES, SoundPeaks
from sightline.model.kinds import Kind
from sightline.wire.routes import ApiRoute, Dashboard, Late
from sightline.wire.tensorboard import TensorBoardPlugin

AUDIO = Dashboard(
    name="audio",
    kinds=(Kind.audio,),
    routes=(
        ApiRoute(
            "GET",
            "audio/sound",
            "One sound as it was logged",
            Late("sightline.dashboards.audio.sounds:sound_of"),
            media_types=SOUND_MEDIA_TYPES,
        ),
        ApiRoute(
            "GET",
            "audio/peaks",
            "One sound at a glance: label, length, loudness and waveform",
            Late("sightline.dashboards.audio.sounds:peaks_of"),
            answer=SoundPeaks,
        ),
    ),
    tensorboard=TensorBoardPlugin(
        name="audio",
        module="sightline.dashboards.audio.tensorboard",
        kinds=(Kind.audio,),
        element="tf-audio-dashboard",
        routes={"tags": "tags", "audio": "audio", "individualAudio": "individual_audio"},
    ),
)

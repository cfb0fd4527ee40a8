"""The projector's configuration, against protobuf's own text format."""

from __future__ import annotations

import contextlib
import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.formats import projector
from sightline.formats.projector import (
    EmbeddingInfo,
    ProjectorConfig,
    SpriteMetadata,
    parse_projector_config,
    text_from_projector_config,
)
from sightline.model.errors import DamagedValueError

TORCH = b"""
embeddings {
tensor_name: "default:00000"
tensor_path: "00000/default/tensors.tsv"
metadata_path: "00000/default/metadata.tsv"
sprite {
image_path: "00000/default/sprite.png"
single_image_dim: 28
single_image_dim: 28
}
}
"""


def test_the_file_of_torch_is_read() -> None:
    assert parse_projector_config(TORCH) == ProjectorConfig(
        embeddings=[
            EmbeddingInfo(
                tensor_name="default:00000",
                tensor_path="00000/default/tensors.tsv",
                metadata_path="00000/default/metadata.tsv",
                sprite=SpriteMetadata(image_path="00000/default/sprite.png", single_image_dim=[28, 28]),
            )
        ]
    )


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.lists(st.integers(0, 2**32 - 1), max_size=3)
sprites = st.builds(SpriteMetadata, image_path=texts, single_image_dim=numbers)
embeddings = st.builds(
    EmbeddingInfo, tensor_name=texts, metadata_path=texts, tensor_shape=numbers, tensor_path=texts
) | st.builds(EmbeddingInfo, bookmarks_path=texts, sprite=sprites)
configs = st.builds(
    ProjectorConfig,
    model_checkpoint_path=texts,
    model_checkpoint_dir=texts,
    embeddings=st.lists(embeddings, max_size=3),
)


@settings(deadline=None)
@given(configs, st.booleans(), st.booleans())
def test_what_protobuf_prints_we_read(config: ProjectorConfig, as_utf8: bool, as_one_line: bool) -> None:
    text_format = pytest.importorskip("google.protobuf.text_format")
    pb2 = pytest.importorskip("tensorboard.plugins.projector.projector_config_pb2")
    theirs = pb2.ProjectorConfig.FromString(config.encode())
    text = text_format.MessageToString(theirs, as_utf8=as_utf8, as_one_line=as_one_line)
    assert parse_projector_config(text.encode()) == config


@settings(deadline=None)
@given(configs)
def test_what_we_write_is_what_protobuf_prints_and_we_read_it_back(config: ProjectorConfig) -> None:
    assert parse_projector_config(text_from_projector_config(config)) == config
    text_format = pytest.importorskip("google.protobuf.text_format")
    pb2 = pytest.importorskip("tensorboard.plugins.projector.projector_config_pb2")
    theirs = pb2.ProjectorConfig.FromString(config.encode())
    assert text_from_projector_config(config).decode() == text_format.MessageToString(theirs, as_utf8=False)


@pytest.mark.parametrize(
    "text",
    [
        'embeddings { tensor_path: "a" }',
        "embeddings: { tensor_path: 'a' };",
        'embeddings < tensor_path: "a", >',
        'embeddings [ { tensor_path: "a" } ]',
        '# a comment\nembeddings { tensor_path: "" "a" } # another',
        'embeddings { tensor_path: "\\141" }',
        'embeddings { tensor_path: "\\x61" }',
        'unknown { deep { deeper: [1, 2.5e3, -inf] } } embeddings { tensor_path: "a" more: TRUE }',
        '[some.extension]: 5 embeddings { tensor_path: "a" }',
        'embeddings { tensor_path: "a" metadata_path: "cut off',
        'embeddings { tensor_path: "a"',
        'embeddings { tensor_path: "a" sprite {',
        '\ufeffembeddings { tensor_path: "a" }',
    ],
)
def test_every_way_to_write_it_is_understood(text: str) -> None:
    (embedding,) = parse_projector_config(text.encode()).embeddings
    assert embedding.tensor_path == "a"


def test_paths_are_reported_as_written() -> None:
    config = parse_projector_config(b'embeddings { tensor_path: "../../etc/passwd" }')
    assert config.embeddings[0].tensor_path == "../../etc/passwd"


def test_an_empty_file_has_no_embeddings() -> None:
    assert parse_projector_config(b"") == ProjectorConfig()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"embeddings {\n  tensor_path: }", "line 2 has '}' where a value"),
        (b"\n\n= 5", "cannot make sense of line 3"),
        (b"embeddings { tensor_shape: many }", "'many' where a number"),
        (b"embeddings { tensor_shape: 99999999999 }", "where a number"),
        (b'"a": "b"', "where a field name"),
        (b"a {" * 10_000, "nested"),
    ],
)
def test_what_makes_no_sense_is_called_damaged_with_its_line(text: bytes, reason: str) -> None:
    with pytest.raises(DamagedValueError, match=reason):
        parse_projector_config(text)


@given(st.binary(max_size=60) | st.text('embdings{}<>[]:;,"\\#\n 01', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_called_damaged(data: bytes) -> None:
    with contextlib.suppress(DamagedValueError):
        parse_projector_config(data)


def test_the_examples_in_the_documentation_run() -> None:
    assert doctest.testmod(projector).failed == 0

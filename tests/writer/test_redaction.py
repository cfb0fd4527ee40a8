"""What is hidden on a command line, and what stays readable."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.writer.story.redaction import HIDDEN, is_secret, redacted_command, redacted_text


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("train.py --api-key abc --lr 0.1", "train.py --api-key *** --lr 0.1"),
        ("train.py --hf_token=abc", "train.py --hf_token=***"),
        ("train.py -password abc", "train.py -password ***"),
        ("train.py --api-keys a b c --lr 1", "train.py --api-keys *** *** *** --lr 1"),
        ("train.py --db-password -abc", "train.py --db-password ***"),
        ("train.py --password 12345", "train.py --password ***"),
        (
            "train.py db.password=abc +logger.api_key=abc ~x",
            "train.py db.password=*** +logger.api_key=*** ~x",
        ),
        ("train.py --credentials=a=b", "train.py --credentials=***"),
        ("train.py --secret 'two words' --lr 1", "train.py --secret *** --lr 1"),
        ("train.py --use-auth-token --lr 1", "train.py --use-auth-token --lr 1"),
        (
            """train.py '{"api_key": "a b", "lr": 1}'""",
            """train.py '{"api_key": "***", "lr": 1}'""",
        ),
        ("""train.py '{"api_key": "a b'""", """train.py '{"api_key": "***"'"""),
        ("train.py https://me:abc@host/x", "train.py https://***@host/x"),
        ("train.py https://abc@host/x", "train.py https://***@host/x"),
        (
            "train.py --data 's3://b/x?X-Amz-Signature=abc&n=1'",
            "train.py --data 's3://b/x?X-Amz-Signature=***&n=1'",
        ),
        ("train.py hf_abcdefghijklmnopqrstuv", "train.py ***"),
        ("train.py sk-abcdefghijklmnopqrstuv", "train.py ***"),
        ("train.py AKIAABCDEFGHIJKLMNOP", "train.py ***"),
    ],
)
def test_secrets_are_hidden(given: str, shown: str) -> None:
    assert redacted_command(shlex.split(given)) == shlex.split(shown)


@pytest.mark.parametrize(
    "command",
    [
        "python train.py --lr 0.1 -b 32 --name baseline",
        "python train.py --tokenizer gpt2 --max-tokens 512 --num-key-value-heads 8 --keypoints coco",
        "python train.py --author me --key_value_dtype fp8 --monkey-patch all",
        "python train.py model.name=gpt2 data.path=/data/x:y",
        "git clone git@github.com:a/b ssh://git@host/a/b",
        "torchrun --nproc_per_node=4 train.py",
    ],
)
def test_what_every_training_script_has_stays_readable(command: str) -> None:
    assert redacted_command(shlex.split(command)) == shlex.split(command)


@pytest.mark.parametrize(
    "name", ["WANDB_API_KEY", "HF_TOKEN", "DB_PASSWORD", "AWS_SECRET_ACCESS_KEY", "SLURM_JWT"]
)
def test_variables_that_hold_secrets_are_known_by_their_names(name: str) -> None:
    assert is_secret(name, "abc")


def test_a_private_key_is_hidden_even_when_its_end_is_missing() -> None:
    text = "x -----BEGIN RSA PRIVATE KEY-----\nabc\n"
    assert redacted_text(text + "-----END RSA PRIVATE KEY----- y") == "x *** y"
    assert redacted_text(text) == "x ***"


@settings(deadline=None)
@given(st.lists(st.text()))
def test_any_command_line_keeps_its_number_of_arguments(arguments: list[str]) -> None:
    assert len(redacted_command(arguments)) == len(arguments)


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_characters="\0"), min_size=1))
def test_no_password_gets_through(password: str) -> None:
    assert redacted_command(["--password=" + password])[0] == "--password=" + HIDDEN
    if not password.startswith("--"):
        assert redacted_command(["--password", password])[1] == HIDDEN


def test_everything_behind_authorization_is_hidden() -> None:
    shown = redacted_command(["fetch", "--header", "Authorization: token abcdef"])
    assert not any("abcdef" in argument for argument in shown)

from __future__ import annotations

import pickle

import pytest

from sightline.model import errors

EXAMPLES = [
    (errors.BadArgumentError("bad"), "bad"),
    (errors.NoSuchPathError("/logs/a"), "No such file or directory. Check the path: /logs/a"),
    (errors.NoSuchPathError("/logs/a", "Look again"), "No such file or directory. Look again: /logs/a"),
    (errors.UnknownNameError("run", "exp", ["exp1", "other"]), "No run named 'exp'. Did you mean 'exp1'?"),
    (errors.UnknownNameError("tag", "x"), "No tag named 'x'"),
    (errors.DamagedValueError("too short"), "Cannot decode the value: too short"),
    (
        errors.DamagedValueError("too short", "image 'a' at step 1"),
        "Cannot decode the value of image 'a' at step 1: too short",
    ),
    (
        errors.FileGoneError("/logs/a"),
        "Cannot read the value: the file was removed, replaced or cut short. "
        "Call refresh() and ask again: /logs/a",
    ),
    (
        errors.MissingExtraError("Parquet export", "parquet"),
        'Parquet export needs a package that is not installed. Run: pip install "sightline[parquet]"',
    ),
]


@pytest.mark.parametrize(("error", "message"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_messages_say_what_happened_and_what_to_do(error: errors.SightlineError, message: str) -> None:
    assert str(error) == message


@pytest.mark.parametrize("error", [error for error, _ in EXAMPLES], ids=lambda value: type(value).__name__)
def test_errors_survive_the_way_to_another_process(error: errors.SightlineError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)


def test_errors_are_also_what_python_programs_expect() -> None:
    assert issubclass(errors.BadArgumentError, ValueError)
    assert issubclass(errors.NoSuchPathError, FileNotFoundError)
    assert issubclass(errors.UnknownNameError, KeyError)
    assert issubclass(errors.MissingExtraError, ImportError)


def test_every_error_stands_in_the_drawing() -> None:
    classes = [
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.SightlineError)
    ]
    assert classes
    for name in classes:
        assert name in str(errors.__doc__)

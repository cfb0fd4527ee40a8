"""JSON read a piece at a time: everything comes out, and goes wrong, as with the standard library."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.formats import patient_json
from sightline.formats.patient_json import loads_patiently

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=30,
)


def refuse(name: str) -> float:
    raise ValueError(f"{name} is not standard JSON")


def both(text: str) -> list[Any]:
    """What the standard library and we make of it: a value, or the place of the mistake."""
    found: list[Any] = []
    for loads in (json.loads, loads_patiently):
        try:
            found.append(loads(text, parse_constant=refuse))
        except json.JSONDecodeError as error:
            found.append(("no JSON", error.pos))
        except ValueError as error:
            found.append(("no value", str(error)))
    return found


@pytest.fixture(params=[1, 8, patient_json._SHORT_CHARS], autouse=True)
def _short_chars(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is walked through, or nearly everything, or as usual."""
    monkeypatch.setattr(patient_json, "_SHORT_CHARS", request.param)


@settings(deadline=None, max_examples=60)
@given(json_values, st.sampled_from([None, 0, 3]), st.booleans())
def test_values_are_those_of_the_standard_library(value: Any, indent: int | None, is_ascii: bool) -> None:
    expected, found = both(json.dumps(value, indent=indent, ensure_ascii=is_ascii))
    assert found == expected == value


@settings(deadline=None, max_examples=120)
@given(json_values, st.data())
def test_damaged_text_is_refused_where_the_standard_library_refuses_it(
    value: Any, data: st.DataObject
) -> None:
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    piece = data.draw(
        st.sampled_from(["", "[", "]", "{", "}", '"', "\\", ",", ":", " ", "1", "e", "\n", "x"])
    )
    expected, found = both(text[:at] + piece + text[at + data.draw(st.integers(0, 3)) :])
    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[1 2]",
        "[,]",
        "[ ,1]",
        "[1,,2]",
        "[[1],,[2]]",
        "[[1]],[2]",
        "[1:2, 3]",
        "{",
        '{"a"',
        '{"a":',
        '{"a":1,}',
        '{"a" 1}',
        "{1:2}",
        '{,"a":1}',
        '{"a":1,,"b":2}',
        '{"a":1,2,"b":3}',
        '{"a":[1],"a":2,"b":[3],"a":4}',
        "[] []",
        '["a\nb"]',
        '["\\q"]',
        '["]", 1]',
        '["\\"]", [1]]',
        '{"}": 1, "b": {"c": "]"}}',
        '{"a": 1, "a": [2], "a": 3}',
        '[[1, 2], ["\\ud800"], {"": null}]',
        "[NaN]",
        "[[-Infinity]]",
        "[1e999, -0.0, 12345678901234567890]",
        "[" + "1" * 5_000 + "]",
        "\ufeff[]x",
        "\t[ 1 ,\r\n2 ] ",
    ],
)
def test_odd_texts_are_taken_or_refused_alike(text: str) -> None:
    expected, found = both(text)
    assert repr(found) == repr(expected)


def test_whatever_is_nested_too_deep_is_refused() -> None:
    for text in ("[" * 100_000, '{"a":' * 100_000, '[{"a":' * 100_000):
        with pytest.raises(RecursionError):
            loads_patiently(text, parse_constant=refuse)


class Watched(json.JSONDecoder):
    longest = calls = 0

    def raw_decode(self, s: str, idx: int = 0) -> tuple[Any, int]:
        value, end = super().raw_decode(s, idx)
        Watched.longest = max(Watched.longest, end - idx)
        Watched.calls += 1
        return value, end


def test_the_standard_library_gets_neither_much_nor_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However values are nested, named and quoted. Of the 18,000 values most come with dozens of others: one
    by one they would take twenty times as long."""
    texts = [
        json.dumps(value)
        for value in (
            list(range(2_000)),
            [["]", *range(2_000)]],
            [{"}": list(range(2_000)), "[": '"'}],
            [['\\"]', "[", *map(str, range(2_000))]],
            {str(number): number for number in range(2_000)},
            [[number, -number] for number in range(1_000)],
            [[[[number]]] for number in range(1_000)],
            [{"a": {"b": [number]}} for number in range(1_000)],
        )
    ]
    expected = [json.loads(text) for text in texts]
    monkeypatch.setattr(patient_json, "_SHORT_CHARS", 200)
    monkeypatch.setattr("json.JSONDecoder", Watched)
    Watched.longest = Watched.calls = 0
    assert [loads_patiently(text, parse_constant=refuse) for text in texts] == expected
    assert 0 < Watched.longest <= 200 + len("[]")
    assert Watched.calls < 2_000


def test_no_character_is_looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where many lists in each other are all longer than a piece."""
    looked_at = 0
    marks_in = patient_json._marks_in

    def counted(piece: str) -> Any:
        nonlocal looked_at
        looked_at += len(piece)
        return marks_in(piece)

    monkeypatch.setattr(patient_json, "_SHORT_CHARS", 400)
    monkeypatch.setattr(patient_json, "_marks_in", counted)
    for opening in ("[", "[1,"):
        for content in ("1," * 300 + "1", '"' + "x" * 600 + '"'):
            text = f"[{','.join([opening * 100 + content + ']' * 100] * 20)}]"
            looked_at = 0
            assert loads_patiently(text, parse_constant=refuse) == json.loads(text)
            assert looked_at < 5 * len(text)

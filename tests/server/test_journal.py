"""Numbers of runs, revisions, and batches that stay bounded."""

from __future__ import annotations

from sightline.model.reports import Change
from sightline.server.journal import MAX_NAMED_TAGS, Batch, Journal


def test_a_run_keeps_its_number() -> None:
    journal = Journal()
    assert journal.numbers(["a", "b", "a"]) == [0, 1, 0]
    journal.note(Change("a", is_removed=True))
    assert journal.number("a") == 0
    assert journal.name(1) == "b"
    assert journal.name(2) is None
    assert journal.name(-1) is None


def test_every_change_is_a_revision() -> None:
    journal = Journal()
    journal.note(Change("a", ("loss",)))
    journal.note(Change("b", ("loss",)))
    assert journal.revision == 2
    assert journal.changed_since(1) == (2, ["b"], [])
    journal.note(Change("a", is_removed=True))
    assert journal.changed_since(1) == (3, ["b"], [0])
    journal.note(Change("a", ("loss",)))
    assert journal.changed_since(1) == (4, ["a", "b"], [])


def test_changes_are_put_together_until_they_are_taken() -> None:
    journal = Journal()
    journal.note(Change("a", ("loss", "acc")))
    journal.note(Change("b", ("loss",), is_reset=True))
    batch = journal.take_batch()
    assert batch is not None
    event = batch.event()
    assert (event.revision, event.runs, event.tags, event.reset) == (2, [0, 1], ["acc", "loss"], [1])
    assert journal.take_batch() is None


def test_a_run_that_vanishes_and_returns_in_one_batch_is_only_told_once() -> None:
    journal = Journal()
    journal.note(Change("a", ("loss",)))
    journal.note(Change("a", is_removed=True))
    batch = journal.take_batch()
    assert batch is not None
    assert (batch.runs, batch.removed) == (set(), {0})
    journal.note(Change("a", is_removed=True))
    journal.note(Change("a", ("loss",)))
    batch = journal.take_batch()
    assert batch is not None
    assert (batch.runs, batch.removed) == ({0}, set())


def test_a_run_that_was_made_anew_in_one_batch_is_reset() -> None:
    journal = Journal()
    journal.note(Change("a", is_removed=True))
    journal.note(Change("a", ("loss",), has_new_series=True))
    batch = journal.take_batch()
    assert batch is not None
    assert (batch.event().runs, batch.event().reset, batch.event().removed) == ([0], [0], [])
    slow = Batch()
    slow.merge(Batch(1, removed={3}))
    slow.merge(Batch(2, {3}, {"loss"}))
    assert (slow.event().reset, slow.event().removed) == ([3], [])


def test_a_series_is_new_when_the_log_says_so() -> None:
    journal = Journal()

    def is_new(change: Change) -> bool:
        journal.note(change)
        batch = journal.take_batch()
        assert batch is not None
        assert (journal.series_revision == journal.revision) is batch.has_new_series
        return batch.has_new_series

    assert is_new(Change("a", ("loss",), has_new_series=True))
    assert not is_new(Change("a", ("loss",)))
    assert is_new(Change("a", ("loss",), has_new_series=True))  # the same tag, in another form
    assert not is_new(Change("a", ("acc",)))
    assert is_new(Change("a", is_reset=True))
    assert is_new(Change("a", is_removed=True))


def test_a_status_is_a_change_without_tags() -> None:
    journal = Journal()
    journal.note_runs([])
    assert journal.revision == 0
    journal.note_runs(["a"])
    batch = journal.take_batch()
    assert batch is not None
    assert (batch.event().tags, batch.event().runs, batch.has_new_series) == ([], [0], False)


def test_too_many_tags_are_not_named_any_more() -> None:
    journal = Journal()
    for number in range(MAX_NAMED_TAGS + 1):
        journal.note(Change("a", (f"tag-{number}",)))
    batch = journal.take_batch()
    assert batch is not None
    assert batch.event().tags is None
    later = Batch(revision=9, runs={3}, tags={"loss"})
    later.merge(batch)
    assert later.event().tags is None


def test_batches_of_a_slow_reader_become_one() -> None:
    slow = Batch()
    slow.merge(Batch(1, {1, 2}, {"loss"}, reset={2}))
    slow.merge(Batch(2, {3}, {"acc"}, removed={1}, has_new_series=True))
    event = slow.event()
    assert (event.revision, event.runs, event.tags) == (2, [2, 3], ["acc", "loss"])
    assert (event.reset, event.removed, event.has_new_series) == ([2], [1], True)


def test_whoever_waits_is_called_once_for_each_batch() -> None:
    calls: list[int] = []
    journal = Journal()
    journal.call_when_pending(lambda: calls.append(journal.revision))
    journal.note(Change("a", ("loss",)))
    journal.note(Change("a", ("loss",)))
    assert calls == [1]
    journal.take_batch()
    journal.note_runs(["a"])
    assert calls == [1, 3]


def test_what_people_added_is_told_without_a_change_of_the_log() -> None:
    journal = Journal()
    woken: list[bool] = []
    journal.call_when_pending(lambda: woken.append(True))
    journal.note_workspace(7)
    journal.note_workspace(8)
    assert woken == [True]
    assert journal.revision == 0
    first = journal.take_batch()
    assert first is not None
    assert (first.workspace_version, first.has_changes) == (8, False)
    journal.note(Change("a"))
    second = journal.take_batch()
    assert second is not None
    assert (second.workspace_version, second.has_changes) == (None, True)
    first.merge(second)
    assert (first.workspace_version, first.has_changes) == (8, True)

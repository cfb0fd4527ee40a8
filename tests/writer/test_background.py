import os
import threading

import pytest

from sightline.writer.engine.background import Background, forks_wait


def test_jobs_run_in_order_and_drain_waits_for_all_of_them() -> None:
    background = Background()
    done: list[int] = []
    for i in range(100):
        background.submit(lambda i=i: done.append(i), 1)
    background.drain()
    assert done == list(range(100))


def test_a_job_that_fails_does_not_stop_the_next(caplog) -> None:
    background = Background()
    done: list[int] = []
    background.submit(lambda: 1 / 0, 1)
    background.submit(lambda: done.append(1), 1)
    background.drain()
    assert done == [1]
    assert "could not be written" in caplog.text


def test_the_caller_waits_while_too_much_is_waiting() -> None:
    background = Background(max_waiting_bytes=100)
    gate = threading.Event()
    is_running = threading.Event()

    def first() -> None:
        is_running.set()
        gate.wait()

    background.submit(first, 60)
    is_running.wait()
    background.submit(lambda: None, 30)
    submitted = threading.Event()

    def submit_third() -> None:
        background.submit(lambda: None, 60)
        submitted.set()

    thread = threading.Thread(target=submit_third)
    thread.start()
    assert not submitted.wait(0.05)
    gate.set()
    thread.join()
    background.drain()
    assert submitted.is_set()


def test_a_job_larger_than_the_bound_is_taken() -> None:
    background = Background(max_waiting_bytes=10)
    done: list[int] = []
    background.submit(lambda: done.append(1), 1000)
    background.submit(lambda: done.append(2), 1000)
    background.drain()
    assert done == [1, 2]


def test_a_job_may_submit_and_drain() -> None:
    background = Background(max_waiting_bytes=10)
    done: list[int] = []

    def outer() -> None:
        background.submit(lambda: done.append(1), 100)
        background.submit(lambda: done.append(2), 100)
        background.drain()

    background.submit(outer, 1)
    background.drain()
    background.drain()
    assert done == [1, 2]


def test_a_forked_child_begins_without_the_parents_jobs() -> None:
    from sightline.writer.engine.background import background

    gate = threading.Event()
    is_running = threading.Event()

    def wait() -> None:
        is_running.set()
        gate.wait()

    background.submit(wait, 1)
    is_running.wait()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            done: list[int] = []
            background.submit(lambda: done.append(1), 1)
            background.drain()
            code = 0 if done == [1] else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    gate.set()
    background.drain()
    assert os.waitstatus_to_exitcode(status) == 0


def test_where_no_thread_can_be_had_the_job_runs_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    background = Background()
    done: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fail)
        background.submit(lambda: done.append(1), 1)
        background.drain()
        assert done == [1]
    background.submit(lambda: done.append(2), 1)
    background.drain()
    assert done == [1, 2]


def test_a_fork_waits_for_an_import_of_the_background() -> None:
    is_importing = threading.Event()
    gate = threading.Event()
    order: list[str] = []

    def import_slowly() -> None:
        with forks_wait():
            is_importing.set()
            gate.wait()
            order.append("imported")

    importer = threading.Thread(target=import_slowly)
    importer.start()
    is_importing.wait()
    opener = threading.Timer(0.05, gate.set)
    opener.start()
    pid = os.fork()
    if pid == 0:
        with forks_wait():  # open again in the child
            os._exit(0 if order == ["imported"] else 1)
    _, status = os.waitpid(pid, 0)
    importer.join()
    opener.join()
    assert os.waitstatus_to_exitcode(status) == 0

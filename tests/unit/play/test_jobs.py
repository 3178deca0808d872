"""Searches beside the server: how many, how long, and how they end."""

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

from rewrite.budget import Budget
from rewrite.errors import SearchError
from rewrite.play.jobs import MOST_RUNNING, MOST_WAITING, Job, Jobs
from rewrite.play.refused import Refused
from rewrite.play.table import Table


def until(true: Any) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def endless(job: Job) -> dict[str, Any]:
    """Work until somebody asks to stop, as a search does."""
    with Budget() as budget:
        while not budget.reached():
            time.sleep(0.001)
    return {"status": budget.reached()}


def test_work_is_done_in_another_thread_and_its_answer_is_kept() -> None:
    jobs = Jobs()
    job = jobs.start(lambda _: {"thread": threading.current_thread().name})
    until(lambda: job.state == "done")
    assert job.answer["thread"] != threading.current_thread().name
    assert jobs.asked(job.name) is job


def test_only_so_many_run_and_wait_and_those_that_wait_come_after_them() -> None:
    jobs = Jobs()
    every = [jobs.start(endless) for _ in range(MOST_RUNNING + MOST_WAITING)]
    with pytest.raises(Refused, match="2 searches run and 6 wait already"):
        jobs.start(endless)
    assert [job.state for job in every[:MOST_RUNNING]] == ["running"] * MOST_RUNNING
    assert every[MOST_RUNNING].state == "waiting"
    jobs.cancel(every[0].name)
    until(lambda: every[MOST_RUNNING].state == "running")
    assert every[0].answer == {"status": "interrupted"}
    jobs.end()
    until(lambda: all(job.state == "done" for job in every))


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (SearchError("demand"), "error", "demand"),
        (ZeroDivisionError("by zero"), "error", "ZeroDivisionError: by zero"),
        (KeyboardInterrupt(), "interrupted", "interrupted"),
        (SystemExit(3), "error", "SystemExit: 3"),
        (ValueError(10**5000), "error", "ValueError, whose text fails with ValueError"),
    ],
)
def test_what_goes_wrong_in_a_job_is_its_answer(
    error: BaseException, status: str, text: str
) -> None:
    def fails(_: Job) -> dict[str, Any]:
        raise error

    jobs = Jobs()
    job = jobs.start(fails)
    until(lambda: job.state == "done")
    assert job.answer == {"status": status, "text": text}


def test_what_goes_wrong_in_a_request_is_its_answer() -> None:
    def fails(given: object) -> None:
        raise ValueError(10**5000)

    found = Table.answered(SimpleNamespace(walk=fails), "walk", {})  # type: ignore[arg-type]
    assert found == (500, {"error": "ValueError, whose text fails with ValueError"})

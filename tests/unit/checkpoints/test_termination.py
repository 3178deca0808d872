"""SIGTERM while a search is kept."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rewrite.checkpoints.termination import Termination

ROOT = Path(__file__).parents[3]
BEGIN = """
import os, signal, sys, time
from rewrite.budget import Budget
from rewrite.checkpoints.termination import Termination
def say(*words): print(*words, flush=True)
def kill(): os.kill(os.getpid(), signal.SIGTERM)
"""


def run(code: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    return done.returncode, done.stdout.split()


def test_it_asks_the_budget_to_stop_and_ends_the_process_afterwards() -> None:
    code = """
with Termination():
    with Budget() as budget:
        kill()
        say("goes-on", budget.asked, budget.reached())
    say("saved")
say("never")
"""
    assert run(code) == (-signal.SIGTERM, ["goes-on", "True", "interrupted", "saved"])


def test_a_second_one_ends_it_at_once() -> None:
    code = """
with Termination(), Budget():
    kill()
    say("once")
    kill()
    say("never")
"""
    assert run(code) == (-signal.SIGTERM, ["once"])


def test_where_nothing_can_be_stopped_it_ends_at_once() -> None:
    assert run("with Termination():\n    kill()\n    say('never')") == (-signal.SIGTERM, [])


def test_what_is_being_saved_is_saved_first() -> None:
    code = """
with Termination() as made:
    made.waits = True
    kill()
    say("saved")
say("never")
"""
    assert run(code) == (-signal.SIGTERM, ["saved"])


def test_a_handler_that_was_there_is_called_and_stays() -> None:
    code = """
signal.signal(signal.SIGTERM, lambda *_: say("mine"))
with Termination(), Budget():
    kill()
    say("goes-on")
kill()
say("end")
"""
    assert run(code) == (0, ["goes-on", "mine", "mine", "end"])


def test_without_a_signal_nothing_changes() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with Termination():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before


def test_other_threads_than_the_main_one_do_not_listen() -> None:
    before = signal.getsignal(signal.SIGTERM)
    seen = []

    def work() -> None:
        with Termination():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]


def test_an_error_inside_passes_through() -> None:
    with pytest.raises(ValueError, match="inside"), Termination():
        raise ValueError("inside")

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


KILLED = -signal.SIGTERM
STOPS = """
with Termination():
    with Budget() as budget:
        kill()
        say("goes-on", budget.asked, budget.reached())
    say("saved")
say("never")
"""
TWICE = """
with Termination(), Budget():
    kill()
    say("once")
    kill()
    say("never")
"""
SAVING = """
with Termination() as made:
    made.waits = True
    kill()
    say("saved")
say("never")
"""
HANDLED = """
signal.signal(signal.SIGTERM, lambda *_: say("mine"))
with Termination(), Budget():
    kill()
    say("goes-on")
kill()
say("end")
"""


@pytest.mark.parametrize(
    ("code", "ended", "said"),
    [
        (STOPS, KILLED, "goes-on True interrupted saved"),
        (TWICE, KILLED, "once"),
        ("with Termination():\n    kill()\n    say('never')", KILLED, ""),
        (SAVING, KILLED, "saved"),
        (HANDLED, 0, "goes-on mine mine end"),
    ],
    ids=["the budget is asked to stop", "a second one ends it", "nothing to stop",
         "what is being saved is saved first", "a handler that was there is called and stays"],
)  # fmt: skip
def test_a_signal_ends_the_process_once_it_is_saved(code: str, ended: int, said: str) -> None:
    assert run(code) == (ended, said.split())


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

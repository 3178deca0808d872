"""How hard the property tests try: one profile of hypothesis for each occasion.

Chosen by the environment variable HYPOTHESIS_PROFILE; without it, ``dev``. HYPOTHESIS_EXAMPLES says
how many examples of each property a soak draws, 20,000 if it is not set. No profile has a
deadline, and none complains about slow or rare examples: a busy machine, or a draw of chance, is
not a fault of the code.
"""

import gc
import os
import signal
import tempfile

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

PATIENT = settings(
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large,
    ],
)  # fmt: skip
# The same examples in every run, on every machine: who runs the tests learns about the code, not
# about luck. Nothing is kept between runs either. Only soak looks for new examples.
FIXED = settings(PATIENT, derandomize=True, database=None, print_blob=True)

settings.register_profile("dev", FIXED, max_examples=25)
settings.register_profile(
    "ci",
    FIXED,
    max_examples=200,
    phases=(
        Phase.explicit,
        Phase.generate,
    ),  # shrinking takes minutes
)
# derandomize is said: where the variable CI is set, hypothesis fixes the examples by default
settings.register_profile(
    "soak",
    PATIENT,
    max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "20000")),
    derandomize=False,
    print_blob=True,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

if os.environ.get("HYPOTHESIS_PROFILE") != "soak":
    # Hypothesis likes to draw the numbers and texts that it finds in the modules imported so far.
    # Which these are depends on the tests that ran before in the same worker, so a fixed seed alone
    # does not fix the examples; and it has no setting for this.
    providers._get_local_constants = Constants

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # so it is for what a script starts in the background; tests of Ctrl-C send the signal
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Where Python is told to write no bytecode, let it write some outside this folder.

    Tests start a hundred processes, and each would compile the package again.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") and "PYTHONPYCACHEPREFIX" not in os.environ:
        folder = tempfile.TemporaryDirectory(prefix="bytecode-")
        os.environ["PYTHONPYCACHEPREFIX"] = folder.name  # workers of pytest-xdist take it over
        config.add_cleanup(folder.cleanup)


def pytest_collection_finish() -> None:
    """What was collected stays until the end: the garbage collector need not look there again."""
    gc.collect()
    gc.freeze()

"""How hard the property tests try: one profile of hypothesis for each occasion.

Chosen by the environment variable HYPOTHESIS_PROFILE; without it, ``dev``. No profile has a
deadline, and none complains about slow examples: a busy machine is not a fault of the code.
"""

import os

from hypothesis import HealthCheck, Phase, settings

TIMELESS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("dev", TIMELESS, max_examples=50)
# The same examples in every run, so that a red one can be repeated; dev and soak look for new ones.
settings.register_profile(
    "ci",
    TIMELESS,
    max_examples=200,
    derandomize=True,
    print_blob=True,
    phases=(Phase.explicit, Phase.generate),  # a red one is told at once; shrinking takes minutes
)
settings.register_profile("soak", TIMELESS, max_examples=20_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

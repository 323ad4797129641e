"""How hypothesis finds its examples: the same ones in every run of the tests, new ones in the soak.

`make soak` asks for the profile "explore" (`--hypothesis-profile`); the tests that break rules load their own before.
"""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)  # a busy machine is no failure
settings.register_profile("explore", derandomize=False, deadline=None)
if settings.get_current_profile_name() in ("default", "ci"):
    settings.load_profile("steady")

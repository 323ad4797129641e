"""Tables played in memory, as the watch sees them."""

import json

import msgspec

from controller.commands.watched import PublicDict
from tests.engine.playing import IDENTITY, Play


def seen(play: Play) -> PublicDict:
    """The table as the stream would show it now."""
    identity = {"schema": 1, "as_of": 0, **msgspec.to_builtins(IDENTITY)}
    return {**identity, **json.loads(play.projection())}

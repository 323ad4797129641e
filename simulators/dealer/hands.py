"""The duration of each piece of work of a person's hands, at human speed, and the patience of a dealer."""

import asyncio
from collections.abc import Callable

PLACE_BETS_SECONDS = 5.0
PLACE_CARDS_SECONDS = 0.8  # a packet, or one card from the shoe
PLACE_TILE_SECONDS = 0.5
THROW_DICE_SECONDS = 4.0
SWEEP_SECONDS = 2.0
ANNOUNCE_SECONDS = 2.0
CORRECTING_SECONDS = 1.5  # a card taken up and placed where it belongs
LOOK_AND_DECIDE_SECONDS = 4.0
TURN_SECONDS = 1.0
PAY_SECONDS = 1.5  # each wager
GATHER_SECONDS = 4.0
SHUFFLE_BY_HAND_SECONDS = 25.0
CUT_SECONDS = 3.0
SPREAD_SECONDS = 8.0  # a whole shoe, face up on the table
COUNT_SECONDS, COUNT_AT_MAX_SECONDS = 5.0, 0.05  # by then each card counted has been reported, byte by byte too
KEY_IN_SECONDS = 4.0
REPAIR_DECK_SECONDS = 30.0
CLEAR_JAM_SECONDS = 10.0
CLOSE_LID_SECONDS = 1.0
CHIP_SECONDS = 1.0  # one chip into a slot, out of it, or handed back
HAND_OVER_SECONDS = 5.0
ACKNOWLEDGE_SECONDS = 1.0  # an alarm read and tapped

LAMP_WAIT_SECONDS, LAMP_WAIT_AT_MAX_SECONDS = 2.0, 0.3  # then the dealer presses the lock-in button again
PRESS_GAP_SECONDS, PRESS_GAP_AT_MAX_SECONDS = 0.2, 0.03  # the button up between two presses
UNREPORTED_SECONDS, UNREPORTED_AT_MAX_SECONDS = 1.5, 0.5  # the prompt unmoved after a card was drawn
WAIT_SECONDS, WAIT_AT_MAX_SECONDS = 5.0, 2.0  # a machine that should answer and does not
FAILED_SECONDS = 20.0  # no packet in the deal, at any speed
CHIP_PASSES_SECONDS = 0.05  # at any speed: long enough for the slots to be asked


class DealerPatience:
    """How long the dealer has been waiting for the same thing; a change begins again from zero.

    `looked_at` gives the time at which the last look at the screen began: that screen shows everything that had reached
    the station before. So a late station on a busy machine is never mistaken for one that missed a message.
    """

    def __init__(self, looked_at: Callable[[], float]) -> None:
        self._looked_at = looked_at
        self._what = ""
        self._since = 0.0

    def lost(self, what: str, seconds: float) -> bool:
        """Whether the dealer had waited `seconds` for `what` at the last look at the screen."""
        if what != self._what:
            self._what, self._since = what, asyncio.get_running_loop().time()
        return self._looked_at() - self._since >= seconds

    def restart(self) -> None:
        """The clock begins again: something has happened, or the station was away."""
        self._what = ""

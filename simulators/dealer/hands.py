"""How long a person's hands take for each piece of work at the table, at human speed."""

LAY_BETS_SECONDS = 5.0
LAY_CARDS_SECONDS = 0.8  # a packet, or one card from the shoe
SWEEP_SECONDS = 2.0
LOOK_AND_DECIDE_SECONDS = 4.0
TURN_SECONDS = 1.0
PAY_SECONDS = 1.5  # each wager
GATHER_SECONDS = 4.0
SHUFFLE_BY_HAND_SECONDS = 25.0
HAND_OVER_SECONDS = 5.0

LAMP_WAIT_SECONDS, LAMP_WAIT_AT_MAX_SECONDS = 2.0, 0.3  # then the dealer presses the lock-in button again
PRESS_GAP_SECONDS, PRESS_GAP_AT_MAX_SECONDS = 0.2, 0.03  # the button up between two presses

"""What voids a round or is cited where no regulation has an article."""

COMPLETE_DECK = "policy: complete deck"
EVERY_CARD_REPORTED = "policy: every card reported"
SUPERVISORS_VOID = "policy: supervisor's void"
MISDEAL = "policy: misdeal"
ERRORS_CORRECTED = ("policy: errors corrected",)
KEYED_IN = ("policy: unread cards",)

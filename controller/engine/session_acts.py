"""What is done by hand with the cards of black-jack as a table opens and closes, ticked by those there. No I/O here."""

OPENING = ("cards_shown", "cards_mixed")
CLOSING = ("cards_laid_aside", "cards_ordered")
DECK_REPLACED = "deck_replaced"
ACTS = (*OPENING, DECK_REPLACED, *CLOSING)
"""By rule: 7 and 53, 53; 5; 58, 55."""

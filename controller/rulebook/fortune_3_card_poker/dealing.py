"""The places that get cards, and those whose cards are turned. No I/O here."""

from collections.abc import Iterator

from controller.rulebook.fortune_3_card_poker.wagers import stakes
from controller.rulebook.offers import GIVEN_UP
from controller.rulebook.packets import packets_of
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_place

HAND_CARDS = 3
COMMUNITY_CARDS = 2
COMMUNITY = "community"


def packets(round: Round, bank_in_each_pass: bool) -> list[tuple[str, ...]]:
    """The deal in order, each item the places of the cards that leave the source together.

    2025: 11.º 1 to 4; 2008: 7.º, where the bank gets the last card of each pass from the shoe.
    """
    seats = [seat_place(seat) for seat in round.seats_in_play]
    if round.terms.source == "shoe":
        order = [*seats, "bank"] * HAND_CARDS if bank_in_each_pass else seats * HAND_CARDS + ["bank"] * HAND_CARDS
        if _has_community(round):
            order += [COMMUNITY] * COMMUNITY_CARDS
        return [(place,) for place in order]
    deal = [(place,) * HAND_CARDS for place in [*seats, "bank"]]
    if _has_community(round):
        community = (COMMUNITY,) * COMMUNITY_CARDS
        # 11.º 4: a machine that gives only threes gives one card too many; the top one goes to the discard rack.
        deal.append(community if COMMUNITY_CARDS in round.terms.packet_sizes else ("discard", *community))
    return deal


def _has_community(round: Round) -> bool:
    """Whether the round has community cards: with a chip. Once turned they stay, even if a correction returns the last
    chip.
    """
    return bool(round.chips) or COMMUNITY in round.play.shown


def replacement(round: Round, to: str, count: int) -> list[tuple[str, ...]]:
    """The next cards in place of those left out (2008: 11.º 2)); other cards of the packet go to the discard rack."""
    if round.terms.source == "shoe":
        return [(to,)] * count
    size = min(size for size in (*round.terms.packet_sizes, HAND_CARDS) if size >= count)
    return [(to,) * count + ("discard",) * (size - count)]


def stays(round: Round, seat: int) -> bool:
    """Whether a seat's hand is settled: played, or with a bet that giving up does not touch (12.º 3, 4)."""
    return packets_of(round).decisions.get(seat) not in GIVEN_UP or bool(set(stakes(round, seat)) - {"ante"})


def places_to_show(round: Round) -> Iterator[str]:
    """The bank, each hand still to be settled from the bank's left, the community cards last (13.º 7, 15.º 1)."""
    yield "bank"
    yield from (seat_place(seat) for seat in round.seats_in_play if stays(round, seat))
    if round.chips:
        yield COMMUNITY

"""Where the cards go: the deal in order, the place of every card dealt so far, and the next step. No I/O here."""

from collections.abc import Iterator

import msgspec

from controller.rulebook.fortune_3_card_poker.round import Dealt, Round, places_to_show
from controller.rulebook.steps import Step, seat_place

HAND_CARDS = 3
COMMUNITY_CARDS = 2
DECK_CARDS = 52  # 2.º 1 1)


class Laid(msgspec.Struct, frozen=True):
    """Cards dealt together, with the place of each."""

    dealt: Dealt
    to: tuple[str, ...]


def packets(round: Round) -> Iterator[tuple[str, ...]]:
    """The deal in order, each item the places of the cards that leave the source together (11.º 1 to 4)."""
    seats = [seat_place(seat) for seat in round.seats_in_play]
    if round.terms.source == "shoe":
        for _ in range(HAND_CARDS):
            yield from ((place,) for place in seats)
        yield from (("bank",) for _ in range(HAND_CARDS))
        if round.chips:
            yield from (("community",) for _ in range(COMMUNITY_CARDS))
        return
    yield from ((place,) * HAND_CARDS for place in [*seats, "bank"])
    if round.chips:
        community = ("community",) * COMMUNITY_CARDS
        # 11.º 4: a machine that gives only threes gives one card too many; the top one goes to the discard rack.
        yield community if COMMUNITY_CARDS in round.terms.packet_sizes else ("discard", *community)


def laid(round: Round) -> list[Laid]:
    """Every deal so far with its places: they follow from the order, null cards left out (17.º 5).

    Cards dealt for community cards that no chip asks for any more lie on the discard rack.
    """
    due = packets(round)
    found = []
    for dealt in round.dealt:
        count = len(dealt.draws)
        if dealt.null is not None:
            to = (seat_place(dealt.null),) * count
        else:
            to = next(due, ("discard",) * count)
        found.append(Laid(dealt=dealt, to=to))
    return found


def next_places(round: Round) -> tuple[str, ...]:
    """The places of the next cards to be dealt; none when the deal is complete."""
    due = list(packets(round))
    done = sum(dealt.null is None for dealt in round.dealt)
    return due[done] if done < len(due) else ()


def draws_at(round: Round, place: str) -> tuple[int, ...]:
    """The draw numbers of the cards that lie at a place, in the order they came; null cards belong to none."""
    return tuple(
        draw
        for one in laid(round)
        if one.dealt.null is None
        for draw, to in zip(one.dealt.draws, one.to, strict=False)
        if to == place
    )


def unread_places(round: Round) -> tuple[str, ...]:
    """The places where a card lies whose value nobody heard."""
    unread = set(round.unread)
    return tuple(place for place in dict.fromkeys(_places(round)) if unread & set(draws_at(round, place)))


def _places(round: Round) -> Iterator[str]:
    for one in laid(round):
        if one.dealt.null is None:
            yield from one.to


def next_order(round: Round) -> int:
    """The number of the order that the shuffler carries out next."""
    return round.orders_from + round.orders_used + 1


def next_step(round: Round) -> Step:
    """What this round waits for (8.º)."""
    if round.confirmed:
        return Step(id=f"{round.id}/claims", kind="claims")
    if round.settlement is not None:
        return Step(id=_confirm_id(round), kind="confirm")
    if round.deck_faulty or not round.shuffled or not round.locked:
        return _before_the_deal(round)
    if round.gaps:
        return Step(id=f"{round.id}/count/{round.counts + 1}", kind="count")
    to = next_places(round)
    if to:
        order = next_order(round) if round.terms.source == "shuffler" else None
        # A null packet moves the next one up: that is another question than before.
        moved = "".join(f"/{dealt.null}" for dealt in round.dealt if dealt.null is not None)
        return Step(id=f"{round.id}/deal/{len(round.dealt) + 1}{moved}", kind="deal", to=to, order=order)
    if round.terms.source == "shoe" and not round.counted:
        return Step(id=f"{round.id}/count/{round.counts + 1}", kind="count", cards=round.draws)
    waiting = tuple(
        seat for seat in round.seats_in_play if "ante" in round.wagers[seat] and seat not in round.decisions
    )
    if waiting:
        return Step(id=f"{round.id}/decisions", kind="decisions", waiting=waiting)
    for place in places_to_show(round):
        if place not in round.shown:
            key_in = bool(set(round.unread) & set(draws_at(round, place)))
            return Step(id=f"{round.id}/reveal/{place}", kind="reveal", to=(place,), key_in=key_in)
    return Step(id=_confirm_id(round), kind="confirm")


def _confirm_id(round: Round) -> str:
    """Another one for each settlement: nobody confirms one that was not on the screen."""
    if round.void is not None:
        return f"{round.id}/confirm/void"
    return f"{round.id}/confirm/{len(round.corrections) + 1}" if round.corrections else f"{round.id}/confirm"


def _before_the_deal(round: Round) -> Step:
    if round.deck_faulty:
        return Step(id=f"{round.id}/deck/{round.shuffles}", kind="deck")
    attempt = f"/{round.shuffles + 1}" if round.shuffles else ""
    if not round.shuffled:
        order = next_order(round) if round.terms.source == "shuffler" else None
        return Step(id=f"{round.id}/shuffle{attempt}", kind="shuffle", order=order)
    if round.terms.source == "shoe" and not round.cut:
        return Step(id=f"{round.id}/cut{attempt}", kind="cut")
    return Step(id=f"{round.id}/wagers", kind="wagers")

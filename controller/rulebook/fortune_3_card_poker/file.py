"""A completed round of Fortune 3 Card Poker from a round file: read, checked and settled. No I/O here."""

from collections.abc import Iterator, Mapping

from controller.rulebook.cards import Card, refuse_repeated
from controller.rulebook.fortune_3_card_poker.paytables import ADDITIONAL_WAGERS, RULES_2025, Rules
from controller.rulebook.fortune_3_card_poker.reasons import ThreeCardReason
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.rulebook.fortune_3_card_poker.table_rules import KEYS_2025
from controller.rulebook.fortune_3_card_poker.wagers import refuse_decision, refuse_wagers
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.reading import Limits, read_cards, read_limits, read_money, read_object, read_rules
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.settlement import Settlement

EQUAL_CHIPS = "policy: equal chips"


def settle_file(round_read: object, rules: Rules = RULES_2025) -> Settlement:
    """Settles the round that the JSON value of a round file describes; raises Refusal for an impossible one."""
    known = ("game", "seats", "dealer", "limits") + (("community", "jackpot", "rules") if rules.jackpot else ())
    asked = read_object(round_read, "round", known, ("game", "seats", "dealer"))
    limits = read_limits(asked["limits"]) if "limits" in asked else None
    seats = _read_seats(asked["seats"], limits, rules)
    dealer = read_cards(asked, "dealer", "dealer", 3, rules.articles.deal)
    chips = {seat: seat_bets.wagers["jackpot"] for seat, seat_bets in seats.items() if "jackpot" in seat_bets.wagers}
    _refuse_unequal_chips(chips)
    community = _read_community(asked, bool(chips), rules)
    jackpot = _read_jackpot(asked["jackpot"], rules) if "jackpot" in asked else None
    refuse_repeated(_places(seats, dealer, community), rules.articles.material)
    readings = read_rules(asked.get("rules", []), KEYS_2025)
    return settle(seats, dealer, community, jackpot, rules, readings)


def _read_seats(value: object, limits: Limits | None, rules: Rules) -> dict[int, SeatRound]:
    if not isinstance(value, dict):
        raise Refusal("seats", LawReason.NO_OBJECT, value=quoted(value))
    numbers = {str(number): number for number in rules.seats}
    for key in value:
        if key not in numbers:
            raise Refusal("seats", LawReason.NO_SEAT_KEY, rules.articles.seats, seat=quoted(key))
    if not value:
        raise Refusal("seats", LawReason.NO_ONE_BETS, rules.articles.deal)
    return {numbers[key]: _read_seat(numbers[key], value[key], limits, rules) for key in value}


def _read_seat(number: int, value: object, limits: Limits | None, rules: Rules) -> SeatRound:
    who = f"seat {number}"
    for wager in ADDITIONAL_WAGERS:
        if isinstance(value, dict) and wager in value and wager not in rules.wagers:
            raise Refusal(who, ThreeCardReason.NOT_A_BET_OF, rules.articles.bets, wager=wager, game=rules.game)
    read = read_object(value, who, (*rules.wagers, "cards", "decision"))
    wagers = {wager: read_money(read[wager], who, wager) for wager in rules.wagers if wager in read}
    refuse_wagers(number, wagers, limits, rules)
    decision = _read_decision(read, who, rules)
    refuse_decision(number, wagers, decision, rules)
    return SeatRound(wagers, decision, read_cards(read, who, "cards", 3, rules.articles.deal))


def _read_decision(read: Mapping[str, object], who: str, rules: Rules) -> str | None:
    decision = read.get("decision")
    if isinstance(decision, str) or "decision" not in read:
        return decision if isinstance(decision, str) else None
    raise Refusal(who, ThreeCardReason.PLAY_OR_FOLD, rules.articles.decision, value=quoted(decision))


def _refuse_unequal_chips(chips: Mapping[int, int]) -> None:
    for seat, chip in chips.items():
        first = next(iter(chips.values()))
        if chip != first:
            raise Refusal(f"seat {seat}", ThreeCardReason.UNEQUAL_JACKPOT_CHIPS, EQUAL_CHIPS, chip=chip, first=first)


def _read_community(asked: Mapping[str, object], wanted: bool, rules: Rules) -> tuple[Card, ...] | None:
    if wanted and "community" not in asked:
        raise Refusal("community", ThreeCardReason.MISSING_BESIDE_JACKPOT, rules.articles.community_dealt)
    if not wanted and "community" in asked:
        raise Refusal("community", ThreeCardReason.COMMUNITY_WITHOUT_JACKPOT, rules.articles.community_not_shown)
    return read_cards(asked, "community", "community", 2, rules.articles.community_dealt) if wanted else None


def _read_jackpot(value: object, rules: Rules) -> JackpotTerms:
    keys = ("pot", "minimum", "fixed")
    read = read_object(value, "jackpot", keys, keys)
    fixed = read_object(read["fixed"], "jackpot.fixed", tuple(rules.jackpot), tuple(rules.jackpot))
    return JackpotTerms(
        pot=read_money(read["pot"], "jackpot", "pot"),
        minimum=read_money(read["minimum"], "jackpot", "minimum"),
        fixed={tier: read_money(fixed[tier], "jackpot.fixed", tier, least=0) for tier in rules.jackpot},
    )


def _places(
    seats: Mapping[int, SeatRound], dealer: tuple[Card, ...], community: tuple[Card, ...] | None
) -> Iterator[tuple[str, tuple[Card, ...]]]:
    yield from ((f"seat {number}", seat.cards or ()) for number, seat in seats.items())
    yield "dealer", dealer
    yield "community", community or ()

"""A completed round of black-jack/21 from a round file: read, checked, played out and settled. No I/O here."""

from collections.abc import Iterator

from controller.rulebook.blackjack_21.bets import (
    Backer,
    SeatBet,
    check_minimum,
    check_prize_terms,
    check_round_bets,
    check_seat_bet,
)
from controller.rulebook.blackjack_21.paytable import DECKS, GAME, KEYS_OF_RULES, MATERIAL, SEAT, SEATS
from controller.rulebook.blackjack_21.played_out import SURRENDER, SeatWishes, play_out
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.blackjack_21.settle import PRIZE_LOST, settle
from controller.rulebook.blackjack_21.state import DECISIONS
from controller.rulebook.cards import parse_cards
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.reading import JsonObject, check_name, read_money, read_object, read_rules
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.settlement import Settlement
from controller.rulebook.steps import seat_place

__all__ = ["GAME", "settle_file"]

KEYS = ("game", "minimum", "decks", "seats", "shoe", "jackpot", "rules")
REQUIRED = ("game", "minimum", "decks", "seats", "shoe")
SEAT_KEYS = ("bet", "jackpot", "insurance", "even_money", "decisions", "backers")
BACKER_KEYS = ("player", "bet", "jackpot", "insurance", "follows")
PRIZE_KEYS = ("pot", "minimum")


def settle_file(round_read: object) -> Settlement:
    """Settles the round that the JSON value of a round file describes; raises Refusal for an impossible one."""
    asked = read_object(round_read, "round", KEYS, REQUIRED)
    minimum = read_money(asked["minimum"], "round", "minimum")
    check_minimum(minimum)
    decks = _read_decks(asked["decks"])
    seats = dict(_read_seats(asked["seats"]))
    for seat_bet, _ in seats.values():
        check_seat_bet(seat_bet, minimum)
    check_round_bets([seat_bet for seat_bet, _ in seats.values()])
    prize = _read_prize(asked["jackpot"]) if "jackpot" in asked else None
    for seat_bet, _ in seats.values():
        if any(seat_bet.chips) and prize is None:
            raise Refusal("jackpot", BlackjackReason.PRIZE_MISSING, PRIZE_LOST, place=seat_place(seat_bet.seat))
        if prize is not None:
            check_prize_terms(prize, max(seat_bet.chips))
    if not isinstance(asked["shoe"], str):
        raise Refusal("shoe", BlackjackReason.SHOE_NOT_TEXT, value=quoted(asked["shoe"]))
    shoe = parse_cards(asked["shoe"], "shoe")
    wishes = {number: wish for number, (_, wish) in seats.items()}
    rules = read_rules(asked.get("rules", []), KEYS_OF_RULES)
    return settle(play_out([seat_bet for seat_bet, _ in seats.values()], wishes, shoe, decks, rules), prize)


def _read_decks(value: object) -> int:
    if type(value) is not int or value not in DECKS:
        raise Refusal("decks", LawReason.ONE_OF, MATERIAL, choices=" or ".join(map(str, DECKS)), value=quoted(value))
    return value


def _read_prize(value: object) -> JackpotTerms:
    read = read_object(value, "jackpot", PRIZE_KEYS, PRIZE_KEYS)
    pot, minimum = (read_money(read[key], "jackpot", key) for key in PRIZE_KEYS)
    return JackpotTerms(pot=pot, minimum=minimum, fixed={})


def _read_seats(value: object) -> Iterator[tuple[int, tuple[SeatBet, SeatWishes]]]:
    """The seats in play. A seat with a bet of 0 and nothing beside it is not in play."""
    if not isinstance(value, dict):
        raise Refusal("seats", LawReason.NO_OBJECT, value=quoted(value))
    numbers = {str(number): number for number in SEATS}
    for key in value:
        if key not in numbers:
            raise Refusal("seats", LawReason.NO_SEAT_KEY, SEAT, seat=quoted(key))
    for key in value:
        seat_bet, wishes = _read_seat(numbers[key], value[key])
        if seat_bet.bet or seat_bet.chip or seat_bet.backers:
            yield numbers[key], (seat_bet, wishes)
        else:
            wishes.refuse_left_over_without_bet()


def _read_seat(number: int, value: object) -> tuple[SeatBet, SeatWishes]:
    who = seat_place(number)
    read = read_object(value, who, SEAT_KEYS, ("bet",))
    bet = read_money(read["bet"], who, "bet", least=0)
    chip = read_money(read.get("jackpot", 0), who, "jackpot", least=0)
    insurance = [read_money(read.get("insurance", 0), who, "insurance", least=0)]
    even_money = read.get("even_money", False)
    if not isinstance(even_money, bool):
        raise Refusal(who, BlackjackReason.EVEN_MONEY_NOT_BOOLEAN, value=quoted(even_money))
    backers, follows = [], []
    for row in _read_list(read.get("backers", []), who, "backers"):
        backer, insured, followed = _read_backer(who, read_object(row, f"{who}, backers", BACKER_KEYS, BACKER_KEYS[:2]))
        if backer.bet or backer.chip or insured or followed:
            backers.append(backer)
            insurance.append(insured)
            follows.append(followed)
    seat_bet = SeatBet(seat=number, bet=bet, backers=tuple(backers), chip=chip)
    return seat_bet, SeatWishes(seat_bet, _read_decisions(read, who), insurance, even_money, follows)


def _read_backer(who: str, read: JsonObject) -> tuple[Backer, int, list[bool]]:
    """A backer, what he insures, and whether he follows each split or double of a hand that his bet is on."""
    player = check_name(read["player"], who, "backers")
    bet = read_money(read["bet"], who, f"bet by {quoted(player)}", least=0)
    chip = read_money(read.get("jackpot", 0), who, f"jackpot by {quoted(player)}", least=0)
    insured = read_money(read.get("insurance", 0), who, f"insurance by {quoted(player)}", least=0)
    follows = []
    for follow in _read_list(read.get("follows", []), who, "follows"):
        if not isinstance(follow, bool):
            raise Refusal(who, BlackjackReason.FOLLOWS_NOT_BOOLEAN, player=quoted(player), value=quoted(follow))
        follows.append(follow)
    return Backer(player, bet, chip), insured, follows


def _read_decisions(read: JsonObject, who: str) -> list[str]:
    decisions = []
    for decision in _read_list(read.get("decisions", []), who, "decisions"):
        if not isinstance(decision, str) or decision not in (*DECISIONS, SURRENDER):
            known = ", ".join((*DECISIONS, SURRENDER))
            raise Refusal(who, BlackjackReason.NO_SUCH_DECISION, "18", decision=quoted(decision), known=known)
        decisions.append(decision)
    return decisions


def _read_list(value: object, who: str, key: str) -> list[object]:
    if not isinstance(value, list):
        raise Refusal(who, BlackjackReason.KEY_NOT_LIST, key=key, value=quoted(value))
    return value

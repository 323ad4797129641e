"""The wagers and decisions that a seat may make, before the deal and after it, and the chips that count when the
betting closes. No I/O here.
"""

from collections.abc import Mapping
from typing import Final

from controller.rulebook.events import BettingClosed
from controller.rulebook.fortune_3_card_poker.paytables import BASIC_WAGERS, RULES_2025, Rules
from controller.rulebook.fortune_3_card_poker.reasons import ThreeCardReason
from controller.rulebook.house import BasicBets
from controller.rulebook.offers import REFUSED
from controller.rulebook.reading import Limits
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_place

__all__ = [
    "BASIC_WAGERS",
    "DECISIONS",
    "LIMITED_WAGERS",
    "check_wager",
    "check_wager_limits",
    "close_betting",
    "is_obliged",
    "refuse_combination",
    "refuse_decision",
    "refuse_wagers",
    "refuse_without_basic_bet",
    "stakes",
]

DECISIONS: Final = ("play", "fold")
LIMITED_WAGERS: Final = ("ante", "pair_plus", "six_card_bonus")


def refuse_wagers(seat: int, wagers: Mapping[str, int], limits: Limits | None, rules: Rules = RULES_2025) -> None:
    """Raises Refusal unless these are all the wagers of a seat that is in the round (3.º, 4.º, 10.º 1)).

    Amounts are minor units. A seat without a bet is refused: it gets no card (11.º 1, 17.º 5).

    >>> refuse_wagers(3, {"ante": 1000, "pair_plus": 1000}, Limits(1000, 100_000))
    >>> refuse_wagers(3, {"six_card_bonus": 1000}, None)
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('seat 3', 'without_basic_bet', {'wager': 'six_card_bonus'}, '4.º 3')
    """
    for wager, amount in wagers.items():
        if wager not in rules.wagers:
            raise Refusal(f"seat {seat}", ThreeCardReason.NOT_A_WAGER_OF, wager=quoted(wager), game=rules.game)
        check_wager_limits(seat, wager, amount, limits, rules)
    if not wagers:
        raise Refusal(f"seat {seat}", ThreeCardReason.NO_PART, rules.articles.deal)
    refuse_without_basic_bet(seat, wagers, rules)


def check_wager_limits(seat: int, wager: str, amount: int, limits: Limits | None, rules: Rules = RULES_2025) -> None:
    """Raises Refusal for an amount that is not positive, or outside the posted limits (10.º 1)).

    The jackpot chip has one value, which the limits do not bound; the double is always the ante (12.º 2).
    """
    if amount <= 0:
        raise Refusal(f"seat {seat}", LawReason.NO_POSITIVE_INTEGER, what=wager, value=quoted(amount))
    if limits is None or wager not in LIMITED_WAGERS or limits.min <= amount <= limits.max:
        return
    below = amount < limits.min
    code, limit = (LawReason.BELOW_MINIMUM, limits.min) if below else (LawReason.ABOVE_MAXIMUM, limits.max)
    raise Refusal(f"seat {seat}", code, rules.articles.limits, wager=wager, amount=amount, limit=limit)


def refuse_without_basic_bet(seat: int, wagers: Mapping[str, int], rules: Rules = RULES_2025) -> None:
    """Raises Refusal for an additional bet at a seat with neither ante nor Pair Plus (3.º 4, 4.º 2 and 3)."""
    if wagers and not any(wager in wagers for wager in BASIC_WAGERS):
        beside = next(iter(wagers))
        raise Refusal(f"seat {seat}", ThreeCardReason.WITHOUT_BASIC_BET, rules.articles.basic_bet, wager=beside)


def refuse_combination(seat: int, wagers: Mapping[str, int], offered: BasicBets, rules: Rules = RULES_2025) -> None:
    """Raises Refusal for basic bets that the house does not offer so: one of the two, or both together (4.º 1).

    >>> refuse_combination(3, {"ante": 1000}, "combined")
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('seat 3', 'together_only', {}, '4.º 1')
    """
    basic_bets = len(wagers.keys() & set(BASIC_WAGERS))
    if offered == "combined" and basic_bets == 1:
        raise Refusal(f"seat {seat}", ThreeCardReason.TOGETHER_ONLY, rules.articles.offered)
    if offered == "separate" and basic_bets > 1:
        raise Refusal(f"seat {seat}", ThreeCardReason.SEPARATELY_ONLY, rules.articles.offered)


def is_obliged(wagers: Mapping[str, int], rules: Rules = RULES_2025) -> bool:
    """Whether the player must double: Pair Plus beside the ante (2008: 9.º 3)).

    >>> from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008
    >>> is_obliged({"ante": 1000, "pair_plus": 1000}, RULES_2008), is_obliged({"ante": 1000, "pair_plus": 1000})
    (True, False)
    """
    return bool(rules.articles.obliged_to_play) and {"ante", "pair_plus"} <= wagers.keys()


def refuse_decision(seat: int, wagers: Mapping[str, int], decision: str | None, rules: Rules = RULES_2025) -> None:
    """Raises Refusal unless the decision fits the wagers: `play` or `fold` with an ante, None without (12.º 2).

    Where the regulation obliges a player with Pair Plus to play (2008: 9.º 3)), only `play` is allowed, or `refused`
    for a player who does not comply and loses the ante as if it were given up (9.º 2)).
    """
    obliged = is_obliged(wagers, rules)
    if decision is not None and decision not in DECISIONS and not (obliged and decision == REFUSED):
        raise Refusal(f"seat {seat}", ThreeCardReason.PLAY_OR_FOLD, rules.articles.decision, value=quoted(decision))
    if obliged and decision not in ("play", REFUSED):
        raise Refusal(f"seat {seat}", ThreeCardReason.OBLIGED_TO_PLAY, rules.articles.obliged_to_play)
    if "ante" in wagers and decision is None:
        raise Refusal(f"seat {seat}", ThreeCardReason.ANTE_WANTS_DECISION, rules.articles.decision)
    if "ante" not in wagers and decision is not None:
        raise Refusal(f"seat {seat}", ThreeCardReason.DECISION_WITHOUT_ANTE, rules.articles.decision)


def stakes(round: Round, seat: int) -> dict[str, int]:
    """A seat's wagers with its jackpot chip, in minor units, in the order settlements list them."""
    wagers = dict(round.wagers.get(seat, {}))
    if seat in round.chips:
        wagers["jackpot"] = round.terms.chip
    return {wager: wagers[wager] for wager in ("ante", "pair_plus", "six_card_bonus", "jackpot") if wager in wagers}


def check_wager(round: Round, seat: int, wager: str, amount: int, rules: Rules) -> None:
    """Refuse a wager no seat may place: unknown, not offered, or outside the limits (3.º, 10.º 1). 0 takes it back."""
    terms = round.terms
    offered = (*BASIC_WAGERS, *(name for name in terms.additional if name != "jackpot"))
    if wager not in offered:
        known = ", ".join(offered)
        raise Refusal(seat_place(seat), ThreeCardReason.NOT_OFFERED, rules.articles.bets, wager=wager, offered=known)
    limits = terms.limits_of(wager)
    if amount and not limits.min <= amount <= limits.max:
        code, article = ThreeCardReason.OUTSIDE_LIMITS, rules.articles.limits
        raise Refusal(seat_place(seat), code, article, wager=wager, amount=amount, least=limits.min, most=limits.max)


def close_betting(round: Round, wagers: tuple[int, ...], rules: Rules) -> BettingClosed:
    """Close the betting (10.º 3). `wagers` are the seats with a chip on the sensor in time.

    A chip counts beside a basic bet and is returned without one (4.º 3); the same holds for a carried chip (17.º 3). A
    new chip at a seat whose carried chip counts is ignored: a seat has one chip.
    """
    if not any(set(bets) & set(BASIC_WAGERS) for bets in round.wagers.values()):
        article = rules.articles.basic_bet or rules.articles.bets
        raise Refusal("table", ThreeCardReason.NO_BASIC_BET, article)
    for seat in round.seats_in_play:
        refuse_wagers(seat, round.wagers[seat], None, rules)  # each within its limits since it was placed
        refuse_combination(seat, round.wagers[seat], round.terms.house.basic_bets, rules)
    carried = tuple(seat for seat in round.carried_chips if seat in round.wagers)
    new = tuple(seat for seat in wagers if seat in round.wagers and seat not in carried)
    return BettingClosed(
        chips=tuple(sorted((*carried, *new))),
        returned=tuple(seat for seat in wagers if seat not in round.wagers),
        carried=carried,
        carried_back=tuple(seat for seat in round.carried_chips if seat not in carried),
    )

"""The bets that may be placed at the live table, and the chips that count when the betting closes. No I/O here."""

from controller.rulebook.events import BettingClosed
from controller.rulebook.fortune_3_card_poker.paytables import BASIC_WAGERS, Rules
from controller.rulebook.fortune_3_card_poker.reasons import ThreeCardReason
from controller.rulebook.fortune_3_card_poker.wagers import refuse_combination, refuse_wagers
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_place


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

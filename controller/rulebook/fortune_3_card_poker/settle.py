"""The settlement of every wager of a completed round, line by line, with its article. No I/O here."""

from collections.abc import Collection, Mapping

from msgspec import UNSET, Struct, UnsetType

from controller.rulebook.cards import Card, rank_of
from controller.rulebook.five_card import FiveCardName, best_combination
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025, Odds, Rules
from controller.rulebook.fortune_3_card_poker.reasons import ThreeCardReason
from controller.rulebook.jackpot_award import Award, JackpotTerms, award_jackpot
from controller.rulebook.offers import GIVEN_UP
from controller.rulebook.refusal import Refusal
from controller.rulebook.settlement import Line, SettledDealer, SettledSeat, Settlement
from controller.rulebook.three_card import ThreeCardHand, rank_three


class SeatRound(Struct, frozen=True):
    """One seat of a completed round: its wagers in minor units (without the double), decision and cards.

    `cards` is None only for a folded hand with no surviving bet, which is never shown (12.º 3).
    """

    wagers: dict[str, int]
    decision: str | None
    cards: tuple[Card, ...] | None


def settle(
    seats: Mapping[int, SeatRound],
    dealer: tuple[Card, ...],
    community: tuple[Card, ...] | None,
    jackpot: JackpotTerms | None,
    rules: Rules = RULES_2025,
    readings: Collection[str] = (),
) -> Settlement:
    """Settles a round whose wagers and decisions wagers.py has let pass; the order of `seats` changes nothing.

    `readings` are the keys that the house chose.

    Raises Refusal where a bet cannot be settled for want of cards or jackpot terms.

    >>> seat = SeatRound({"ante": 1000}, "play", ("As", "Ks", "Qs"))
    >>> settle({3: seat}, ("Qd", "7c", "2h"), None, None).seats["3"].net
    7000
    """
    bank = rank_three(dealer, rules.order)
    plays = bank_plays(dealer, rules)
    answers = {}
    winners = {}
    for number, seat in sorted(seats.items()):
        tier = _jackpot_tier(number, seat, community, jackpot, rules) if "jackpot" in seat.wagers else None
        if tier is not None:
            winners[number] = tier
    paid = None if jackpot is None else award_jackpot(winners.items(), jackpot, rules.jackpot, readings)
    awards = {award.seat: award for award in paid.awards} if paid else {}
    for number, seat in sorted(seats.items()):
        lines = _basic_lines(number, seat, bank, plays, rules)
        if "six_card_bonus" in seat.wagers:
            lines.append(_six_card_line(seat.wagers["six_card_bonus"], _shown(number, seat) + dealer, rules))
        if "jackpot" in seat.wagers:
            lines.append(_jackpot_line(seat.wagers["jackpot"], winners.get(number), awards.get(number), rules))
        hand = rank_three(seat.cards).name if seat.cards else None
        answers[str(number)] = SettledSeat(hand=hand, net=sum(line.net for line in lines), lines=lines)
    return Settlement(
        game=rules.game,
        outcome="settled",
        dealer=SettledDealer(bank.name, plays),
        seats=answers,
        jackpot=UNSET if paid is None else paid,
    )


def bank_plays(dealer: tuple[Card, ...], rules: Rules = RULES_2025) -> bool:
    """Whether the bank's hand is Q high or better; any pair or better is (13.º 1) and 2)).

    >>> bank_plays(("Qd", "7c", "2h")), bank_plays(("Jd", "7c", "2h")), bank_plays(("2d", "2c", "3h"))
    (True, False, True)
    """
    return rank_three(dealer).name != "high_card" or max(map(rank_of, dealer)) >= rules.bank_plays_from


def _basic_lines(number: int, seat: SeatRound, bank: ThreeCardHand, plays: bool, rules: Rules) -> list[Line]:
    """Ante, play, ante bonus and Pair Plus (12.º 2, 13.º 1) to 5), 16.º 1)."""
    lines = []
    ante = seat.wagers.get("ante")
    if ante is not None and seat.decision in GIVEN_UP:
        lines.append(_lost("ante", ante, rules.articles.fold))
    elif ante is not None:
        hand = rank_three(_shown(number, seat), rules.order)
        lines += _ante_and_play(ante, hand, bank, plays, rules)
        bonus = rules.ante_bonus.get(hand.name)
        if bonus:
            lines.append(_won("ante_bonus", ante, bonus))
    pair_plus = seat.wagers.get("pair_plus")
    if pair_plus is not None:
        odds = rules.pair_plus.get(rank_three(_shown(number, seat)).name)
        lines.append(
            _won("pair_plus", pair_plus, odds) if odds else _lost("pair_plus", pair_plus, rules.articles.pair_plus_lost)
        )
    return lines


def _ante_and_play(ante: int, hand: ThreeCardHand, bank: ThreeCardHand, plays: bool, rules: Rules) -> list[Line]:
    """The two lines of a hand in play (13.º 1) to 3); ties 7.º 1)."""
    if not plays:
        even = Odds(1, rules.articles.bank_does_not_play)
        return [_won("ante", ante, even), _pushed("play", ante, rules.articles.bank_does_not_play)]
    if hand.rank < bank.rank:
        even = Odds(1, rules.articles.higher_hand)
        return [_won("ante", ante, even), _won("play", ante, even)]
    if hand.rank > bank.rank:
        return [_lost(wager, ante, rules.articles.lower_hand) for wager in ("ante", "play")]
    return [_pushed(wager, ante, rules.articles.tie[hand.name]) for wager in ("ante", "play")]


def _six_card_line(stake: int, six: tuple[Card, ...], rules: Rules) -> Line:
    """The best five of the player's three and the bank's three (14.º, 16.º 2)."""
    combination = best_combination(six)
    odds = rules.six_card_bonus.get(combination) if combination else None
    if odds is None:
        return _lost("six_card_bonus", stake, rules.articles.six_card_bonus_lost, combination=None)
    return _won("six_card_bonus", stake, odds, combination=combination)


def _jackpot_tier(
    number: int, seat: SeatRound, community: tuple[Card, ...] | None, jackpot: JackpotTerms | None, rules: Rules
) -> FiveCardName | None:
    """The tier that the player's three and the two community cards win, or None (15.º 1, 7.º 3)."""
    if community is None:
        raise Refusal("community", ThreeCardReason.MISSING_BESIDE_JACKPOT, rules.articles.community_dealt)
    if jackpot is None:
        raise Refusal("jackpot", ThreeCardReason.MISSING_BESIDE_JACKPOT, rules.articles.jackpot_terms)
    combination = best_combination(_shown(number, seat) + community)
    return combination if combination in rules.jackpot else None


def _jackpot_line(chip: int, tier: FiveCardName | None, award: Award | None, rules: Rules) -> Line:
    if award is None:
        return _lost("jackpot", chip, rules.articles.jackpot_lost, combination=None)
    return Line(
        wager="jackpot",
        stake=chip,
        outcome="win",
        odds=None,
        net=award.amount - chip,
        combination=tier,
        article=award.article,
    )


def _shown(number: int, seat: SeatRound) -> tuple[Card, ...]:
    if seat.cards is None:
        raise Refusal(f"seat {number}", ThreeCardReason.CARDS_MISSING)
    return seat.cards


def _won(wager: str, stake: int, odds: Odds, combination: FiveCardName | UnsetType | None = UNSET) -> Line:
    return Line(
        wager=wager,
        stake=stake,
        outcome="win",
        odds=f"{odds.to_one}:1",
        net=stake * odds.to_one,
        combination=combination,
        article=odds.article,
    )


def _lost(wager: str, stake: int, article: str, combination: UnsetType | None = UNSET) -> Line:
    return Line(
        wager=wager, stake=stake, outcome="lose", odds=None, net=-stake, combination=combination, article=article
    )


def _pushed(wager: str, stake: int, article: str) -> Line:
    return Line(wager=wager, stake=stake, outcome="push", odds=None, net=0, article=article)

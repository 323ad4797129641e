"""The players of black-jack/21 keep its rules of betting, and everything they may do occurs."""

from collections import Counter

from controller.rulebook.blackjack_21.bets import Backer, SeatBet, check_seat_bet
from simulators.felt.cards import FULL_DECK, card_from_text
from simulators.felt.punters import Punters, RoundBets, hits, is_black_jack, is_soft, total

MINIMUM, MAXIMUM = 10000, 300000


def punters(seed: int = 9, seats: int = 7, jackpot: bool = True) -> Punters:
    return Punters(seed, seats, MINIMUM, MAXIMUM, jackpot, 0.6)


def as_laid(laid: RoundBets, seat: int) -> SeatBet:
    """The bets of a seat as the law has them."""
    here = {bet.player: bet.amount for bet in (*laid.bets, *laid.late) if bet.seat == seat}
    owner = laid.owners[seat]
    return SeatBet(seat=seat, bet=here.pop(owner), backers=tuple(Backer(*bet) for bet in here.items()))


def test_every_bet_is_within_the_rules_and_every_kind_occurs() -> None:
    players, kinds, seats = punters(), Counter[str](), Counter[int]()
    for _ in range(2000):
        laid = players.bets()
        assert any(bet.wager == "bet" for bet in laid.bets), "somebody bets before the deal"
        betting = {bet.seat for bet in (*laid.bets, *laid.late)}
        for seat in betting:
            check_seat_bet(as_laid(laid, seat), MINIMUM)
        seats[len(betting)] += 1
        kinds.update(bet.wager for bet in laid.bets)
        kinds["late"] += len(laid.late)
        kinds["chip"] += len(laid.chips)
        kinds["full"] += sum(sum(as_laid(laid, seat).stakes) == MAXIMUM for seat in betting)
        own = {bet.seat for bet in laid.bets if bet.wager == "bet"}
        kinds["stray chip"] += len(set(laid.chips) - own)
        assert not {bet.seat for bet in laid.late} & set(laid.chips), "a late bet has no chip (48)"
        assert not {bet.seat for bet in laid.bets if bet.wager == "vacant"} & (own | set(laid.chips))
    assert all(kinds[kind] > 20 for kind in ("bet", "backing", "vacant", "late", "chip", "full", "stray chip"))
    assert set(seats) == set(range(1, 8))


def test_the_highest_bet_decides_at_a_vacant_seat_or_among_equals_the_lower_seat() -> None:
    players, equal = punters(), 0
    for _ in range(2000):
        laid = players.bets()
        sits_at = {bet.player: bet.seat for bet in laid.bets if bet.wager == "bet"}
        vacant = [bet for bet in laid.bets if bet.wager == "vacant"]
        for bet in vacant:
            others = [other for other in vacant if other.seat == bet.seat and other.player != bet.player]
            for other in others:
                higher = (bet.amount, -sits_at[bet.player]) > (other.amount, -sits_at[other.player])
                equal += bet.amount == other.amount
                assert laid.owners[bet.seat] == (bet.player if higher else other.player)
    assert equal > 10


def test_without_a_prize_there_are_no_chips_and_a_seed_is_a_seed() -> None:
    assert not any(punters(jackpot=False).bets().chips for _ in range(300))
    players, again = punters(4), punters(4)
    for _ in range(20):
        assert players.bets() == again.bets()
        players.gives_up([card_from_text("Ts"), card_from_text("6s")], card_from_text("9d"))


def test_the_hands_are_counted_as_the_law_does() -> None:
    for text, points, soft in (("As 9d", 20, True), ("As 9d 5c", 15, False), ("Ks 6d", 16, False), ("As Ad", 12, True)):
        cards = [card_from_text(card) for card in text.split()]
        assert (total(cards), is_soft(cards)) == (points, soft)
    assert is_black_jack([card_from_text("As"), card_from_text("Td")])
    assert hits([card_from_text("Ts"), card_from_text("6s")], card_from_text("Td"))
    assert not hits([card_from_text("Ts"), card_from_text("3s")], card_from_text("6d"))


def test_they_do_only_what_they_may_and_all_of_it() -> None:
    players = punters()
    done = Counter[str]()
    for first in FULL_DECK[:13]:
        for second in FULL_DECK[:13]:
            for bank in FULL_DECK[:13]:
                legal = ["hit", *(["stand"] if total([first, second]) > 11 else []), "double", "split"]
                decision = players.decides([first, second], bank, legal)
                assert decision in legal
                done[decision] += 1
    assert all(done[decision] > 100 for decision in ("hit", "stand", "double", "split"))
    insured = [players.insures(5000) for _ in range(200)]
    assert {0, 5000} < set(insured) and max(insured) == 5000

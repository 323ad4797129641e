"""The players of black-jack and of Taiwan-Pai Kao keep its rules of betting, and everything they may do occurs."""

import random
from collections import Counter

from controller.rulebook.blackjack_21.bets import Backer, SeatBet, check_seat_bet
from controller.rulebook.taiwan_pai_kao.wagers import Wager, check_wager
from simulators.felt.cards import FULL_DECK, card_from_text
from simulators.felt.gamblers import MOST_MOVES, BankAnswer, Gamblers
from simulators.felt.players import Players
from simulators.felt.punters import Punters, RoundBets, is_black_jack, is_soft, takes_card, total
from simulators.felt.tiles import TILE_SET, is_right, ways

MINIMUM, MAXIMUM = 10000, 300000


def some_punters(seed: int = 9, jackpot: bool = True) -> Punters:
    return Punters(seed, 7, MINIMUM, MAXIMUM, jackpot, 0.6)


def as_placed(bets: RoundBets, seat: int) -> SeatBet:
    """The bets of a seat as the law has them."""
    here = {bet.player: bet.amount for bet in (*bets.bets, *bets.late) if bet.seat == seat}
    owner = bets.owners[seat]
    return SeatBet(seat=seat, bet=here.pop(owner), backers=tuple(Backer(*bet) for bet in here.items()))


def test_every_bet_at_black_jack_is_within_the_rules_and_every_kind_occurs() -> None:
    players, kinds, seats = some_punters(), Counter[str](), Counter[int]()
    for _ in range(2000):
        bets = players.bets()
        assert any(bet.wager == "bet" for bet in bets.bets), "at least one player bets before the deal"
        betting = {bet.seat for bet in (*bets.bets, *bets.late)}
        for seat in betting:
            check_seat_bet(as_placed(bets, seat), MINIMUM)
        seats[len(betting)] += 1
        kinds.update(bet.wager for bet in bets.bets)
        kinds["chip"] += len(bets.chips)
        kinds["full"] += sum(sum(as_placed(bets, seat).stakes) == MAXIMUM for seat in betting)
        own = {bet.seat for bet in bets.bets if bet.wager == "bet"}
        kinds["stray chip"] += len(set(bets.chips) - own)
        assert not bets.late, "with the prize no bet is placed after lock-in (48)"
        assert not {bet.seat for bet in bets.bets if bet.wager == "vacant"} & (own | set(bets.chips))
    assert all(kinds[kind] > 20 for kind in ("bet", "backing", "vacant", "chip", "full", "stray chip"))
    assert set(seats) == set(range(1, 8))
    without = some_punters(jackpot=False)
    assert sum(len(without.bets().late) for _ in range(2000)) > 20


def test_the_highest_bet_decides_at_a_vacant_seat_or_among_equals_the_lower_seat() -> None:
    players, equal = some_punters(), 0
    for _ in range(2000):
        bets = players.bets()
        sits_at = {bet.player: bet.seat for bet in bets.bets if bet.wager == "bet"}
        vacant = [bet for bet in bets.bets if bet.wager == "vacant"]
        for bet in vacant:
            others = [other for other in vacant if other.seat == bet.seat and other.player != bet.player]
            for other in others:
                higher = (bet.amount, -sits_at[bet.player]) > (other.amount, -sits_at[other.player])
                equal += bet.amount == other.amount
                assert bets.owners[bet.seat] == (bet.player if higher else other.player)
    assert equal > 10


def test_without_a_prize_there_are_no_chips_and_a_seed_is_a_seed() -> None:
    assert not any(some_punters(jackpot=False).bets().chips for _ in range(300))
    players, again = some_punters(4), some_punters(4)
    for _ in range(20):
        assert players.bets() == again.bets()
        players.gives_up([card_from_text("Ts"), card_from_text("6s")], card_from_text("9d"))


def test_the_hands_are_counted_as_the_law_does() -> None:
    for text, points, soft in (("As 9d", 20, True), ("As 9d 5c", 15, False), ("Ks 6d", 16, False), ("As Ad", 12, True)):
        cards = [card_from_text(card) for card in text.split()]
        assert (total(cards), is_soft(cards)) == (points, soft)
    assert is_black_jack([card_from_text("As"), card_from_text("Td")])
    assert takes_card([card_from_text("Ts"), card_from_text("6s")], card_from_text("Td"))
    assert not takes_card([card_from_text("Ts"), card_from_text("3s")], card_from_text("6d"))


def test_they_do_only_what_they_may_and_all_of_it() -> None:
    players = some_punters()
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


# ---- Taiwan-Pai Kao

LEAST, MOST = 10000, 50000
LEGAL = ("take", "refuse", "absent")


def gamblers(seed: int = 9) -> Gamblers:
    names = Players(seed, 8, LEAST, MOST, [], 0.0).names
    assert len(set(names.values())) == 8
    return Gamblers(seed, names, LEAST, MOST)


def test_every_wager_is_within_the_rules_and_every_kind_occurs() -> None:
    people, kinds, banker = gamblers(), Counter[str](), 3
    for _ in range(500):
        people.new_round()
        bets: list[Wager] = []
        for bet in people.bets(4, banker):
            wager = Wager(bet.seat, bet.player, bet.amount)
            check_wager(wager, 4, banker, bets)
            assert LEAST <= bet.amount <= MOST and bet.player != people.names[banker]
            assert (bet.seat, bet.player) not in {(other.place, other.player) for other in bets}
            bets.append(wager)
        assert any(bet.place != banker for bet in bets)
        kinds["joins"] += any(bet.place == banker for bet in bets)
        kinds["several on a place"] += max(Counter(bet.place for bet in bets).values()) > 1
        kinds["several places"] += max(Counter(bet.player for bet in bets).values()) > 1
        kinds["an empty place"] += len({bet.place for bet in bets} | {banker}) < 4
    assert all(count > 20 for count in kinds.values()) and len(kinds) == 4


def test_the_bank_is_refused_kept_and_grown() -> None:
    people, answers = gamblers(), Counter[str]()
    for number in range(2000):
        people.new_round()
        place, least = number % 8 + 1, 1 if number % 2 else 70001
        waiting = [2, 5] if number % 3 == 0 else []
        offer = people.answers_offer(place, LEGAL, least, own=number % 2 == 0, waiting=waiting)
        if place not in people.present:
            assert offer == BankAnswer(absent=True)
            answers["absent"] += 1
        elif offer.capital is None:
            assert not offer.absent
            answers["refused"] += 1
        else:
            assert offer.capital >= least and offer.agreed == tuple(waiting) and offer.casino >= 0
            answers["agreed"] += bool(waiting)
            answers["casino"] += offer.casino > 0
            answers["added"] += least > 1 and offer.capital > least
            answers["as it must be"] += offer.capital == least
            answers["no round sum"] += bool(offer.capital % LEAST)
    assert all(count > 50 for count in answers.values()) and len(answers) == 7
    assert people.answers_offer(min(people.present), ("refuse", "absent"), 1, False, []).capital is None


def test_two_players_at_most_change_the_order_and_the_banker_last() -> None:
    people, moves = gamblers(), Counter[tuple[int, bool]]()
    for _ in range(500):
        moving = people.moves(8, banker=2)
        players = [place for place in moving if place != 2]
        assert len(players) == len(set(players)) <= MOST_MOVES and set(players) <= people.present
        assert 2 not in moving[:-1]
        moves[len(players), 2 in moving] += 1
    assert set(moves) == {(count, banker) for count in range(3) for banker in (True, False)}


def test_tiles_are_set_rightly_wrongly_and_in_a_players_own_way() -> None:
    people, chance, kinds = gamblers(), random.Random(4), Counter[str]()
    for _ in range(500):
        four = chance.sample(TILE_SET, 4)
        bets = people.sets(four)
        assert sorted(bets.tiles) == sorted(four)
        best = bets.value == ways(four)[0].value
        kinds["best" if best else "his own way" if is_right(bets) else "wrong"] += 1
    assert kinds["best"] > 350 and kinds["wrong"] > 25 and kinds["his own way"] > 0


def test_the_same_seed_does_the_same() -> None:
    first, second, other = (
        [[people.bets(8, 1), people.throw()] for _ in range(20)] for people in (gamblers(1), gamblers(1), gamblers(2))
    )
    assert first == second != other


def test_a_die_does_not_fall_flat_now_and_then() -> None:
    people = gamblers()
    throws = [people.throw() for _ in range(500)]
    assert all(len(dice) == 4 and set(dice) <= set(range(1, 7)) for dice, _ in throws)
    assert 10 < sum(badly for _, badly in throws) < 100

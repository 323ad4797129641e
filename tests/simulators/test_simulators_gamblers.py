"""The people of Taiwan-Pai Kao keep its rules of betting, and everything they may do occurs."""

import random
from collections import Counter

from controller.rulebook.taiwan_pai_kao.wagers import Wager, check_wager
from simulators.felt.gamblers import MOST_MOVES, Gamblers, Offer
from simulators.felt.players import Players
from simulators.felt.tiles import TILE_SET, is_right, ways

MINIMUM, MAXIMUM = 10000, 50000
LEGAL = ("take", "refuse", "absent")


def gamblers(seed: int = 9, seats: int = 8) -> Gamblers:
    names = Players(seed, seats, MINIMUM, MAXIMUM, [], 0.0).names
    assert len(set(names.values())) == seats
    return Gamblers(seed, names, MINIMUM, MAXIMUM)


def test_every_wager_is_within_the_rules_and_every_kind_occurs() -> None:
    people, kinds, banker = gamblers(), Counter[str](), 3
    for _ in range(500):
        people.new_round()
        laid: list[Wager] = []
        for bet in people.bets(4, banker):
            wager = Wager(bet.seat, bet.player, bet.amount)
            check_wager(wager, 4, banker, laid)
            assert MINIMUM <= bet.amount <= MAXIMUM and bet.player != people.names[banker]
            assert (bet.seat, bet.player) not in {(other.place, other.player) for other in laid}
            laid.append(wager)
        assert any(bet.place != banker for bet in laid)
        kinds["joins"] += any(bet.place == banker for bet in laid)
        kinds["several on a place"] += max(Counter(bet.place for bet in laid).values()) > 1
        kinds["several places"] += max(Counter(bet.player for bet in laid).values()) > 1
        kinds["an empty place"] += len({bet.place for bet in laid} | {banker}) < 4
    assert all(count > 20 for count in kinds.values()) and len(kinds) == 4


def test_the_bank_is_refused_kept_and_grown() -> None:
    people, answers = gamblers(), Counter[str]()
    for number in range(2000):
        people.new_round()
        place, least = number % 8 + 1, 1 if number % 2 else 70001
        waiting = [2, 5] if number % 3 == 0 else []
        offer = people.answers_offer(place, LEGAL, least, held=number % 2 == 0, waiting=waiting)
        if place not in people.present:
            assert offer == Offer(absent=True)
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
            answers["no round sum"] += bool(offer.capital % MINIMUM)
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
        laid = people.sets(four)
        assert sorted(laid.tiles) == sorted(four)
        best = laid.value == ways(four)[0].value
        kinds["best" if best else "his own way" if is_right(laid) else "wrong"] += 1
    assert kinds["best"] > 350 and kinds["wrong"] > 25 and kinds["his own way"] > 0


def test_the_same_seed_does_the_same() -> None:
    first, second, other = (
        [[people.bets(8, 1), people.throw()] for _ in range(20)] for people in (gamblers(1), gamblers(1), gamblers(2))
    )
    assert first == second != other


def test_a_die_lies_badly_now_and_then() -> None:
    people = gamblers()
    throws = [people.throw() for _ in range(500)]
    assert all(len(dice) == 4 and set(dice) <= set(range(1, 7)) for dice, _ in throws)
    assert 10 < sum(badly for _, badly in throws) < 100

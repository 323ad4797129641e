"""Random rounds of Taiwan-Pai Kao: money, the bank's limit, and what has no order."""

from random import Random
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.taiwan_pai_kao.articles import COMMISSION_OF_PLAYERS, KEYS_OF_RULES
from controller.rulebook.taiwan_pai_kao.limit import Result, settle_in_order, share_out
from controller.rulebook.taiwan_pai_kao.pairs import TileHand, arrange
from controller.rulebook.taiwan_pai_kao.settle import Bank, compare, settle_places
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement, WagerLine
from controller.rulebook.taiwan_pai_kao.tiles import SET, Tile
from controller.rulebook.taiwan_pai_kao.wagers import Wager

results: list[Result] = ["win", "lose", "push"]
stakes = st.one_of(st.integers(1, 60), st.integers(1, 3000))
in_turn = st.lists(st.tuples(stakes, st.sampled_from(results)), max_size=12)
limits = st.one_of(st.integers(1, 100), st.integers(1, 20000))


class Round(NamedTuple):
    bank: Bank
    dice: list[int]
    tiles: dict[int, tuple[Tile, ...]]
    wagers: list[Wager]
    rules: tuple[str, ...]

    @property
    def hands(self) -> dict[int, TileHand]:
        return {place: arrange(tiles) for place, tiles in self.tiles.items()}

    def settled(self) -> PaiKaoSettlement:
        return settle_places(self.bank, self.dice, self.hands, self.wagers, self.rules)


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round of 8 or 4 places, most of them with wagers, some of them with the banker."""
    places = draw(st.sampled_from([8, 4]))
    tiles = Random(draw(st.integers(0, 2**32))).sample(SET, 4 * places)
    bank = Bank(draw(st.integers(1, places)), draw(limits), draw(st.sampled_from([0, 0, 1, 500])))
    dice = draw(st.lists(st.integers(1, 6), min_size=4, max_size=4))
    wager = st.builds(Wager, st.integers(1, places), st.sampled_from(["Ana", "Rui", "Inês"]), stakes)
    wagers = draw(st.lists(wager, max_size=12))
    dealt = {place: tuple(tiles[4 * place - 4 : 4 * place]) for place in range(1, places + 1)}
    return Round(bank, dice, dealt, wagers, tuple(draw(st.sets(st.sampled_from(KEYS_OF_RULES)))))


def lines_of(answer: PaiKaoSettlement) -> list[WagerLine]:
    return [line for seat in answer.seats.values() if isinstance(seat.lines, list) for line in seat.lines]


def bank_net(answer: PaiKaoSettlement) -> int:
    """What the banker, the casino and those who joined won together."""
    casino, joiners = answer.bank.casino, answer.bank.joiners
    behind = sum(line.net for line in joiners) if isinstance(joiners, list) else 0
    return answer.bank.net + behind + (casino.net if casino else 0)


@given(rounds())
def test_pai_kao_art_8_no_money_is_made_or_lost(round_: Round) -> None:
    answer = round_.settled()
    every = lines_of(answer)
    assert sum(line.net + line.commission for line in every) + bank_net(answer) == 0
    assert sorted((line.player, line.stake) for line in every) == sorted(
        (wager.player, wager.amount) for wager in round_.wagers if wager.place != round_.bank.place
    )
    for seat in answer.seats.values():
        assert not isinstance(seat.lines, list) or seat.net == sum(line.net for line in seat.lines)


@given(rounds())
def test_pai_kao_art_5_c_no_one_behind_the_bank_wins_or_loses_more_than_is_there(round_: Round) -> None:
    answer = round_.settled()
    assert abs(answer.bank.net) <= round_.bank.capital
    if answer.bank.casino:
        assert abs(answer.bank.casino.net) <= round_.bank.casino
    joiners = answer.bank.joiners
    for line in joiners if isinstance(joiners, list) else []:
        assert abs(line.net) <= line.stake and line.article == "5.º e)"
        assert (line.outcome == "win", line.outcome == "lose") == (line.net > 0, line.net < 0)


@given(rounds())
def test_pai_kao_art_5_c_a_wager_is_settled_in_full_or_the_line_says_that_the_limit_cut_it(round_: Round) -> None:
    answer = round_.settled()
    cut = [line for line in lines_of(answer) if line.outcome != "push" and abs(moved(line)) < line.stake]
    assert answer.bank.limited is bool(cut)
    for line in lines_of(answer):
        assert line.article == ("5.º c)" if line in cut else "6.º c)")
        borne = line.outcome == "win" or COMMISSION_OF_PLAYERS not in round_.rules
        assert abs(moved(line)) <= line.stake and line.commission == borne * (abs(moved(line)) * 5 // 100)
        assert moved(line) * {"win": 1, "lose": -1, "push": 0, "void": 0}[line.outcome] >= 0


def moved(line: WagerLine) -> int:
    """What changed hands before commission, from the player's side."""
    return line.net + (line.commission if line.outcome == "win" else 0)


@given(rounds())
def test_pai_kao_art_6_c_every_place_has_the_outcome_of_its_own_hand_whatever_others_bet(round_: Round) -> None:
    answer, hands = round_.settled(), round_.hands
    for place, seat in answer.seats.items():
        if int(place) != round_.bank.place:
            assert seat.outcome == compare(hands[int(place)], hands[round_.bank.place])
    assert answer == round_._replace(dice=sorted(round_.dice)).settled()


@given(rounds())
def test_pai_kao_art_2_b_only_the_order_within_a_place_matters_in_which_wagers_were_placed(round_: Round) -> None:
    by_place = sorted(round_.wagers, key=lambda wager: -wager.place)
    assert round_._replace(wagers=by_place).settled() == round_.settled()


@given(rounds())
def test_pai_kao_art_5_c_with_capital_enough_no_order_matters(round_: Round) -> None:
    rich = round_._replace(bank=Bank(round_.bank.place, 10**9))
    answer, turned = rich.settled(), rich._replace(wagers=rich.wagers[::-1], dice=[1, 1, 1, 1]).settled()
    assert not answer.bank.limited and answer.bank.net == turned.bank.net
    assert {place: seat.net for place, seat in answer.seats.items()} == {
        place: seat.net for place, seat in turned.seats.items()
    }


@given(in_turn, limits)
def test_pai_kao_art_5_c_wager_by_wager_as_the_decision_says(wagers: list[tuple[int, Result]], limit: int) -> None:
    """Coin by coin: the bank takes the next while its gain before commission is below the limit, and pays the next
    while something is left of the limit and its gain after commission."""
    gain = paid_commission = 0
    expected = []
    for stake, result in wagers:
        coins = 0
        for _ in range(stake):
            if (result == "lose" and gain + coins < limit) or (
                result == "win" and limit + gain - paid_commission > coins
            ):
                coins += 1
            else:
                break
        gain += coins if result == "lose" else -coins
        paid_commission += coins // 20 if result == "lose" else 0
        expected.append((coins, coins // 20))
        assert -limit <= gain - paid_commission <= gain <= limit
    settled, net = settle_in_order(wagers, limit)
    assert [(wager.amount, wager.commission) for wager in settled] == expected
    assert net == gain - paid_commission


@given(in_turn, limits)
def test_pai_kao_art_5_c_by_the_other_reading_no_coin_moves_in_vain_and_none_is_kept_back_in_vain(
    wagers: list[tuple[int, Result]], limit: int
) -> None:
    """The net over the round keeps to the limit; one side alone is cut, from a wager on to the last of that side, and
    a coin more of that wager would pass the limit."""
    settled, net = settle_in_order(wagers, limit, ["limit_over_the_round"])
    moved = [(wager.amount, result) for wager, (_, result) in zip(settled, wagers, strict=True)]
    assert net == net_of(moved) and abs(net) <= limit
    full = net_of(wagers)
    side = "lose" if full > 0 else "win"
    here = [turn for turn, (_, result) in enumerate(wagers) if result == side]
    short = [turn for turn in range(len(wagers)) if wagers[turn][1] != "push" and moved[turn][0] < wagers[turn][0]]
    assert short == (here[here.index(short[0]) :] if short else []) and bool(short) is (abs(full) > limit)
    if short:
        assert [moved[turn][0] for turn in short[1:]] == [0] * len(short[1:])
        more = [(amount + (turn == short[0]), result) for turn, (amount, result) in enumerate(moved)]
        assert abs(net) == limit < abs(net_of(more))


def net_of(wagers: list[tuple[int, Result]]) -> int:
    """What these wagers, all settled in full, bring to the bank after commission."""
    return sum(stake - stake * 5 // 100 if result == "lose" else -stake for stake, result in wagers if result != "push")


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6), st.data())
def test_pai_kao_art_5_e_shares_sum_to_the_result_and_no_one_is_reached_before_the_one_ahead_is_full(
    parts: list[int], data: st.DataObject
) -> None:
    net = data.draw(st.integers(-sum(parts), sum(parts)))
    shares = share_out(net, parts)
    assert sum(shares) == net and len(shares) == len(parts)
    for place, share in enumerate(shares):
        assert abs(share) <= parts[place] and share * net >= 0
        if share:
            assert [abs(ahead) for ahead in shares[:place]] == parts[:place]

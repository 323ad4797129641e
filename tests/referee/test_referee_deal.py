"""How cards and chips reach the table, and what breaks a round: articles 4.º, 10.º, 11.º and 17.º."""

from pathlib import Path

import pytest
from referee_film import Film, Message, line, seat, settled, void

BANK = ("Kd 9c 4h", "high_card", True)
HANDS = {2: "8c 5d 2s", 4: "Tc 6d 3s"}
BETS = {2: {"ante": 10000}, 4: {"ante": 10000}}
WITH_CHIP = {"2": {"ante": 10000, "jackpot": 500}, "4": {"ante": 10000}}
COMMUNITY = "2c Jd"


def lost(cards: str, chip: bool) -> Message:
    """A seat that played and lost against the bank."""
    lines = [line(wager, 10000, "lose", None, -10000, "13.º 3)") for wager in ("ante", "play")]
    if chip:
        lines.append(line("jackpot", 500, "lose", None, -500, "15.º 1", None))
    return seat(cards, "high_card", "play", -20500 if chip else -20000, *lines)


def finish(film: Film, hands: dict[int, str] = HANDS, community: str = "") -> None:
    """Play a dealt round to its end; everyone doubles and loses."""
    film.decide(**{f"seat_{at}": "play" for at in hands})
    film.turn(bank=BANK[0], **{f"seat_{at}": cards for at, cards in hands.items()})
    if community:
        film.turn(community=community)
    film.end()


def all_lost(number: int, pot: int | None, chips: tuple[int, ...] = ()) -> Message:
    """The message of such a round; `pot` None where the table has no jackpot."""
    wagers = {str(at): BETS[at] | ({"jackpot": 500} if at in chips else {}) for at in BETS}
    seats = {str(at): lost(HANDS[at], at in chips) for at in HANDS}
    community = COMMUNITY if chips else None
    return settled(number, wagers, BANK, seats, community, None if pot is None else (pot, pot))


def test_art_11_1_from_a_shoe_one_card_at_a_time(tmp_path: Path) -> None:
    film = Film(tmp_path, source="shoe", additional=())
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []


def test_art_11_1_three_at_a_time_from_a_shoe_is_a_broken_deal(tmp_path: Path) -> None:
    film = Film(tmp_path, source="shoe", additional=())
    film.begin(BETS)
    film.source = "shuffler"
    film.deal(HANDS, BANK[0])
    finish(film)
    assert "round 1, outcome: expected 'void', got 'settled'" in film.judge(all_lost(1, None)).differences


@pytest.mark.parametrize("packets", [(3,), (2, 3)])
def test_art_11_3_and_4_the_community_cards_come_last(tmp_path: Path, packets: tuple[int, ...]) -> None:
    film = Film(tmp_path, packets=packets)
    film.begin(BETS, chips=(2,))
    film.deal(HANDS, BANK[0], COMMUNITY)
    finish(film, community=COMMUNITY)
    report = film.judge(all_lost(1, 60000350, (2,)))
    assert report.differences == []
    assert report.notes == []


def test_art_11_4_a_discard_out_of_turn_is_noted_and_breaks_nothing(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.begin(BETS, chips=(2,))
    film.packets = (2, 3)
    film.deal(HANDS, BANK[0], COMMUNITY)
    film.card("discard", "2h")
    finish(film, community=COMMUNITY)
    report = film.judge(all_lost(1, 60000350, (2,)))
    assert report.differences == []
    assert len(report.notes) == 2
    assert all("11.º 4" in note for note in report.notes)


def broken_deal(film: Film) -> None:
    """Seat 4 is served before seat 2, and the round ends there."""
    film.card("seat 4", HANDS[4])
    film.end()


def test_art_17_1_1_and_17_3_a_broken_deal_carries_the_chip_which_contributes_once(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.begin(BETS, chips=(2,))
    broken_deal(film)
    film.begin(BETS)
    film.deal(HANDS, BANK[0], COMMUNITY)
    finish(film, community=COMMUNITY)
    first = void(1, WITH_CHIP, "17.º 1 1)", (60000350, 60000350), carried=True)
    report = film.judge(first, all_lost(2, 60000350, (2,)))
    assert report.differences == []
    assert (report.settled, report.void) == (1, 1)
    assert report.contributions == 400
    twice = film.judge(first, all_lost(2, 60000700, (2,)))
    assert "round 2, jackpot, pot_before: expected 60000350, got 60000700" in twice.differences
    not_carried = void(1, WITH_CHIP, "17.º 1 1)", (60000350, 60000350), carried=False)
    assert film.judge(not_carried, all_lost(2, 60000350, (2,))).differences == [
        "round 1, seat 2, line jackpot, carried: expected True, got False"
    ]


def test_art_4_3_a_carried_chip_without_a_basic_bet_goes_back_with_its_contribution(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.begin(BETS, chips=(2,))
    broken_deal(film)
    film.begin({4: BETS[4]})
    film.deal({4: HANDS[4]}, BANK[0])
    finish(film, {4: HANDS[4]})
    first = void(1, WITH_CHIP, "17.º 1 1)", (60000350, 60000350), carried=True)
    second = settled(2, {"4": BETS[4]}, BANK, {"4": lost(HANDS[4], False)}, None, (60000000, 60000000))
    report = film.judge(first, second)
    assert report.differences == []
    assert [report.pot, report.reserve, report.returned] == [60000000, 0, 400]


def test_art_17_1_2_an_exposed_bank_card_gives_the_chip_back(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.begin(BETS, chips=(2,))
    film.deal(HANDS, "")
    film.card("bank", "Kd", "up")
    film.end()
    right = void(1, WITH_CHIP, "17.º 1 2)", (60000350, 60000000), carried=False)
    assert film.judge(right).differences == []
    kept = void(1, WITH_CHIP, "17.º 1 2)", (60000350, 60000350), carried=False)
    assert film.judge(kept).differences == ["round 1, jackpot, pot_after: expected 60000000, got 60000350"]


def test_art_17_1_3_two_exposed_player_cards_void_the_round_and_one_does_not(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.card("seat 2", "8c", "up")
    film.card("seat 2", "5d 2s")
    film.card("seat 4", HANDS[4])
    film.card("bank", BANK[0])
    finish(film)
    film.begin(BETS)
    film.card("seat 2", "8c", "up")
    film.card("seat 2", "5d 2s")
    film.card("seat 4", "Tc", "up")
    film.end()
    wagers = {"2": BETS[2], "4": BETS[4]}
    second = void(2, wagers, "17.º 1 3)", None, carried=False)
    assert film.judge(all_lost(1, None), second).differences == []
    second["seats"]["2"]["cards"] = "8c"
    assert film.judge(all_lost(1, None), second).differences == []
    second["seats"]["2"]["cards"] = "8c 5d 2s"
    assert film.judge(all_lost(1, None), second).differences == [
        "round 2, void, cards: expected 'no card that was not shown', got '5d 2s'"
    ]


def test_art_17_4_2_and_5_cards_to_a_seat_without_a_bet_are_null(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.card("seat 2", HANDS[2])
    film.card("seat 3", "As Ad", "up")
    film.card("seat 3", "Ah")
    film.card("seat 4", HANDS[4])
    film.card("bank", BANK[0])
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []


def test_art_17_1_1_a_fourth_card_is_a_broken_deal(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    film.card("seat 4", "Ah")
    film.end()
    right = void(1, {"2": BETS[2], "4": BETS[4]}, "17.º 1 1)", None, carried=False)
    assert film.judge(right).differences == []


def test_art_17_2_and_3_a_shuffler_that_fails_twice_gives_way_to_a_shoe(tmp_path: Path) -> None:
    film = Film(tmp_path)
    messages = []
    for number in (1, 2):
        film.begin(BETS, chips=(2,) if number == 1 else ())
        film.card("seat 2", HANDS[2])
        film.see("fault", device="shuffler", kind="jam")
        film.end()
        messages.append(void(number, WITH_CHIP, "17.º 2", (60000350, 60000350), carried=True))
    film.begin(BETS)
    film.source = "shoe"
    film.deal(HANDS, BANK[0], COMMUNITY)
    finish(film, community=COMMUNITY)
    messages.append(all_lost(3, 60000350, (2,)))
    assert film.judge(*messages).differences == []


def test_a_jam_after_the_deal_breaks_nothing(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    film.see("fault", device="shuffler", kind="jam")
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []


def test_art_4_3_a_chip_without_a_basic_bet_and_art_10_3_a_late_chip_never_reach_the_meter(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.begin(BETS, chips=(3,))
    film.see("chip", seat=4)
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(1, 60000000)).differences == []
    film.lines.insert(1, {"round": 1, "event": "wager", "seat": 3, "wager": "six_card_bonus", "amount": 1000})
    assert film.judge(all_lost(1, 60000000)).differences == []


def test_art_10_1_a_bet_beyond_the_limits_does_not_stand(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS | {5: {"ante": 999}, 6: {"pair_plus": 1000001}})
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []


def test_a_press_nobody_heard_closes_nothing(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin({2: BETS[2]})
    film.see("wager", seat=4, player="p4", wager="ante", amount=10000)
    film.see("lock_in")
    film.see("lamp", lamp="lock", on=True)
    film.see("wager", seat=5, player="p5", wager="ante", amount=10000)
    film.see("lock_in")
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []


def test_a_void_round_without_a_reason_on_camera_is_told(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    finish(film)
    wagers = {"2": BETS[2], "4": BETS[4]}
    said = film.judge(void(1, wagers, "17.º 1 2)", None, carried=False)).differences
    assert "round 1, outcome: expected 'settled', got 'void'" in said


def test_a_void_round_after_a_fault_of_the_cards_is_noted(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    film.see("fault", device="shuffler", kind="misread")
    film.end()
    report = film.judge(void(1, {"2": BETS[2], "4": BETS[4]}, "policy: unread card", None, carried=False))
    assert report.differences == []
    assert report.notes == ["round 1: void after a fault, by policy: unread card"]


def test_a_deal_that_stops_without_a_reason_is_told(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.card("seat 2", HANDS[2])
    film.end()
    said = film.judge(void(1, {"2": BETS[2], "4": BETS[4]}, "17.º 2", None, carried=False)).differences
    assert said == ["round 1: the camera saw no complete deal and no reason why"]


@pytest.mark.parametrize("trouble", [True, False])
def test_chips_may_go_uncounted_only_while_the_slots_are_in_trouble(tmp_path: Path, trouble: bool) -> None:
    film = Film(tmp_path)
    film.begin(BETS, chips=(2,))
    if trouble:
        film.see("fault", device="slots", kind="unplug")
    film.deal(HANDS, BANK[0])
    finish(film)
    report = film.judge(all_lost(1, 60000000))
    assert (report.differences == []) is trouble
    assert report.notes == (["round 1: chips not counted while the slots were in trouble: 2"] if trouble else [])


def test_art_10_1_a_bet_of_exactly_the_limit_stands(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin({2: {"ante": 1000000}})
    film.deal({2: HANDS[2]}, BANK[0])
    finish(film, {2: HANDS[2]})
    lines = [line(wager, 1000000, "lose", None, -1000000, "13.º 3)") for wager in ("ante", "play")]
    right = settled(
        1, {"2": {"ante": 1000000}}, BANK, {"2": seat(HANDS[2], "high_card", "play", -2000000, *lines)}, None, None
    )
    assert film.judge(right).differences == []


@pytest.mark.parametrize(
    ("told", "article"),
    [
        ([("bank card exposed", None)], "17.º 1 2)"),
        ([("card exposed", 2), ("card exposed", 4)], "17.º 1 3)"),
        ([("card exposed", 2)], None),
        ([("bet pushed over", 2), ("bet pushed over", 4)], None),
    ],
)
def test_art_17_1_cards_seen_after_they_lay(
    tmp_path: Path, told: list[tuple[str, int | None]], article: str | None
) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.card("seat 2", HANDS[2])
    film.card("seat 4", HANDS[4])
    for kind, at in told:
        film.see("irregularity", kind=kind, seat=at)
    if article:
        film.end()
        right = void(1, {"2": BETS[2], "4": BETS[4]}, article, None, carried=False)
        assert film.judge(right).differences == []
        right["seats"]["2"]["decision"] = "fold"
        assert film.judge(right).differences == ["round 1, seat 2, decision: expected None, got 'fold'"]
    else:
        film.card("bank", BANK[0])
        finish(film)
        assert film.judge(all_lost(1, None)).differences == []


@pytest.mark.parametrize(("device", "kind"), [("shuffler", "babble"), ("sign", "jam"), ("shoe", "jam")])
def test_art_17_2_only_a_shuffler_that_stops_voids_the_round(tmp_path: Path, device: str, kind: str) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.card("seat 2", HANDS[2])
    film.see("fault", device=device, kind=kind)
    film.card("seat 4", HANDS[4])
    film.card("bank", BANK[0])
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []


def test_a_round_missing_from_the_film_is_told(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.number = 1
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(2, None)).differences == ["camera: expected rounds 1 to 1, got [2]"]

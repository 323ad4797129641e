"""Jackpot chips that are carried, handed back, late, doubtful or unreported: articles 4.º 3, 10.º 3) and 17.º 3."""

from pathlib import Path

import pytest

from tests.referee.films.plain import BANK, BETS, COMMUNITY, HANDS, all_lost, finish, lost, voided
from tests.referee.films.poker import Film, settled
from tests.referee.films.written import Message, pots

POT = 60000000


def broken_deal(film: Film) -> None:
    """Seat 4 is served before seat 2."""
    film.card("seat 4", HANDS[4])
    film.wrong("order")


def played(film: Film, chips: bool) -> None:
    """A round dealt and played to its end."""
    film.deal(HANDS, BANK[0], COMMUNITY if chips else "")
    finish(film, community=COMMUNITY if chips else "")


def carried_over(folder: Path) -> tuple[Film, Message]:
    """The chip of seat 2 comes over from a void round."""
    film = Film(folder)
    film.begin(BETS, chips=(2,))
    broken_deal(film)
    film.end()
    return film, voided("17.º 1 1)", (2,), (POT + 350, POT + 350))


def test_art_4_3_a_carried_chip_without_a_basic_bet_goes_back_with_its_contribution(tmp_path: Path) -> None:
    film, first = carried_over(tmp_path)
    film.begin({4: BETS[4]})
    film.back(2)
    film.deal({4: HANDS[4]}, BANK[0])
    finish(film, {4: HANDS[4]})
    second = settled(2, {4: BETS[4]}, BANK, {4: lost(HANDS[4], False)}, None, (POT, POT))
    report = film.judge(first, second)
    assert report.differences == []
    assert [report.pot, report.reserve, report.returned] == [POT, 0, 400]
    kept = second | {"jackpot": pots(POT + 350, POT + 350)}
    assert film.judge(first, kept).differences
    film.lines = [seen for seen in film.lines if seen["event"] != "chip_back"]
    assert film.judge(first, second).differences == [
        "round 2, seat 2, chips handed back on the table: expected 1, got 0"
    ]


@pytest.mark.parametrize("handed_back", [True, False])
def test_carried_chips_go_back_when_the_table_closes(tmp_path: Path, handed_back: bool) -> None:
    film, first = carried_over(tmp_path)
    film.see("table_closed")
    if handed_back:
        film.back(2)
    report = film.judge(first)
    assert (report.differences == []) is handed_back
    assert [report.pot, report.returned, len(report.carried)] == [POT, 400, 0]
    film.begin(BETS)
    played(film, False)
    assert (film.judge(first, all_lost(2, POT)).differences == []) is handed_back


@pytest.mark.parametrize("article", ["17.º 1 1)", "policy: supervisor's void"])
def test_a_round_void_before_betting_closed(tmp_path: Path, article: str) -> None:
    film, first = carried_over(tmp_path)
    film.open(BETS)
    carried = article == "17.º 1 1)"
    film.wrong("number" if carried else "supervisor_void")
    film.back(*(() if carried else (2,)))
    film.end()
    after = POT + 350 if carried else POT
    report = film.judge(first, voided(article, (), (POT + 350, after), number=2))
    assert report.differences == []
    assert report.carried == ({2} if carried else set())


def test_a_chip_taken_out_again_never_counts(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.open(BETS, chips=(2, 4, 4))
    film.wrong("in_and_out", seat=2)
    film.wrong("in_and_out", seat=4)
    film.see("lock_in")
    played(film, True)
    assert film.judge(all_lost(1, POT + 350, (4,))).differences == []
    assert film.judge(all_lost(1, POT + 700, (2, 4))).differences
    assert film.judge(all_lost(1, POT + 350, (2,))).differences


def counted(film: Film, before: int = POT) -> dict[tuple[int, ...], list[str]]:
    """What the referee notes, by the seats it accepts, of chips at seats 2 and 4 that the station counts or not."""
    accepted = {}
    dealt = list(film.lines)
    for chips in [(), (2,), (4,), (2, 4)]:
        film.lines = list(dealt)
        played(film, bool(chips))
        report = film.judge(all_lost(1, before + 350 * len(chips), chips))
        if not report.differences:
            accepted[chips] = report.notes
    return accepted


@pytest.mark.parametrize("kind", ["stuck", "storm"])
@pytest.mark.parametrize("device", ["slots", "sign"])
def test_a_sensor_at_fault_costs_its_seat_the_chip(tmp_path: Path, kind: str, device: str) -> None:
    film = Film(tmp_path)
    film.open(BETS)
    film.fault(device, kind, value=2)
    for at in (2, 4):
        film.see("chip", seat=at)
    film.see("lock_in")
    assert counted(film) == {(4,) if device == "slots" else (2, 4): []}


@pytest.mark.parametrize(
    ("kind", "begins", "ends", "seats"),
    [
        ("stuck", "before the chip", "before the chip", {(2, 4)}),
        ("stuck", "before the chip", "before the lock", {(4,), (2, 4)}),
        ("stuck", "before the chip", "before the lamp", {(4,), (2, 4)}),
        ("stuck", "before the chip", "never", {(4,)}),
        ("stuck", "before the lock", "never", {(2, 4)}),
        ("storm", "before the bets", "before the bets", {(4,), (2, 4)}),
        ("storm", "before the bets", "before the chip", {(4,)}),
        ("storm", "before the lock", "never", {(4,)}),
        ("storm", "before the lamp", "never", {(4,), (2, 4)}),
        ("storm", "before the cards", "never", {(2, 4)}),
        ("bounce", "before the bets", "never", {(4,), (2, 4)}),
        ("bounce", "before the bets", "before the chip", {(4,), (2, 4)}),
        ("bounce", "before the chip", "never", {(4,)}),
        ("bounce", "before the chip", "before the lock", {(4,)}),
        ("passing", "before the chip", "never", {(4,), (2, 4)}),
        ("watchdog", "before the lock", "never", {(2, 4)}),
    ],
)
def test_when_a_sensors_fault_begins_and_ends(
    tmp_path: Path, kind: str, begins: str, ends: str, seats: set[tuple[int, ...]]
) -> None:
    film = Film(tmp_path)
    film.number = 1
    film.see("round_begin", source="shuffler")

    def now(when: str) -> None:
        if begins == when:
            film.fault("slots", kind, value="2")
        if ends == when:
            film.fault("slots", kind, on=False, value="2")

    now("before the bets")
    for at in BETS:
        film.see("wager", seat=at, player=f"p{at}", wager="ante", amount=10000)
    now("before the chip")
    film.see("chip", seat=2)
    film.see("chip", seat=4)
    now("before the lock")
    film.see("lock_in")
    now("before the lamp")
    film.see("lamp", lamp="lock", on=True)
    now("before the cards")
    accepted = counted(film)
    assert set(accepted) == seats
    assert all(len(notes) == (len(seats) > 1) for notes in accepted.values())


def test_while_simulators_were_stopped_all_new_chips_count_or_none(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.open(BETS, chips=(2, 4))
    film.see("stalled", seconds=2.9, t=16.0)
    film.see("lock_in")
    assert counted(film).keys() == {(), (2, 4)}


@pytest.mark.parametrize(("reasonable", "seats"), [(3, {(2, 4)}), (2, {(), (2, 4)}), (1, {()})])
def test_more_chips_than_are_reasonable_count_for_nothing(
    tmp_path: Path, reasonable: int, seats: set[tuple[int, ...]]
) -> None:
    film = Film(tmp_path, unreasonable=reasonable)
    film.begin(BETS, chips=(2, 4, 6))
    assert counted(film).keys() == seats


def test_the_end_of_a_fault_is_that_of_its_own_seat(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.open(BETS)
    film.fault("slots", "stuck", value="4")
    film.fault("slots", "stuck", value="2")
    film.fault("slots", "stuck", on=False, value="4")
    for at in (2, 4):
        film.see("chip", seat=at)
    film.see("lock_in")
    assert counted(film) == {(4,): []}

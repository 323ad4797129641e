"""A plain round for the referee's own tests: two seats, both double and lose against the bank."""

from pathlib import Path

from tests.referee.films.poker import Film, line, seat, settled, void
from tests.referee.films.written import Message

BANK = ("Kd 9c 4h", "high_card", True)
HANDS = {2: "8c 5d 2s", 4: "Tc 6d 3s"}
BETS = {2: {"ante": 10000}, 4: {"ante": 10000}}
COMMUNITY = "2c Jd"


def lost(cards: str, chip: bool) -> Message:
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
    wagers = {at: BETS[at] | ({"jackpot": 500} if at in chips else {}) for at in BETS}
    seats = {at: lost(HANDS[at], at in chips) for at in HANDS}
    community = COMMUNITY if chips else None
    return settled(number, wagers, BANK, seats, community, None if pot is None else (pot, pot))


def voided(article: str, chips: tuple[int, ...] = (), pots: tuple[int, int] | None = None, number: int = 1) -> Message:
    """The message of such a round if it is void; chips continue where the article says so (17.º 3)."""
    wagers = {at: BETS[at] | ({"jackpot": 500} if at in chips else {}) for at in BETS}
    return void(number, wagers, article, pots, carried=article in ("17.º 1 1)", "17.º 2"))


def exposed(place: str, article: str, count: int = 1) -> Message:
    return {"kind": "exposed", "to": place, "count": count, "article": article}


def plain(folder: Path, source: str = "shuffler") -> Film:
    """A table without a jackpot, betting closed."""
    film = Film(folder, source=source, additional=())
    film.begin(BETS)
    film.see("lamp", lamp="lock", on=True)
    return film


def published(
    message: Message, *irregularities: Message, corrections: tuple[Message, ...] = (), source: str = "shuffler"
) -> Message:
    """The message with these irregularities and corrections, and this source."""
    return message | {"irregularities": list(irregularities), "corrections": list(corrections), "source": source}


def only(film: Film, right: Message) -> None:
    """The camera allows this message, and no other article and no settlement in its place."""
    assert film.judge(right).differences == []
    others = {"17.º 1 1)", "17.º 1 2)", "17.º 1 3)", "17.º 2", "policy: complete deck", "policy: every card reported"}
    for other in (others | {"policy: supervisor's void"}) - {right["void"] and right["void"]["article"]}:
        assert film.judge(right | voided(other) | {"source": right["source"]}).differences, other
    if right["void"]:
        assert film.judge(all_lost(1, None) | {"source": right["source"]}).differences

"""Three hundred rounds of each game in which every third goes wrong, with what the law has beside the play.

Complaints, spread shoes, chips of backers marked by hand, voids after open results and authorised bets come by chance,
by faults that are wished for, and by the configuration; all of it is compared with the referee.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from simulators.broker import free_port
from simulators.station_toml import TOML
from tests.configured import AUTHORISED_BETS, table_toml
from tests.station.floor_ear import FloorEar, Published, check_envelopes, events, round_messages
from tests.station.processes import Bench, Daemon, Mosquitto, ended_at_last
from tests.station.simulated import decided_again, judged

ROUNDS, RATE, SEED = 300, "0.3", "20261122"
SECONDS = 1200
SEEN_BY_SUPERVISOR = "seen by the supervisor"  # what the robot's says of a round whose result is open


def wished(fault: str, *rounds: int) -> tuple[str, ...]:
    """The same in each of these rounds."""
    return tuple(word for number in rounds for word in ("--fault", f"{fault}@round={number}"))


COMPLAINTS = wished("dealer:complaint", 20, 90, 170, 260)
NO_BETS = (*wished("dealer:no_bets=spread", 30, 31, 120, 230), *wished("dealer:no_bets=kept", 60, 150))


# At black-jack a result is open with the first second card: of so many seats some have it at the fifth card dealt.
MISDEALS = tuple(
    word for at in range(12) for word in ("--fault", f"dealer:order@round={40 + 20 * at},card={5 + at % 5}")
)


@pytest.mark.parametrize(
    ("game", "table", "options", "expected"),
    [
        ("fortune-3-card-poker-2025", {"source": "shuffler"}, (), {"complaints": 4}),
        ("fortune-3-card-poker-2025", {"source": "shoe"}, (), {"complaints": 4}),
        ("fortune-3-card-poker-2008", {"source": "shoe"}, (), {"complaints": 4}),
        ("fortune-8", {"source": "shoe"}, (), {"complaints": 4, "added bets": 100}),
        ("blackjack-21", {"source": "shuffler"}, MISDEALS, {"complaints": 4, "voids of open results": 1}),
        ("blackjack-21", {"source": "shoe"}, NO_BETS, {"complaints": 4, "spread shoes": 4, "without play": 6}),
        (
            "blackjack-21",
            {"source": "shoe", "marking": "manual", "decks": 4},
            (*NO_BETS, *MISDEALS),
            {"complaints": 4, "spread shoes": 4, "markers of backers": 50, "voids of open results": 1},
        ),
        ("taiwan-pai-kao", {"source": "shoe"}, (), {"complaints": 4}),
    ],
    ids=[
        *("2025 shuffler", "2025 shoe", "2008 shoe", "fortune-8 shoe"),
        *("blackjack shuffler", "blackjack shoe", "blackjack shoe manual", "pai-kao reader"),
    ],
)
def test_three_hundred_rounds_with_all_that_the_law_has_beside_the_play_equal_the_referees(
    tmp_path: Path,
    game: str,
    table: dict[str, str | int],
    options: tuple[str, ...],
    expected: dict[str, int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    published = played(tmp_path, game, table, *COMPLAINTS, *options)
    messages = round_messages(published)
    report = judged(tmp_path / TOML, tmp_path / "camera.jsonl", messages)
    assert report.rounds == ROUNDS
    decided_again(tmp_path / "state" / "journal.db")
    check_envelopes(published)
    film = [json.loads(line) for line in (tmp_path / "camera.jsonl").read_text(encoding="utf-8").splitlines()]
    found = Counter[str]()
    found["complaints"] = len(events(published, "complaint_opened"))
    assert found["complaints"] == len(events(published, "complaint_decided"))
    found["without play"] = report.idle
    found["spread shoes"] = sum(line["event"] == "no_bets" and line["spread"] for line in film)
    found["markers of backers"] = sum(line["event"] == "marker" and "player" in line for line in film)
    found["voids of open results"] = sum(
        SEEN_BY_SUPERVISOR in (message.get("void") or {}).get("reason", "") for message in messages
    )
    lines_of = [[line for seat in message["seats"] for line in seat["lines"]] for message in messages]
    found["voids beside which something remains"] = sum(
        len({line["outcome"] == "void" for line in lines}) == 2 for lines in lines_of
    )
    added = {bet["name"] for message in messages for bet in message["added_bets"]}
    found["added bets"] = sum(line["wager"] in added for lines in lines_of for line in lines)
    with capsys.disabled():
        summary = ", ".join(f"{count} {what}" for what, count in found.items() if count)
        print(f"\n{game} {table}: {report.rounds} rounds, {report.settled} settled, {report.void} void, {summary}")
    assert not {what: found[what] for what, least in expected.items() if found[what] < least}


def played(directory: Path, game: str, table: dict[str, str | int], *options: str) -> list[Published]:
    """What the floor was notified of a table that was set so, with faults by chance; added bets where
    the game has any."""
    broker = Mosquitto(directory / "broker")
    address = ("127.0.0.1", free_port())
    text = table_toml(game=game, broker=broker.url, listen=f"{address[0]}:{address[1]}", **table)
    (directory / TOML).write_text(text + (AUTHORISED_BETS if game == "fortune-8" else ""), encoding="utf-8")
    (directory / "state").mkdir()
    with ended_at_last(broker):
        broker.start()
        asked = ("--keep", "--rounds", str(ROUNDS), "--speed", "max", "--seed", SEED, "--faults", RATE)
        bench = Bench(directory, *asked, "--broker", broker.url, *options)
        daemon = Daemon(bench.config, address)
        with ended_at_last(daemon, bench):
            bench.wait_ready()
            with FloorEar(broker.port) as ear:
                daemon.start()
                bench.wait_finished(SECONDS)
                ear.wait_sequence(daemon.wait_answering()["as_of"], 30)
                ear.catch_up()
                daemon.terminate()
                return ear.messages

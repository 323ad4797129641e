"""Makes the recordings of this folder again from the simulated table: `python -m tests.recordings.make [NAME…]`.

Each is played three times before it takes the place of the old one: what a run cannot repeat is no test.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from controller.command_line.argument import Parser, nearest
from tests.recordings.playing import by_topic, messages, pack, replay, write_expected
from tests.station.simulated import simulate

EXPECTED = "expected.jsonl"
PLAYS = 3
SIMULATION_SECONDS = 120.0

SECOND_MAKES = ("--slots", "numato", "--sign", "betabrite")
# Name: rounds, and what `dealer-station simulate` is reported besides.
SCENES: dict[str, tuple[int, tuple[str, ...]]] = {
    "shuffler_jackpot_chips": (2, ("--seed", "7")),
    "shoe_unreadable_card": (2, ("--seed", "8", "--source", "shoe", "--fault", "shoe:unreadable@round=1,card=4")),
    "noise_lost_doubled": (
        3,
        (
            *("--seed", "9", "--fault", "shuffler:babble@round=1,phase=wagers"),
            *("--fault", "shuffler:doubled=2@round=2,card=1", "--fault", "shuffler:lost@round=3,card=2"),
            *("--fault", "shuffler:corrupt@round=3,card=3"),
        ),
    ),
    "shoe_lost_report": (2, ("--seed", "11", "--source", "shoe", "--fault", "shoe:lost=3@round=1,card=5")),
    "slots_and_sign_unplugged": (
        2,
        ("--seed", "12", "--fault", "slots:unplug@round=1", "--fault", "sign:unplug@round=2"),
    ),
    "numato_and_betabrite_unplugged": (
        3,
        (*("--seed", "14", *SECOND_MAKES), "--fault", "sign:unplug@round=1", "--fault", "slots:unplug@round=2"),
    ),
    "numato_spoilt_betabrite_nak": (
        3,
        (
            *("--seed", "15", *SECOND_MAKES, "--fault", "slots:babble@round=1,phase=decisions"),
            *("--fault", "slots:passing=2@round=2", "--fault", "slots:corrupt@round=3", "--fault", "sign:nak@round=2"),
        ),
    ),
    "shuffler_restarted_in_the_deal": (3, ("--seed", "13", "--fault", "shuffler:restart@round=2,card=3")),
    "shuffler_unplugged": (2, ("--seed", "10", "--fault", "shuffler:unplug@round=1,card=3")),
}


def make(name: str) -> None:
    """Simulate, record, play, and keep."""
    rounds, options = SCENES[name]
    with tempfile.TemporaryDirectory(prefix="recording-") as folder:
        base = Path(folder)
        (base / "table").mkdir()
        record = base / "recording"
        played = simulate(
            base / "table", rounds, "--record", str(record), *options, speed="max", seconds=SIMULATION_SECONDS
        )
        expected = messages(played.messages)
        for number in range(PLAYS):
            (base / f"play-{number}").mkdir()
            replayed = replay(record, base / f"play-{number}")
            if replayed.exit_code != 0:
                raise SystemExit(f"{name}: cannot be played: {replayed.complaint}")
            wanted, published = by_topic(expected), by_topic(replayed.published)
            if wanted != published:
                other = sorted(topic for topic in {*wanted, *published} if wanted.get(topic) != published.get(topic))
                raise SystemExit(f"{name}: publishes other {', '.join(other)} when it is played")
        write_expected(record / EXPECTED, expected)
        kept = pack(record, name)
    print(f"{name}: {len(expected)} messages, {kept // 1024} kB", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make those that are named, or all."""
    parser = Parser(prog="python -m tests.recordings.make", description="Makes recordings of wires again.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SCENES))
    names = parser.parse_args(arguments).names
    if unknown := next((name for name in names if name not in SCENES), None):
        parser.error(f"{unknown} is no recording{nearest(unknown, SCENES)}")
    for name in names or SCENES:
        make(name)


if __name__ == "__main__":
    main()

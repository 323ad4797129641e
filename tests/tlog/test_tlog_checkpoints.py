"""A station's checkpoints before a witness, the two put together without a broker."""

import shutil
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.config.checkpoint import read_signer
from controller.engine.shown.prompts import alarm_words
from controller.engine.state.events import DeviceReported
from controller.floor.messages import Identity, cosignature
from controller.floor.shapes import SCHEMA, Cosignature
from controller.journal.records import JournalEntry
from controller.journal.store import Journal
from controller.runtime.bus import Bus, StationAlarm
from controller.runtime.checkpoints import Checkpoints
from controller.telemetry.metrics import Metrics
from controller.tlog.notes import BadKey, Checkpoint, Note, Signer
from controller.tlog.witness import Witness, WitnessVerdict
from tests.journal.keeping import batch, contents, open_journal
from tests.tlog import naive_tree

TABLE = "dealer/macau-1/1"
STATION, COSIGNER = Signer(TABLE, bytes(32)), Signer("witness.example/w1", bytes([1]) * 32)
WITHIN, AT = 900.0, 1_700_000_000


class Station:
    """A journal with its checkpoints, and the alarms that were raised."""

    def __init__(self, path: Path) -> None:
        self.journal = open_journal(path)
        identity = Identity("macau-1", "1", self.journal.name, "live", "MOP", 2)
        self.alarms: list[str] = []
        self.metrics = Metrics()
        bus = Bus()
        bus.subscribe(StationAlarm, self._take)
        self.checkpoints = Checkpoints(
            self.journal, identity, STATION, [COSIGNER.coverifier], WITHIN, bus, self.metrics
        )

    def _take(self, raised: StationAlarm) -> None:
        assert raised.alarm.name == "witness" and raised.once
        text = alarm_words(raised.alarm.code, raised.alarm.values)["en"]
        self.alarms.append(f"{text} {raised.alarm.details}".rstrip())

    def happens(self, *what: str) -> "Station":
        happened = [DeviceReported(device="slots", what="noise", details=text) for text in what]
        self.journal.commit(batch([JournalEntry(event=event) for event in happened]))
        return self

    def shows(self, witness: Witness, now: float = 0.0) -> WitnessVerdict:
        """What the witness does with what is on the topic."""
        published = self.checkpoints.published
        assert published is not None
        addition = next((added.text for added in published.additions if added.witness == witness.name), None)
        return witness.judge(TABLE, published.note, addition, AT, now)

    def receives(self, witness: Witness, now: float = 0.0) -> bool:
        seen = witness.seen[TABLE]
        return self.checkpoints.receive(cosigned(seen.note, seen.refusal), now)


def cosigned(note: str | None, refusal: str | None = None) -> bytes:
    return cosignature(COSIGNER.name, Cosignature(SCHEMA, note, refusal), "2026-01-02T03:04:05.678Z")


def new_witness() -> Witness:
    return Witness(COSIGNER, [STATION.verifier], {}, WITHIN)


def witnessed(path: Path) -> tuple[Station, Witness]:
    """Three events that were cosigned."""
    station, witness = Station(path).happens("1", "2", "3"), new_witness()
    assert station.checkpoints.make(0.0)
    assert station.shows(witness) is WitnessVerdict.COSIGNED
    assert not station.receives(witness), "nothing new is to be shown"
    return station, witness


def hashes(path: Path) -> list[bytes]:
    return [row[7] for row in contents(path)["events"]]


def test_a_checkpoint_is_signed_where_something_changed(tmp_path: Path) -> None:
    station = Station(tmp_path / "j.db")
    with closing(station.journal):
        assert not station.checkpoints.make(0.0), "there is nothing yet"
        assert station.happens("1", "2").checkpoints.make(0.0)
        assert not station.checkpoints.make(60.0)
        published = station.checkpoints.published
    assert published is not None and published.event == 2
    note = Note.read(published.note.encode())
    STATION.verifier.signed(note)
    root = naive_tree.tree_hash(hashes(tmp_path / "j.db"))
    assert Checkpoint.read(note.text) == Checkpoint(f"{TABLE}/{station.journal.name}", 2, root)


def test_a_witness_follows_each_checkpoint(tmp_path: Path) -> None:
    station, witness = witnessed(tmp_path / "j.db")
    with closing(station.journal):
        for number in range(4, 30):
            station.happens(*map(str, range(number % 5))).happens("x").checkpoints.make(number)
            assert station.shows(witness) is WitnessVerdict.COSIGNED
            station.receives(witness)
    assert station.alarms == []
    assert f'cosigned_timestamp_seconds{{witness="{COSIGNER.name}"}} 1.7e+09' in station.metrics.text().decode()


def test_a_witness_whose_word_was_lost_says_it_again_and_is_proved_to(tmp_path: Path) -> None:
    station, witness = witnessed(tmp_path / "j.db")
    station.happens("4").checkpoints.make(1.0)
    station.shows(witness)
    station.journal.close()  # killed before it received that
    station = Station(tmp_path / "j.db").happens("5")
    with closing(station.journal):
        station.checkpoints.make(2.0)
        assert station.shows(witness) is WitnessVerdict.WAITS
        assert station.receives(witness), "the proof is another now"
        assert station.shows(witness) is WitnessVerdict.COSIGNED
    assert station.alarms == [] and witness.reason(TABLE) is None


def test_a_rewound_journal_is_noticed_by_both(tmp_path: Path) -> None:
    station, witness = witnessed(tmp_path / "j.db")
    station.journal.close()
    for file in tmp_path.glob("j.db*"):
        shutil.copy(file, tmp_path / f"old-{file.name}")
    station = Station(tmp_path / "j.db").happens("4")
    station.checkpoints.make(1.0)
    station.receives(witness)
    station.shows(witness)
    station.journal.close()
    for file in tmp_path.glob("old-*"):
        shutil.copy(file, tmp_path / file.name.removeprefix("old-"))
    station = Station(tmp_path / "j.db")
    with closing(station.journal):
        station.checkpoints.make(2.0)
        assert station.shows(witness) is WitnessVerdict.REFUSED
        assert witness.reason(TABLE) == "it was rewound from 4 events to 3"
        station.receives(witness)
    assert station.alarms == [
        f"{alarm_words('witness_refuses', {'witness': COSIGNER.name})['en']} it was rewound from 4 events to 3",
        f"The witness {COSIGNER.name} has cosigned another record of this table than the one in its journal. "
        "Keep both, and inform the inspection.",
    ]


def test_a_journal_that_was_written_again_with_its_keys_is_noticed_by_both(tmp_path: Path) -> None:
    station, witness = witnessed(tmp_path / "j.db")
    name = station.journal.name
    station.journal.close()
    for file in tmp_path.glob("j.db*"):
        file.unlink()
    # Who has the keys writes a journal of the same name that is longer, and whole in itself.
    forger = Journal(tmp_path / "j.db", station.journal._seal, "simulation", new_uuid=name)
    forger.close()
    station = Station(tmp_path / "j.db").happens("1", "other", "3", "4", "5")
    with closing(station.journal):
        station.journal.restore()
        station.checkpoints.make(1.0)
        assert station.shows(witness) is WitnessVerdict.WAITS
        station.receives(witness)
        assert "has cosigned another record" in station.alarms[0]
        assert station.shows(witness, 1.0) is WitnessVerdict.WAITS
        # He takes this station out, and makes what proof he can.
        station.checkpoints._cosigned[COSIGNER.name] = 3
        station.checkpoints._publish()
        assert station.shows(witness, 2.0) is WitnessVerdict.REFUSED
    assert witness.reason(TABLE) == "it was forked: its 5 events do not begin with the 3 that were there"


def test_a_witness_that_does_not_cosign_is_reported_once_it_is_too_late(tmp_path: Path) -> None:
    station, witness = witnessed(tmp_path / "j.db")
    with closing(station.journal):
        station.checkpoints.look(10 * WITHIN)
        assert station.alarms == [], "there is nothing new to cosign"
        station.happens("4").checkpoints.make(0.0)
        station.happens("5").checkpoints.make(WITHIN)
        station.checkpoints.look(WITHIN)
        assert station.alarms == []
        station.checkpoints.look(WITHIN + 60)
        [alarm] = station.alarms
        assert alarm.startswith(f"The witness {COSIGNER.name} has not cosigned the record for 16 minutes")
        station.shows(witness)
        station.receives(witness, WITHIN + 61)
        station.checkpoints.look(9 * WITHIN)
    assert len(station.alarms) == 1


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff",
        b"{}",
        cosigned("nothing"),
        cosigned(None, "nothing"),
        cosigned(str(COSIGNER.cosign(STATION.sign(Checkpoint(f"{TABLE}/another", 1, bytes(32)).text), AT))),
        cosigned(None, str(Signer(COSIGNER.name, bytes([3]) * 32).sign(f"refused\n{TABLE}\nno\n"))),
        cosigned(None, str(COSIGNER.sign("refused\ndealer/macau-1/2\nof another table\n"))),
    ],
)
def test_what_no_witness_of_this_table_says_changes_nothing(tmp_path: Path, payload: bytes) -> None:
    station, _ = witnessed(tmp_path / "j.db")
    with closing(station.journal):
        assert not station.checkpoints.receive(payload, 0.0)
    assert station.alarms == []


@pytest.mark.parametrize("name", [COSIGNER.name, "witness.example/w2"])
def test_a_cosignature_that_is_not_the_witness_s_own_counts_for_nothing(tmp_path: Path, name: str) -> None:
    station = Station(tmp_path / "j.db").happens("1")
    with closing(station.journal):
        station.checkpoints.make(0.0)
        published = station.checkpoints.published
        assert published is not None
        forged = Signer(name, bytes([3]) * 32).cosign(Note.read(published.note.encode()), AT)
        station.checkpoints.receive(cosigned(str(forged)), 0.0)
        station.checkpoints.look(WITHIN + 1)
    assert len(station.alarms) == 1


def test_the_key_of_another_table_signs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.key"
    file.write_text(STATION.private)
    assert read_signer(file, TABLE, create=False).verifier == STATION.verifier
    with pytest.raises(BadKey, match="signs as dealer/macau-1/1, and this table is dealer/macau-1/2"):
        read_signer(file, "dealer/macau-1/2", create=False)
    with pytest.raises(BadKey, match="No such file"):
        read_signer(tmp_path / "none", TABLE, create=False)
    assert msgspec.json.decode(cosigned(None))["data"] == {"schema": 1, "note": None, "refusal": None}

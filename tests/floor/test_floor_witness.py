"""A table and its witness at Debian's mosquitto, with the access list as it is shipped."""

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.commands import key, witness
from controller.commands.witness import _read, read_witness_config, witnessing
from controller.config.checkpoint import read_signer
from controller.config.document import BadConfiguration
from controller.floor import access
from controller.floor.broker import Broker
from controller.floor.client import FloorClient
from controller.floor.handler import Topics
from controller.floor.messages import cosignature
from controller.floor.mqtt import PublishRefused, connection
from controller.floor.outbox import Outbox
from controller.floor.shapes import SCHEMA, Cosignature
from controller.floor.witnessing import Witnessing
from controller.journal.records import OutboxRow
from controller.telemetry import logs
from controller.tlog.notes import Signer
from controller.tlog.witness import Witness
from tests.floor.informing_station import QuietTable, disconnected
from tests.station.processes import Mosquitto, guarded_broker
from tests.tlog.test_tlog_checkpoints import COSIGNER, STATION, TABLE, Station

SECONDS = 60.0


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    table = access.TableUser("macau-1", "1", "1", witnesses=(COSIGNER.name,))
    site = access.Site((table,), witnesses={COSIGNER.name: "witness-1"}, consumers=("floor",))
    with guarded_broker(tmp_path / "broker", site) as broker:
        yield broker


def at(mosquitto: Mosquitto, user: str) -> Broker:
    return Broker("127.0.0.1", mosquitto.port, username=user)


def configuration(folder: Path, broker: str, **others: str) -> Path:
    """Of a witness, with its key beside it."""
    (folder / "witness.key").write_text(COSIGNER.private)
    lines = {"key_file": '"witness.key"', "state_file": '"seen.json"', "tables": f'["{STATION.verifier}"]', **others}
    text = "".join(f"{name} = {value}\n" for name, value in lines.items())
    file = folder / "witness.toml"
    file.write_text(f'[floor]\nbroker = "{broker}"\nusername = "witness-1"\n[witness]\n{text}')
    return file


class Table(QuietTable):
    """A station's checkpoints on its topic, and its ear for cosignatures."""

    def __init__(self, station: Station, broker: Broker) -> None:
        self.station = station
        self.received = asyncio.Event()
        self.own_checkpoint = b""
        self.outbox = Outbox(self._read, 0)
        self.client = FloorClient(broker, self.outbox, self, Topics(subscribed=[f"{TABLE}/cosignatures/#"]))

    def status(self, online: bool) -> tuple[str, bytes]:
        return f"{TABLE}/status", b"on" if online else b"off"

    def retained(self) -> dict[str, bytes]:
        return {f"{TABLE}/checkpoint": self.own_checkpoint} if self.own_checkpoint else {}

    async def _read(self, after: int, limit: int) -> list[OutboxRow]:
        return []

    def on_received(self, topic: str, payload: bytes, retained: bool) -> None:
        if self.station.checkpoints.receive(payload, 0.0):
            self.show()
        self.received.set()

    def show(self) -> None:
        self.own_checkpoint = msgspec.json.encode({"data": self.station.checkpoints.published})
        self.outbox.wake()

    async def until_cosigned(self, size: int) -> None:
        while self.station.checkpoints._cosigned[COSIGNER.name] != size:
            self.received.clear()
            await self.received.wait()


async def test_a_table_and_its_witness_at_a_broker_with_an_access_list(mosquitto: Mosquitto, tmp_path: Path) -> None:
    config = read_witness_config(configuration(tmp_path, mosquitto.url))
    station = Station(tmp_path / "j.db").happens("1", "2")
    table = Table(station, at(mosquitto, "1"))
    watching = witnessing(config, Witness(COSIGNER, config.own.tables, {}, config.own.within))
    station.checkpoints.make(0.0)
    first = station.checkpoints.published
    table.show()
    with closing(station.journal):
        async with asyncio.timeout(SECONDS):
            tasks = [asyncio.create_task(table.client.run()), asyncio.create_task(watching)]
            try:
                await table.until_cosigned(2)
                station.happens("3").checkpoints.make(1.0)
                table.show()
                await table.until_cosigned(3)
                seen = _read(config.state_file)[TABLE].note
                assert seen is not None and seen.splitlines()[1] == "3", "what was sent is on the disk"

                forged = cosignature(COSIGNER.name, Cosignature(SCHEMA, None, None), "2026-01-02T03:04:05.678Z")
                for user, topic in (("floor", f"{TABLE}/cosignatures/w1"), ("witness-1", f"{TABLE}/checkpoint")):
                    async with connection(at(mosquitto, user)) as other:
                        with pytest.raises(PublishRefused, match="Not authorized"):
                            await other.deliver(topic, forged, retain=True)

                assert station.alarms == []
                station.checkpoints.published = first
                table.show()
                while not station.alarms:
                    table.received.clear()
                    await table.received.wait()
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.wait(tasks)
                await disconnected(table.client)
    assert "it was rewound from 3 events to 2" in station.alarms[0]
    refusal = _read(config.state_file)[TABLE].refusal
    assert refusal is not None and "rewound" in refusal


def test_a_witness_that_has_refused_ends_with_an_exit_code_until_a_person_accepts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = configuration(tmp_path, "mqtt://127.0.0.1:1")
    config = read_witness_config(file)
    cosigner = Witness(COSIGNER, config.own.tables, {}, config.own.within)
    cosigner.judge(TABLE, "nothing", None, 0, 0.0)
    config.state_file.write_bytes(msgspec.json.encode(cosigner.seen))

    async def stopped(self: Witnessing) -> None: ...

    monkeypatch.setattr(Witnessing, "run", stopped)
    monkeypatch.setattr(logs, "configure", lambda: None)
    assert witness.run(_options(file)) == 65
    assert f"{TABLE}: what it shows is no checkpoint of the table" in capsys.readouterr().err
    assert witness.run(_options(file, "dealer/macau-1/2")) == 2
    assert witness.run(_options(file, TABLE)) == 0
    assert witness.run(_options(file)) == 0
    config.state_file.write_bytes(b"{")
    assert witness.run(_options(file)) == 65, "who forgets what he saw is no witness"


def _options(file: Path, *accept: str) -> argparse.Namespace:
    return argparse.Namespace(config=file, accept=list(accept))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"tables": '["x"]'}, "NAME+ID+KEY of a table"),
        ({"tables": f'["{STATION.coverifier}"]'}, "the first key that `dealer-station key` says"),
        ({"tables": '"x"'}, "a list of texts"),
        ({"proved_minutes": "0"}, "proved_minutes"),
        ({"tabels": "[]"}, "did you mean"),
    ],
)
def test_a_mistake_in_the_configuration_of_a_witness_is_named(
    tmp_path: Path, change: dict[str, str], expected: str
) -> None:
    with pytest.raises(BadConfiguration) as bad:
        read_witness_config(configuration(tmp_path, "mqtt://127.0.0.1:1", **change))
    assert any(expected in str(mistake) for mistake in bad.value.mistakes)


def test_a_key_is_made_once_and_says_who_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "checkpoint.key"
    options = argparse.Namespace(what="new", file=file, name=TABLE)
    assert key.run(options) == 0
    made = file.read_text()
    assert made.startswith("PRIVATE+KEY+") and file.stat().st_mode & 0o777 == 0o600
    printed = capsys.readouterr().out
    signer: Signer = read_signer(file, TABLE, create=False)
    assert str(signer.verifier) in printed and str(signer.coverifier) in printed and made.strip() not in printed
    assert key.run(options) == 2 and file.read_text() == made
    assert key.run(argparse.Namespace(what="show", file=file)) == 0
    assert capsys.readouterr().out == printed
    assert key.run(argparse.Namespace(what="show", file=tmp_path / "none")) == 2
    assert key.run(argparse.Namespace(what="new", file=tmp_path / "bad", name="with space")) == 2
    assert not (tmp_path / "bad").exists()

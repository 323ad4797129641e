"""A simulated table at a broker of the floor's own: TLS, password or certificate, MQTT 5 and 3.1.1, its access list."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.floor.access import Site, TableUser, access_list
from tests.floor.access_control import PASSWORD, Guarded
from tests.station.processes import patiently

SITE = Site((TableUser("macau-1", "table-9", "table-9"),), consumers=("floor",))


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    guarded_broker = Guarded(tmp_path_factory.mktemp("guarded"), access_list(SITE), ["table-9", "floor"])
    guarded_broker.broker.start()
    yield guarded_broker
    guarded_broker.broker.stop()


def simulated(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = ["simulate", "--site", "macau-1", "--table", "table-9", "--rounds", "2", "--json", *options]
    return subprocess.run(
        [sys.executable, "-m", "controller", *command], capture_output=True, text=True, timeout=90, cwd=folder
    )


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("proof", "protocol"),
    [
        ("password", "5"),
        ("certificate", "3.1.1"),
        pytest.param("password", "3.1.1", marks=pytest.mark.soak),
        pytest.param("certificate", "5", marks=pytest.mark.soak),
    ],
)
def test_the_floor_s_broker_has_every_message_of_a_simulated_table(
    guarded: Guarded, tmp_path: Path, proof: str, protocol: str
) -> None:
    """The files are named as a shell's user names them, relative to where he is."""
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    certificate, key = guarded.authority.sign("table-9")
    proofs = {
        "password": [f"mqtts://127.0.0.1:{guarded.secure}", "--username", "table-9", "--password-file", "password"],
        "certificate": [
            f"mqtts://127.0.0.1:{guarded.certified}",
            "--cert-file",
            f"{certificate}",
            "--key-file",
            f"{key}",
        ],
    }
    with closing(guarded.by_certificate("floor")) as reader:
        assert reader.connect()
        reader.subscribe("dealer/macau-1/+/rounds")
        done = simulated(
            tmp_path, "--broker", *proofs[proof], "--ca-file", str(guarded.authority.file), "--protocol", protocol
        )
        assert done.returncode == 0, done.stderr
        tally = json.loads(done.stdout)
        assert tally["published"] == tally["acknowledged"] > 20
        patiently(lambda: len(reader.given) == 2, 10, "two rounds")


@pytest.mark.parametrize("wrong", [["--broker", "http://h:1"], ["--protocol", "4"], ["--username", "floor"]])
def test_what_cannot_be_is_refused_as_wrong_usage(wrong: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    try:
        code: object = main(["simulate", "--rounds", "1", "--json", *wrong])
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    assert wrong[0].removeprefix("--") in capfd.readouterr().err

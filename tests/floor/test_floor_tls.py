"""Both ends prove who they are: certificates against Debian's mosquitto, and files that cannot be used."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.floor.broker import BadConnectionFile, Broker, TlsFiles, tls_context
from tests.floor.certificates import Authority, with_pass_phrase
from tests.floor.informing_station import informing
from tests.station.processes import Mosquitto

TABLE = "table-1"
SECONDS = 30.0


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def broker(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """A mosquitto that lets in whom the authority has signed for, and lets the table alone write."""
    folder = tmp_path_factory.mktemp("broker")
    certificate, key = authority.sign("broker")
    (folder / "acl").write_text(f"user {TABLE}\ntopic write dealer/#\n")
    settings = (
        f"cafile {authority.file}\ncertfile {certificate}\nkeyfile {key}\n"
        f"require_certificate true\nuse_identity_as_username true\nacl_file {folder / 'acl'}"
    )
    broker = Mosquitto(folder, settings)
    broker.start()
    yield broker
    broker.stop()


async def complaint(broker: Broker) -> str | None:
    """Why the floor was lost, its cause first; None once the broker is back."""
    async with asyncio.timeout(SECONDS), informing(broker) as station:
        await station.until(lambda: bool(station.edges))
        return f"{station.causes[0]}: {station.reasons[0]}" if station.reasons else None


async def test_a_station_with_a_certificate_is_let_in_under_the_name_in_it(
    authority: Authority, broker: Mosquitto
) -> None:
    certificate, key = authority.sign(TABLE)
    tls = TlsFiles(authority.file, certificate, key)
    assert await complaint(Broker("127.0.0.1", broker.port, tls, client_id=TABLE)) is None


async def test_a_certificate_of_another_name_writes_on_no_topic_of_this_table(
    authority: Authority, broker: Mosquitto
) -> None:
    tls = TlsFiles(authority.file, *authority.sign("table-2"))
    reason = await complaint(Broker("127.0.0.1", broker.port, tls))
    assert reason is not None and reason.startswith("not_authorised: ") and "Not authorized" in reason


async def test_a_station_without_a_certificate_is_notified_that_the_broker_wants_one(
    authority: Authority, broker: Mosquitto
) -> None:
    reason = await complaint(Broker("127.0.0.1", broker.port, TlsFiles(authority.file)))
    assert reason == "own_certificate_missing: TLS: tlsv13 alert certificate required"


async def test_a_broker_that_the_authority_did_not_sign_for_is_not_spoken_to(tmp_path: Path, broker: Mosquitto) -> None:
    other = Authority(tmp_path, "another")
    reason = await complaint(Broker("127.0.0.1", broker.port, TlsFiles(other.file, *other.sign(TABLE))))
    assert reason is not None and reason.startswith("certificate_untrusted: certificate verify failed")


def test_what_cannot_be_used_is_named_by_its_key(authority: Authority, tmp_path: Path) -> None:
    certificate, key = authority.sign("a-station")
    _, other_key = authority.sign("another-station")
    text, none = tmp_path / "text.pem", tmp_path / "none.pem"
    text.write_text("hello\n")
    for files, wrong, expected in (
        ((none, None, None), "ca_file", "certificates in PEM; No such file or directory"),
        ((text, None, None), "ca_file", "certificates in PEM; NO_CERTIFICATE_OR_CRL_FOUND"),
        ((None, none, key), "cert_file", "a file that can be read; No such file or directory"),
        ((None, certificate, none), "key_file", "a file that can be read; No such file or directory"),
        ((None, certificate, other_key), "cert_file", "KEY_VALUES_MISMATCH"),
        ((None, certificate, with_pass_phrase(key)), "cert_file", "its key without a pass phrase"),
        ((None, text, key), "cert_file", "a certificate in PEM"),
    ):
        with pytest.raises(BadConnectionFile) as bad:
            tls_context(TlsFiles(*files))
        assert bad.value.key == wrong and expected in bad.value.expected, bad.value.expected

"""The access list, compared with a running mosquitto: who may write and read what, and who gets it."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec
import pytest

from controller.__main__ import main
from controller.config.file import read_config
from controller.floor import discovery
from controller.floor.access import (
    ARCHIVE,
    EVENTS,
    HOME,
    PIT,
    RIGHTS,
    ROLES,
    TABLE,
    WITNESS,
    Member,
    Site,
    TableUser,
    access_list,
    members,
    mistakes,
)
from controller.floor.asyncapi import document
from tests.configured import table_toml
from tests.docs.access import EXAMPLE, LIST, PAGE, PIT_WITNESS, page, shipped
from tests.docs.access import WITNESS as INSPECTION
from tests.floor.access_control import SECONDS, Authority, Client, Guarded
from tests.link.entries import PIT_KEY
from tests.station.processes import patiently

NOT_AUTHORIZED = 0x87
MADE_UP = "a made-up name"  # of a certificate that the authority has signed
USERS = sorted({member.user for member in members(EXAMPLE)})
ADDRESSES = {channel["address"] for channel in document()["channels"].values()}
# Every name that a topic may have, and one that nothing has.
NAMES = {
    "site": ("macau-1", "macau-9"),
    "table": ("table-1", "table-2", "table-3", "invented", "floor", "pit"),
    "device": ("shuffler",),
    "alarm": ("journal",),
    "archive": ("hall", "pit", "invented"),
    "asker": ("hall", "pit", "desk", "floor", "table-2"),
    "witness": (INSPECTION, PIT_WITNESS, "invented.example/w3"),
    "link": ("hall", "invented"),
    "prefix": ("homeassistant",),
}
Place = tuple[str, dict[str, str]]  # an address of the page, and the names in it


def rights_of_the_page() -> dict[str, dict[str, set[str]]]:
    """For each address what each role may do there, as the page has it."""
    text = PAGE.read_text(encoding="utf-8")
    rows = [line[1:-1].split("|") for line in text.splitlines() if line.startswith(("| `dealer/", "| `{prefix}"))]
    found = {}
    for address, *cells in rows:
        acts = [{*cell.strip().split(", ")} - {""} for cell in cells]
        found[address.strip("` ")] = dict(zip(ROLES, acts, strict=True))
    return found


def places() -> dict[str, Place]:
    """Every topic that is tried."""
    found: dict[str, Place] = {}
    for address in (*ADDRESSES, discovery.ADDRESS):
        fields = [name for _, name, _, _ in Formatter().parse(address) if name is not None]
        row = EVENTS if address.startswith(EVENTS.removesuffix("{event}")) else address
        for values in product(*(NAMES[name] for name in fields)):
            names = dict(zip(fields, values, strict=True))
            found[address.format(**names)] = row, names
    return found


def may(member: Member, act: str, place: Place, page: dict[str, dict[str, set[str]]]) -> bool:
    """Whether the page gives a user this right, in one of its roles; the list is not asked."""
    address, names = place
    within = [
        table
        for table in EXAMPLE.tables
        if names.get("site", table.site) == table.site
        and names.get("table", table.table) == table.table
        and names.get("link", table.link) == table.link
        and (member.role != TABLE or table.user == member.user)
        and (member.role != HOME or table.discovery)
        and (member.role != WITNESS or member.name in table.witnesses)
        and (member.role != ARCHIVE or act == "read" or member.user in table.archives)
        and names.get("prefix", table.discovery) == table.discovery
        and names.get("witness") in (None, *table.witnesses)
    ]
    own = {WITNESS: {"witness": member.name}, ARCHIVE: {"archive": member.user}}.get(member.role, {})
    own = own if act == "write" else {}
    own |= {} if member.role == TABLE else {"asker": member.user}
    return (
        act in page[address][member.role] and bool(within) and all(names.get(key, own[key]) == own[key] for key in own)
    )


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    guarded_broker = Guarded(tmp_path_factory.mktemp("guarded"), LIST.read_text(encoding="utf-8"), [*USERS, MADE_UP])
    guarded_broker.broker.start()
    yield guarded_broker
    guarded_broker.broker.stop()


def test_the_list_and_the_page_are_as_make_pages_writes_them() -> None:
    assert LIST.read_text(encoding="utf-8") == shipped(), "run make pages"
    assert PAGE.read_text(encoding="utf-8") == page(), "run make pages"


def test_every_topic_of_the_document_has_roles_and_every_role_of_a_topic_is_of_the_document() -> None:
    rows = {EVENTS if address.startswith(EVENTS.removesuffix("{event}")) else address for address in ADDRESSES}
    assert rows | {discovery.ADDRESS} == RIGHTS.keys()
    assert all(right.write for right in RIGHTS.values())


def test_what_the_document_receives_and_sends_is_what_the_table_may() -> None:
    api = document()
    for operation in api["operations"].values():
        address = api["channels"][operation["channel"]["$ref"].rpartition("/")[2]]["address"]
        row = EVENTS if address.startswith(EVENTS.removesuffix("{event}")) else address
        assert TABLE in (RIGHTS[row].read if operation["action"] == "receive" else RIGHTS[row].write), address
        assert (TABLE in RIGHTS[row].write) == (operation["action"] == "send"), address


def test_no_right_has_a_wildcard_over_all_that_is_below_and_no_table_one_over_tables() -> None:
    lines = [line for line in LIST.read_text(encoding="utf-8").splitlines() if line.startswith("topic ")]
    assert len(lines) > 100 and not any("#" in line for line in lines)
    assert not any("/+/" in line for line in lines if " write " in line or " readwrite " in line)
    assert "pattern " not in LIST.read_text(encoding="utf-8")


def test_mosquitto_starts_with_the_list_without_a_warning(guarded: Guarded) -> None:
    patiently(lambda: " running\n" in guarded.broker.log.read_text(encoding="utf-8"), SECONDS, "mosquitto's log")
    log, _, _ = guarded.broker.log.read_text(encoding="utf-8").partition(" running\n")
    log = log.replace("Warning: Mosquitto should not be run as root", "")
    assert "Warning" not in log and "Error" not in log, log


@pytest.mark.timeout(300)
def test_every_topic_of_the_document_as_every_user_is_as_the_page_has_it(guarded: Guarded) -> None:
    """Published by each, with the broker's answer; and given to those alone who may read it."""
    tried, rights = places(), rights_of_the_page()
    roles = {user: [member for member in members(EXAMPLE) if member.user == user] for user in USERS}

    def allowed(user: str, act: str) -> set[str]:
        return {
            topic for topic, place in tried.items() if any(may(own, act, place, rights) for own in roles.get(user, ()))
        }

    writes, reads = ({user: allowed(user, act) for user in [*USERS, MADE_UP]} for act in ("write", "read"))
    assert all(writes[user] for user in USERS if user not in ("floor", "home-assistant")) and all(map(reads.get, USERS))
    with ExitStack() as open_things:
        clients = []
        for number, user in enumerate(writes):
            client = guarded.by_certificate(user) if number % 2 else guarded.by_password(user)
            open_things.callback(client.close)
            assert client.connect()
            client.subscribe("#")
            clients.append(client)
        for client in clients:
            client.publish(tried)
        for client in clients:
            client.subscribe("the/end")
    for client in clients:
        accepted = {topic for topic, answer in client.answers.items() if not answer.is_failure}
        assert accepted == writes[client.user], client.user
        assert {reply.value for reply in client.answers.values() if reply.is_failure} == {NOT_AUTHORIZED}, client.user
    for client in clients:
        given = {(user, topic) for user in writes for topic in writes[user] & reads[client.user]}
        assert client.given == given, (client.user, client.given ^ given)
    of_tables = {
        topic: {user for user in writes if topic in writes[user]} for topic in tried if topic.endswith("/state")
    }
    assert {topic: users for topic, users in of_tables.items() if users} == {
        f"dealer/macau-1/table-{number}/state": {f"table-{number}"} for number in (1, 2, 3)
    }, "a table's name is writable by that table alone, and no other table is"
    assert not writes[MADE_UP] and not reads[MADE_UP]


def test_who_has_no_password_or_no_certificate_of_the_authority_is_not_let_in(guarded: Guarded, tmp_path: Path) -> None:
    for stranger in (Client("table-1", guarded.broker.port), Client("table-1", guarded.broker.port, "wrong")):
        assert not stranger.connect() and stranger.refused is not None and stranger.refused.value == NOT_AUTHORIZED
        stranger.close()
    tls = ssl.create_default_context(cafile=str(guarded.authority.file))
    tls.check_hostname = False
    tls.load_cert_chain(*Authority(tmp_path, "another").sign("table-1"))
    with (
        socket.create_connection(("127.0.0.1", guarded.certified)) as wire,
        tls.wrap_socket(wire) as secure,
        pytest.raises(ssl.SSLError, match="unknown ca"),
    ):
        secure.recv(1)


def test_a_will_on_a_table_s_topic_is_published_for_the_table_alone(guarded: Guarded) -> None:
    topic = "dealer/macau-1/table-1/status"
    with closing(guarded.by_password("floor")) as reader:
        assert reader.connect()
        reader.subscribe(topic)
        for user in ("floor", "table-2", "pit", "table-1"):
            client = guarded.by_password(user)
            client.will(topic)
            client.connect()
            client.break_off()
        patiently(lambda: reader.given, SECONDS, "the will of the table")
        assert reader.given == {("will of table-1", topic)}


# ---- the command


LINK = f'''[link]
pot = "hall"
keys = ["{PIT_KEY.verifier}"]
[checkpoint]
key_file = "checkpoint.key"
'''


def station(folder: Path, table: str, keys: str = "", link: str = "") -> Path:
    """The configuration of a simulated table; `keys` are more of [floor]."""
    text = table_toml(
        game="fortune-3-card-poker-2025", source="shuffler", broker="mqtt://127.0.0.1", site="macau-1", table=table
    )
    file = folder / f"{table}.toml"
    file.write_text(text.replace("[floor]\n", f"[floor]\n{keys}\n") + link, encoding="utf-8")
    return file


def test_the_command_writes_the_list_of_the_tables_that_are_named(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    shared = 'archives = ["hall", "pit"]\ndiscovery = "homeassistant"'
    files = [
        str(station(tmp_path, "table-1", shared, LINK)),
        str(station(tmp_path, "table-2", f'username = "the second"\n{shared}')),
    ]
    assert main(["access", *files, "--pit", "pit", "--consumer", "floor", "--requester", "desk"]) == 0
    printed = capsysbinary.readouterr().out.decode()
    site = Site(
        tables=(
            TableUser("macau-1", "table-1", "table-1", ("hall", "pit"), (), "hall", "homeassistant"),
            TableUser("macau-1", "table-2", "the second", ("hall", "pit"), (), None, "homeassistant"),
        ),
        pit=PIT, consumers=("floor",), requesters=("desk",),
    )  # fmt: skip
    assert printed.endswith(access_list(site)) and "user the second\n" in printed
    assert read_config(Path(files[0])).floor.username is None


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"consumers": ("table-1",)}, "table-1 is table macau-1/table-1 and consumer"),
        ({"pit": "table-2"}, "table-2 is table macau-1/table-2 and pit"),
        ({"pit": None}, "table macau-1/table-1 has the linked pot hall: expected the pit that keeps it"),
        ({"consumers": ("a\ntopic readwrite #",)}, "is no name of a user"),
        ({"consumers": (" floor",)}, "is no name of a user"),
        ({"witnesses": {"mistyped": "w"}}, "no table has the witness mistyped"),
        ({"tables": (*EXAMPLE.tables, TableUser("macau-1", "table-3", "x"))}, "table macau-1/table-3 is there 2 times"),
        ({"tables": (*EXAMPLE.tables, TableUser("macau-1", "table-4", "table-3"))}, "a user that only one table"),
        ({"tables": (TableUser("m", "t", "t", witnesses=("w#",)),), "witnesses": {}}, "has a wildcard in its name"),
        (
            {"tables": (*(TableUser("m", text, text, discovery="h") for text in ("a.1", "a_1")),), "witnesses": {}},
            "several tables have the topic h/device/m/a_1/config",
        ),
    ],
)  # fmt: skip
def test_a_site_that_would_give_a_table_s_right_to_someone_else_gets_no_list(
    change: dict[str, Any], named: str
) -> None:
    assert mistakes(EXAMPLE) == []
    found = mistakes(msgspec.structs.replace(EXAMPLE, **change))
    assert any(named in mistake for mistake in found), found


def test_every_mistake_is_named_and_nothing_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = station(tmp_path, "table-1", link=LINK)
    assert main(["access", str(config), "--consumer", "table-1", "--witness", "w=x"]) == 78
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("dealer-station: ") == 3
    assert main(["access", str(tmp_path / "none.toml")]) == 78

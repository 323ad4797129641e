"""The access list that is shipped and the page about it: `make pages` writes both."""

from pathlib import Path
from types import MappingProxyType

import msgspec

from controller.commands.access import HEADER
from controller.floor.access import RIGHTS, ROLES, Site, TableUser, access_list

ROOT = Path(__file__).parents[2]
LIST = ROOT / "systemd" / "mosquitto.acl"
PAGE = ROOT / "docs" / "access.md"
WITNESS, PIT_WITNESS = "inspection.example/w1", "pit.example/w2"
_LINKED = TableUser("macau-1", "table-1", "table-1", ("hall", "pit"), (WITNESS, PIT_WITNESS), "hall", "homeassistant")
EXAMPLE = Site(
    tables=(
        _LINKED,
        msgspec.structs.replace(_LINKED, table="table-2", user="table-2"),
        TableUser("macau-1", "table-3", "table-3"),
    ),
    pit="pit",
    witnesses=MappingProxyType({WITNESS: "witness-1", PIT_WITNESS: "pit"}),
    consumers=("floor",),
    requesters=("desk",),
    home_assistants=("home-assistant",),
)
OF_THE_EXAMPLE = """\
# This is the list of an example, a site with three tables. It was made by
#   dealer-station access table-1.toml table-2.toml table-3.toml --pit pit --consumer floor --requester desk \\
#     --witness inspection.example/w1=witness-1 --witness pit.example/w2=pit --home-assistant home-assistant
# Make one for your site in the same way.

"""
INTRODUCTION = """\
# Who may write and read at the broker

A reference for the engineer who runs the broker. `make pages` writes it from
[access.py](../controller/floor/access.py). A test runs mosquitto with the shipped list,
publishes on every topic of [asyncapi.json](asyncapi.json) as every user, and compares what the broker accepts and
delivers with the table below.

`dealer-station access` prints the access list of a mosquitto from the configurations of its tables. Copies of them are
enough: no key, password or PIN is read.

```
dealer-station access *.toml --pit pit --witness inspection.example/w1=witness-1 --consumer floor --requester desk
```

Make the list again, and send mosquitto a SIGHUP, when a table, an archive, a witness or a consumer is added or removed.
[mosquitto.acl](../systemd/mosquitto.acl) is the list of an example.

| Role | User |
| --- | --- |
| table | the `username` of `[floor]` in its `station.toml`, or its id where it has none; no other user may have it |
| archive | each name in `archives` of `[floor]` |
| pit | `--pit`: the `dealer-pit` that keeps the linked pots |
| witness | `--witness NAME=USER`, for a name in `witnesses` of `[checkpoint]`; without the option, the name itself |
| consumer | `--consumer`: reads what tables publish |
| requester | `--requester`: a consumer that asks for messages again |
| home assistant | `--home-assistant`: reads what Home Assistant shows of the tables with `discovery` |

A user may have several roles, such as a pit that is an archive and a witness. A user that the list does not name
connects, if the broker accepts its password or its certificate, and may then neither write nor read.

## Settings of mosquitto

```
listener 8883
cafile /etc/mosquitto/certs/authority.pem
certfile /etc/mosquitto/certs/broker.pem
keyfile /etc/mosquitto/certs/broker.key
# The user is the common name of its certificate.
require_certificate true
use_identity_as_username true
# For passwords instead, remove the two lines above.
# password_file /etc/mosquitto/passwd
allow_anonymous false
acl_file /etc/mosquitto/mosquitto.acl
# 5 400 × tables × hours offline: 18 tables and 1 hour. Not 0 (no bound): with it 2.0.11 closes a connection whose
# message it denies.
max_queued_messages 100000
# a station sends 64 at once at most
max_inflight_messages 64
# The longest message has 11 kB. A longer one than this would stop the table's outbox.
max_packet_size 65536
# forget a consumer that never returns
persistent_client_expiration 14d
# as Debian's own file has it: sessions and retained messages survive a restart
persistence true
```

[The page of the floor](floor.md#set-up-the-broker) has how many messages wait, sessions, shared subscriptions and a
bridge.

The list belongs to mosquitto's user, with mode 0600. Over MQTT 5, a denied message is answered with the reason code
0x87 (not authorized); over MQTT 3.1.1 it is acknowledged as if it were accepted. mosquitto accepts every subscription,
and delivers only what the user may read.

## The topics

A table writes and reads below its own name, and reads the pot of its own link. A consumer, requester, archive or pit
reads what all tables publish; answers only those to itself, a consumer none. An archive and a witness write at tables
that name them in `archives` or `witnesses`, a pit at those with a `[link]`. `{archive}` and `{witness}` are those
names, `{asker}` is the user that asks, `{prefix}` the value of `discovery`.

"""


def page() -> str:
    """The page, from the rights of each role."""
    lines = [f"| Topic | {' | '.join(ROLES)} |", "| --- |" + " --- |" * len(ROLES)]
    for address, rights in RIGHTS.items():
        cells = []
        for role in ROLES:
            may = [verb for verb, roles in (("write", rights.write), ("read", rights.read)) if role in roles]
            cells.append(", ".join(may))
        lines.append(f"| `{address}` | {' | '.join(cells)} |")
    return INTRODUCTION + "\n".join(lines) + "\n"


def shipped() -> str:
    """The access list of the example."""
    return HEADER + OF_THE_EXAMPLE + access_list(EXAMPLE)


if __name__ == "__main__":
    LIST.write_text(shipped(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")

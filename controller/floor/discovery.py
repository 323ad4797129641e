"""The message by which Home Assistant discovers a table without configuration. No I/O here.

The message is Home Assistant's own, with the keys of its MQTT integration's device discovery: no CloudEvent.
"""

import msgspec

from controller.floor.messages import Identity

CALLING = "data.alarms | rejectattr('over') | rejectattr('level', 'eq', 'information') | list | count"
"""The alarms that are active and call someone."""
ADDRESS = "{prefix}/device/{site}/{table}/config"


def identifier(name: str) -> str:
    """The name of a site or a table as Home Assistant's topics and identifiers take it."""
    return name.replace(".", "_")


def discovery(
    identity: Identity, prefix: str, version: str, jackpot: bool, link: str | None = None
) -> tuple[str, bytes]:
    """The retained message of a table's device below this prefix, with entities for the values that a pit needs most.

    A table without a `jackpot` has no pot among them; one with a `link` shows the pot of that.
    """
    site, table = identifier(identity.site), identifier(identity.table)
    device = f"dealer_station_{site}_{table}"
    base = identity.base
    entities: dict[str, tuple[str, str, str, dict[str, str | int]]] = {
        "state": ("State", f"{base}/state", "data.step.kind", {"icon": "mdi:cards-playing"}),
        "alarms": ("Alarms", f"{base}/state", CALLING, {"icon": "mdi:alert"}),
        "rounds_per_hour": (
            "Rounds per hour", f"{base}/statistics", "data.per_hour", {"unit_of_measurement": "1/h"}
        ),
    }  # fmt: skip
    if jackpot:
        topic, pot = f"{base}/jackpot", "data.pot"
        if link is not None:
            topic, pot = f"dealer/{identity.site}/links/{link}/pot", "pot"
        entities["pot"] = "Pot", topic, f"{pot} / 10 ** {identity.exponent}", _of_money(identity)
    content = {
        "device": {
            "identifiers": [device],
            "name": f"{identity.site} {identity.table}",
            "model": "Dealer Station",
            "sw_version": version,
        },
        "origin": {"name": "dealer-station", "sw_version": version},
        "availability": [
            {
                "topic": f"{base}/status",
                "value_template": "{{ 'online' if value_json.data.online else 'offline' }}",
            }
        ],
        "qos": 1,
        "components": {
            key: {
                "platform": "sensor",
                "unique_id": f"{device}_{key}",
                "name": name,
                "state_topic": topic,
                "value_template": f"{{{{ value_json.{value} }}}}",
                **options,
            }
            for key, (name, topic, value, options) in entities.items()
        },
    }
    return ADDRESS.format(prefix=prefix, site=site, table=table), msgspec.json.encode(content)


def _of_money(identity: Identity) -> dict[str, str | int]:
    return {
        "device_class": "monetary",
        "unit_of_measurement": identity.currency,
        "suggested_display_precision": identity.exponent,
    }

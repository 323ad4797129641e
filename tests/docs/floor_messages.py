"""The document of the floor's messages, its examples and its page: `make pages` writes them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.engine.state import events as of_table
from controller.engine.state import jackpot as of_jackpot
from controller.engine.state import law as of_law
from controller.engine.state.applied import Event
from controller.engine.state.events import LockedOut, LockLifted, SignedIn, SignedOut, SignInRefused
from controller.engine.state.persons import ChangeEntered, ChangeRejected, ChangesApproved, CorrectWager
from controller.floor import shapes
from controller.floor.asyncapi import document, text, topics
from controller.floor.messages import publications, unnumbered
from controller.link.messages import Contributed, Entry
from controller.rulebook import events as of_round
from controller.rulebook.games import GAMES, RoundEvent
from tests.engine.playing import IDENTITY, PARAMETERS
from tests.floor.happened import NOW, happened, messages, of_a_hit, of_a_witness

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "controller" / "floor" / "examples.json"
DOCUMENT = ROOT / "docs" / "asyncapi.json"
PAGE = ROOT / "docs" / "floor-messages.md"
HEADER = """\
# The floor's messages, one by one

A reference for engineers of floor systems. Begin with [how to receive the messages](floor.md). `make pages` writes it
from the shapes that are published; [asyncapi.json](asyncapi.json) is the same for tools (AsyncAPI 3.0).

Topics are below `dealer/{site}/{table}/`, and messages are sent with QoS 1; what the pit of a linked pot publishes has
QoS 0, and its pot is on `dealer/{site}/links/{link}/pot`. A key that is marked with `?` is not in every message. The
tables describe `data`; what is around it is the same in every message, except those of a linked pot,
`state/differences` and problems:
"""
PORT_OF_A_RECORDING = re.compile(rb'/[^" ]+/table/(?=s[a-z]+ )')
"""The folder of a recorded table, where the ports of its simulated devices were."""


def rare() -> Iterator[Event]:
    """What the recorded tables never came to, as it would be."""
    by = {"actor": "rui", "reason": "seen on the film"}
    yield of_table.TableClosed(actor="ana")
    yield of_table.NoBetMade(actor="ana", spread=True)
    yield of_table.ActsRecorded(acts=("cards_shown",), actor="ana", role="dealer")
    yield of_table.ChipPassedBy(seat=3, counter=7, edges=2)
    yield of_table.SensorDoubted(seat=3, counter=9)
    yield of_table.DeviceForgotten(device="shoe")
    yield of_table.OrdersSpent(last_order=512)
    yield of_table.DeckDoubted(found=51, missing=1, duplicated=0)
    yield of_table.ShufflerExchanged(actor="mei")
    yield of_table.CutCardOut(actor=None, one_more=True)
    yield of_table.PacketLoaded(count=52)
    yield of_table.ShufflerLoaded(actor="rui")
    yield of_table.CardsExtracted(count=208, missing=0, actor="rui")
    yield of_table.DamagedCardReported(to="seat 3", actor="ana")
    yield of_table.DamagedCardReplaced(**by)
    yield of_table.InspectionInformed(**by)
    yield of_table.ShufflerCleared(cleared_by="rui", technician=False, actor="rui")
    yield of_table.SlipPrinted(slip=3, times=2, actor="rui")
    yield of_table.RoundAdjusted(round=7, seat=3, amount=-5000, second="sol", after_claims=False, **by)
    lower = CorrectWager(input_id="", step_id="", actor="ana", seat=2, wager="ante", amount=500)
    nets = {"net_before": -200, "net_after": -100}
    yield ChangeEntered(1, lower, "ana", "dealer", two_persons=False, article=None, code=None, values={}, **nets)
    yield ChangesApproved(changes=(1, 2), second="sol", second_role="supervisor", **by)
    yield ChangeRejected(change=3, role="supervisor", **by)
    yield of_table.KeyReleased(round=7, second="sol", **by)
    yield of_table.JournalOvertaken(journal="0b5ae2d4", message=900, known=512)
    yield of_table.EpochBegun(second="sol", second_role="supervisor", **by)
    yield of_table.LinkOnPaper("5f1c/7", 712_345, (60_000,), second="sol", second_role="supervisor", **by)
    yield of_table.GrantCompared("5f1c/7", 712_345, second="sol", second_role="supervisor", **by)
    keys = ("casino.example/pit+1f2e3d4c+AQ==",)
    yield of_table.PitKeysConfigured(keys)
    yield of_table.PitAccepted(keys, second="sol", second_role="supervisor", **by)
    yield of_table.LinkVouched("5f1c", 17, "counts", second="sol", second_role="supervisor", **by)
    yield of_table.ComplaintOpened(complaint=1, round=7, seat=3, what="cards", by="Ana", actor="rui")
    yield of_table.ComplaintDecided(complaint=1, round=7, seat=3, outcome="unchanged", **by)
    yield of_round.SourceChosen(source="shoe", actor="rui")
    yield of_round.ShuffleLost()
    yield of_round.CountAsked(gap_cause="reports_lost", lost=1)
    yield of_round.UnreportedMatched(count=1)
    yield of_round.CountDoubted(count=17, actor="ana")
    yield of_round.IncrementEntered(amount=5000, actor="ana")
    yield of_round.CardsExposed(to="seat 2", count=1)
    yield of_round.CardsSetAside(to="seat 2", draws=(4,))
    yield of_round.ErrorCorrected(what="order", to="seat 2", actor="ana")
    yield of_round.CardsNulled(draws=(7, 8, 9), seat=5)
    yield of_round.RoundVoided(article="17.º 2", code="shuffler_failed", values={}, carried=(1,))
    yield of_round.CardsPending(count=12, actor="ana")
    yield of_jackpot.ParametersProposed(number=1, parameters_before=PARAMETERS, parameters_after=PARAMETERS)
    yield of_jackpot.ParametersApproved(number=1, actor="rui", role="supervisor")
    yield of_jackpot.ParametersWithdrawn(number=1)
    yield of_jackpot.ParametersScheduled(
        parameters_before=PARAMETERS,
        parameters_after=PARAMETERS,
        actor="configuration",
        approved_by=("ana", "rui"),
        roles=("dealer", "supervisor"),
    )
    yield of_law.RegulationApproved("94/2025", actor="ana", role="dealer")
    yield of_law.RegulationScheduled(
        "89/2025", "94/2025", "2025-11-18", approved_by=("ana", "rui"), roles=("dealer", "supervisor")
    )
    yield of_law.RegulationChanged("89/2025", "94/2025", "2025-11-18")
    yield of_jackpot.ContributionReturned(
        round=7, seat=3, from_pot_e4=3_500_000, from_reserve_e4=500_000, from_overflow_e4=0
    )
    yield of_jackpot.HitWithdrawn(hit=2, amount=60_000, from_pot=60_000, from_house=0)
    yield of_jackpot.PotRestarted(from_reserve_e4=500_000, from_house_e4=3_999_500_000, parameters=PARAMETERS)
    yield of_jackpot.RestartWithdrawn(
        from_reserve_e4=500_000, from_house_e4=3_999_500_000, parameters=PARAMETERS, scheduled=None
    )
    yield of_jackpot.CardsWitnessed(round=7, of_hits=(1, 2), actor="rui", second="ana", second_role="dealer")
    yield of_jackpot.MeterAdjusted(part="pot", amount=100, second="sol", **by)
    yield SignedIn(name="ana", role="dealer", address="127.0.0.1", screen="3f9a", first_login=False)
    yield SignedOut(name="ana", role="dealer", address="127.0.0.1", how="idle")
    at: Any = {"address": "127.0.0.1", "screen": "3f9a", "screen_persons": ("ana", "rui")}
    yield SignInRefused(name="ana", role="dealer", reason="wrong_pin", **at)
    yield LockedOut(name="ana", role="dealer", failures=5, seconds=60, **at)
    yield LockLifted(name="ana", role="dealer", address="127.0.0.1", actor="rui")
    yield of_table.MessageUntaken(message=17, topic="rounds", payload="", details="it is too long for the broker")
    yield of_table.MessageSetAside(message=17, topic="rounds", **by)
    yield of_table.JournalPruned(first=1, last=100_000, segments=4, hash="5f1c", before="2026-02-12T00:00:00.000Z")
    yield of_table.LinkJoined(link="hall", table="macau-1/fortune-1", game="fortune-3-card-poker-2025")
    yield of_table.LinkRecorded(Entry("hall", "macau-1/fortune-1", "5f1c", 17, Contributed(7, 3, 1, 1_200_000)))
    yield from _of_a_kind_of_play()


def _of_a_kind_of_play() -> Iterator[Event]:
    """Events of one kind of play alone, found by their tags: their games keep them."""
    known = {str(arg.__struct_config__.tag): arg for arg in RoundEvent.__args__}
    yield known["card_uncalled"](draw=9, what="unasked", to="seat 3")
    yield known["uncalled_settled"](draw=9, seen=True, actor="rui")
    yield known["card_annulled"](draw=9)
    yield known["card_taken"](draw=9, to="seat 3")
    yield known["form_announced"](form="", seat=2, actor="ana")


def examples() -> dict[str, Any]:
    """One message of each kind: of the recorded tables, of a hit that is paid, or what it would be."""
    found: dict[str, Any] = {}
    for game in GAMES:
        for _, payload in messages(game):
            _keep(found, payload)
    for payload in (*of_a_hit(), *of_a_witness()):
        _keep(found, payload)
    table = next(moment.after for moment in happened("fortune-3-card-poker-2025") if moment.after.round is not None)
    for event in rare():
        _keep(found, publications(IDENTITY, event, table, table, 32, NOW)[0].payload)
    archive = shapes.PublishedArchive(shapes.SCHEMA, "hall", IDENTITY.journal, 32)
    answer = shapes.PublishedAnswer(shapes.SCHEMA, request="replay", first=17, last=21, count=5)
    for kind, content in (("archive", archive), ("answer", answer)):
        _keep(found, unnumbered(IDENTITY, kind, content, NOW, 1 if kind == "archive" else None))
    return {topic.kind: found[topic.kind] for topic in topics()}


def _keep(found: dict[str, Any], payload: bytes) -> None:
    message = json.loads(PORT_OF_A_RECORDING.sub(b"/dev/serial/by-id/", payload))
    found.setdefault(message["type"].removeprefix("dealer.station."), message)


def page() -> str:
    """The page, from the document."""
    api = document()
    messages, schemas = api["components"]["messages"], api["components"]["schemas"]
    numbered, retained = (messages[kind]["payload"] for kind in ("round", "status"))
    envelope = {
        "properties": {**numbered["properties"], "session": retained["properties"]["session"]},
        "required": [key for key in retained["required"] if key != "session"],
    }
    lines = [HEADER, _table(envelope)]
    for key, channel in api["channels"].items():
        if key.startswith("link."):
            lines += _of_link(key, channel, api)
            continue
        if key == "state.differences":
            [message] = channel["messages"].values()
            lines.append(f"## {channel['address'].removeprefix('dealer/{site}/{table}/')}\n")
            lines.append(f"{channel['description']} `{message['contentType']}`, in no envelope.\n")
            lines.append(_table(schemas[_name(message["payload"])]))
            continue
        kind = "answer" if key == "answers" else next(iter(channel["messages"]))
        if kind not in messages:
            lines += _request(channel, api["operations"][f"receive.{key}"], schemas)
            continue
        request = f"receive.{key}" in api["operations"]
        mqtt = api["operations"][f"{'receive' if request else 'send'}.{key}"]["bindings"]["mqtt"]
        kept = ", retained" if mqtt["retain"] else ""
        lines.append(f"## {channel['address'].removeprefix('dealer/{site}/{table}/')}\n")
        lines.append(f"{channel['description']} `{kind}`{kept}{', received' if request else ''}.\n")
        lines.append(_table(schemas[_name(messages[kind]["payload"]["properties"]["data"])]))
    lines.append("## Parts\n")
    tops = {_name(sent["payload"]["properties"]["data"]) for sent in messages.values()} | {
        "Replay",
        "Rebirth",
        "Acknowledgement",
        "StateDifference",
    }
    for name, shape in schemas.items():
        if name not in tops and "properties" in shape:
            lines += [f"### {name}\n", f"{shape['description']}\n", _table(shape)]
    lines.append("## Lists of values\n")
    for name, shape in schemas.items():
        if "enum" in shape:
            lines += [f"### {name}\n", f"{_values(shape)}.\n"]
    return "\n".join(lines).rstrip("\n") + "\n"


def _of_link(key: str, channel: dict[str, Any], api: dict[str, Any]) -> list[str]:
    [message] = channel["messages"].values()
    request = f"receive.{key}" in api["operations"]
    retained = api["operations"][f"{'receive' if request else 'send'}.{key}"]["bindings"]["mqtt"]["retain"]
    how = f"{', retained' if retained else ''}{', received' if request else ''}"
    type_name = _type_name(message["payload"])
    return [f"## {channel['address']}\n", f"{channel['description']} In no envelope{how}: {type_name}.\n"]


def _request(channel: dict[str, Any], request: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    [message] = channel["messages"].values()
    answered = "answered on its response topic, or on `answers/{asker}`" if "reply" in request else "its answer is the"
    answered += "" if "reply" in request else " archive's retained topic; a refusal goes to its response topic, or to"
    answered += "" if "reply" in request else " `answers/{archive}`"
    lines = [f"## {channel['address'].removeprefix('dealer/{site}/{table}/')}\n"]
    lines.append(f"{channel['description']} Received by a station that uses MQTT 5; {answered}.\n")
    return [*lines, _table(schemas[_name(message["payload"])])]


def _table(shape: dict[str, Any]) -> str:
    rows = ["| Key | Type | Meaning |", "| --- | --- | --- |"]
    for key, schema in shape["properties"].items():
        mark = "" if key in shape["required"] else "?"
        kind = "object" if key == "data" else "text" if key in ("type", "dataschema") else _type_name(schema)
        rows.append(f"| `{key}`{mark} | {kind} | {schema['description']} |")
    return "\n".join(rows) + "\n"


def _name(reference: dict[str, Any]) -> str:
    return str(reference["$ref"]).rsplit("/", 1)[1]


def _values(schema: dict[str, Any]) -> str:
    return ", ".join(f"`{value}`" for value in schema["enum"])


def _type_name(schema: dict[str, Any]) -> str:
    """The type of a schema in words."""
    if "$ref" in schema:
        return f"[{_name(schema)}](#{_name(schema).lower()})"
    if "anyOf" in schema:
        return " or ".join(_type_name(part) for part in schema["anyOf"])
    if "enum" in schema:
        return _values(schema)
    if isinstance(schema["type"], list):
        return " or ".join(
            _type_name({**schema, "type": part} if part != "null" else {"type": part}) for part in schema["type"]
        )
    if schema["type"] == "array":
        return f"list of {_type_name(schema['items'])}"
    if schema["type"] == "object":
        return f"by name: {_type_name(schema['additionalProperties'])}"
    return {"string": "text", "date-time": "time"}.get(schema.get("format", schema["type"]), str(schema["type"]))


if __name__ == "__main__":
    EXAMPLES.write_text(json.dumps(examples(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    DOCUMENT.write_text(text(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")

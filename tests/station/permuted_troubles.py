"""What goes wrong at a watched table: devices, the journal, defects, and persons who say what they should not."""

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from drivers.device import DeviceMessage
from drivers.messages import (
    CardDrawn,
    CardDrawnOutOfTurn,
    DeckChecked,
    LinkLost,
    LinkUp,
    Misread,
    PacketDispensed,
    ReportsLost,
    ShufflerHello,
)
from tests.station.permuted_play import Dealer, Trouble
from tests.station.permuted_station import SEATS, until
from tests.station.screen import active_alarms

REPEATED = "2c 2c 3d"  # not three cards of a deck, whatever is there


async def probe(dealer: Dealer) -> None:
    """Ask and say at a step what it does not want."""
    table, step = dealer.table, dealer.step
    for place in ("bank", "community", "discard", *(f"seat {seat}" for seat in range(1, SEATS + 2))):
        if step["kind"] != "reveal" or place not in step["to"]:
            await table.say("reveal", to=place)
            await table.say("reveal", to=place, cards="As Kd Tc")
        elif step.get("key_in"):
            await table.say("reveal", to=place, cards=REPEATED)
    for seat in (0, 1, 2, 7):
        await table.say("decide", seat=seat, decision="play" if step["kind"] != "decisions" else "raise")
    await table.say("confirm", step_id="1/confirm")
    await table.say("confirm", actor="mei")
    await table.say("reveal", to=["As"])
    await table.say("wager", seat=1, wager="As", amount=1)
    await table.post(b'{"kind":"reveal","to":')
    await dealer.settle("probed")


async def reports(dealer: Dealer) -> None:
    """Irregularities that a person reports without ending the round, and some that cannot have been."""
    report = f"{dealer.state['round']['id']}/report"
    for place in ("seat 1", "seat 9", "community"):
        await dealer.table.say("exposed", report, to=place)
        await dealer.settle("reported")


async def corrections(dealer: Dealer) -> None:
    """Corrections of what was keyed and read; the bank's to a card guessed, wherever that one is."""
    correct, bank = f"{dealer.state['round']['id']}/correct", dealer.state["round"]["shown"]["bank"]

    async def say(kind: str, actor: str = "ana", **fields: object) -> None:
        await dealer.table.say(kind, correct, actor, reason="miskeyed", **fields)
        await dealer.settle("corrected")

    for place in ("seat 1", "seat 2", "community", "bank"):
        await say("correct_cards", to=place, cards=REPEATED)
    for decision in ("play", "fold"):
        await say("correct_decision", seat=2, decision=decision)
    for guess in dealer.plan.guesses:
        for actor, cards in (("ana", f"{bank[:6]}{guess}"), ("rui", f"{bank[:6]}{guess}"), ("rui", bank)):
            await say("correct_cards", actor, to="bank", cards=cards)
    await say("correct_wager", seat=1, wager="ante", amount=30_000)
    await _judge(dealer)
    if dealer.state["round"]["shown"]["bank"] != bank:
        await say("correct_cards", "rui", to="bank", cards=bank)


async def _judge(dealer: Dealer) -> None:
    """Of what waits for a supervisor approve all but the first change, withdraw that, and reject what was refused."""

    async def say(kind: str, actor: str, changes: list[int], reason: str, second: str = "") -> int:
        signed = {"second": second} if kind == "approve_changes" else {}
        status = await dealer.table.say(kind, "changes", actor, changes=changes, reason=reason, **signed)
        await dealer.settle(kind)
        return status

    waiting: list[dict[str, Any]] = dealer.state["round"]["changes_waiting"]
    for number in (change["change"] for change in waiting):
        assert await say("approve_changes", "ana", [number], "my own") == 422
        await say("approve_changes", "rui", [number], "seen", "rui")
    for change in waiting[1:]:
        await say("approve_changes", "rui", [change["change"]], "seen", "ana" if change["two_persons"] else "")
    left = [change["change"] for change in dealer.state["round"]["changes_waiting"]]
    if left:
        assert await say("reject_changes", "ana", left[:1], "") == 200
    if left[1:]:
        assert await say("reject_changes", "rui", left[1:], "not seen") == 200
    assert dealer.state["round"]["changes_waiting"] == []


async def empty_seat(dealer: Dealer) -> None:
    """The cards dealt last were placed where no one has bet; later ones move up."""
    report = f"{dealer.state['round']['id']}/report"
    await dealer.table.say("to_empty_seat", report, meant_for="seat 2", seat=3)
    await dealer.settle("to an empty seat")


async def other_source(dealer: Dealer) -> None:
    """From now on the cards come from the shoe, where the table is asked for that."""
    await dealer.table.say("use_source", source="shoe")
    await dealer.settle("the other source")


async def unreported(dealer: Dealer) -> None:
    """A card was drawn and nothing of it received."""
    if await dealer.table.say("unreported_card") == 200:
        dealer.draw(1)
    await dealer.settle("card not received")


async def void(dealer: Dealer) -> None:
    """The supervisor makes the round void."""
    await dealer.table.say("void_round", f"{dealer.state['round']['id']}/report", "rui", reason="the lights went out")
    await dealer.settle("void by the supervisor")


async def misdealt(dealer: Dealer) -> None:
    """The dealer says that the order of the deal was wrong."""
    await dealer.table.say("misdealt", f"{dealer.state['round']['id']}/report", what="order")
    await dealer.settle("misdealt")


async def corrupt(dealer: Dealer) -> None:
    """A packet is not on the wire what it was in the machine, and is asked for again."""
    await dealer.deal_one(dealer.step, corrupt=True)
    await dealer.table.receive("shuffler", Misread)
    await dealer.settle("asked for again")


async def short(dealer: Dealer) -> None:
    """A packet lacks a card."""
    await dealer.deal_one(dealer.step, less=1)


async def unplug(dealer: Dealer) -> None:
    """The source is away and comes back."""
    line = dealer.table.lines[dealer.source]
    line.unplug()
    await dealer.table.receive(dealer.source, LinkLost)
    await dealer.settle("unplugged")
    line.plug()
    await dealer.table.receive(dealer.source, ShufflerHello if dealer.source == "shuffler" else LinkUp)
    await dealer.settle("plugged in")


async def journal(dealer: Dealer) -> None:
    """Cards are received while the journal cannot be written; anyone who answers the step meanwhile is notified so."""
    station, tries = dealer.table.station, dealer.table.writer.tries
    with dealer.table.journal_locked():
        assert await dealer.table.say("confirm") == 503
        await dealer.send_one(dealer.step)
        tries.release()
        await until(lambda: b"commit_failures_total 2.0" in station.view.metrics(), "two failed commits")
        await dealer.table.settle("journal locked", durable=False)
    tries.release()
    await until(lambda: "journal" not in active_alarms(json.loads(station.view.projection())), "the journal")
    await dealer.settle("journal free")
    assert await dealer.table.say("acknowledge", "table", alarm="journal") == 200
    await dealer.settle("journal acknowledged")


async def stray(dealer: Dealer) -> None:
    """Cards are received that no one waits for."""
    table, cards = dealer.table, _some(dealer.strays)
    if dealer.source == "shuffler":
        table.shuffler.packet(9999, cards)
        await table.receive("shuffler", PacketDispensed)
    else:
        table.shoe.card(cards[0], out_of_turn=True)
        await table.receive("shoe", CardDrawnOutOfTurn)
        await dealer.settle("out of turn")
        if dealer.step["kind"] != "deal":
            table.shoe.card(cards[1])
            await table.receive("shoe", CardDrawn)
    await dealer.settle("stray cards")


async def checked(dealer: Dealer) -> None:
    """The shuffler names cards that its deck lacks and has twice."""
    missing, duplicate = _some(dealer.strays)
    dealer.table.shuffler.checked([missing], [duplicate])
    await dealer.table.receive("shuffler", DeckChecked)
    await dealer.settle("deck checked")


async def lost(dealer: Dealer) -> None:
    """A report of the shoe never comes; the card after it does."""
    _, card = dealer.draw(2)
    dealer.table.shoe.lose_a_report()
    dealer.table.shoe.card(card)
    await dealer.table.receive("shoe", ReportsLost)
    await dealer.settle("report lost")
    await dealer.table.receive("shoe", CardDrawn)
    await dealer.settle("card after it")


async def defect(dealer: Dealer) -> None:
    """The station stumbles over a message, with cards in the error's text."""
    packet = PacketDispensed(dealer.step.get("order", 1), Stumbling(_some(dealer.strays)))
    dealer.table.let_in(DeviceMessage(dealer.source, packet, None))
    await dealer.settle("defect")


async def tripped(dealer: Dealer) -> None:
    """The station stumbles when a hand is to be turned, with every card in the error's text."""
    loop = dealer.table.station.loop
    kept, loop._vault = loop._vault, Tripping(loop._vault)
    assert await dealer.table.say("reveal", to=dealer.step["to"][0]) == 500
    loop._vault = kept
    await dealer.settle("tripped")


class Stumbling(tuple[str, ...]):
    """Cards that cannot be reported one by one without an error that names them."""

    def __iter__(self) -> NoReturn:
        raise ValueError(f"what are {self[0]} and {self[1]}?")


class Tripping(dict[int, Any]):
    """A vault that opens with an error that names what is in it."""

    def _trip(self, *_: object) -> NoReturn:
        raise ValueError(f"{list(dict.values(self))} in the wrong hands")

    get = values = items = __getitem__ = _trip


def _some(cards: Iterator[str]) -> tuple[str, str]:
    return next(cards), next(cards)


TROUBLES: dict[str, Trouble] = {
    trouble.__name__: trouble
    for trouble in (
        *(probe, reports, corrections, empty_seat, void, misdealt, other_source, unreported, tripped, defect),
        *(corrupt, short, unplug, journal, stray, checked, lost),
    )
}

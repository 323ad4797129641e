"""What the links and the devices' own troubles mean to the table. No I/O here."""

from collections.abc import Iterator

from controller.engine import inputs as heard
from controller.engine.decide_void import cut_card_out, void
from controller.engine.due import trouble_now
from controller.engine.events import (
    DealerTold,
    DeviceForgotten,
    DeviceLost,
    DeviceReported,
    DeviceUp,
    Event,
    OrdersSpent,
    ShufflerKnown,
    Told,
)
from controller.engine.table import Table, apply
from controller.rulebook.events import ShuffleLost
from controller.rulebook.game import Game
from controller.rulebook.round import ORDERS_PER_ROUND, next_order

TOLD_OF: dict[str, Told] = {"cut_card": "cut_card", "damaged_card": "damaged_card"}


def configured(table: Table, input: heard.DevicesConfigured) -> Iterator[Event]:
    """Forget the devices that the configuration no longer has."""
    for device in sorted(set(table.devices) - set(input.devices)):
        yield DeviceForgotten(device=device)


def link(table: Table, input: heard.DeviceFound | heard.DeviceMissed) -> Iterator[Event]:
    """A link is there or away; only the edges are events."""
    state = table.devices.get(input.device)
    match input:
        case heard.DeviceFound(device=device, outage_ms=outage_ms, tries=tries) if not isinstance(state, DeviceUp):
            yield DeviceUp(device=device, outage_ms=outage_ms, tries=tries)
        case heard.DeviceMissed(device=device, reason=reason) if not isinstance(state, DeviceLost):
            yield DeviceLost(device=device, reason=reason)


def said(table: Table, game: Game, input: heard.DeviceSaid) -> Iterator[Event]:
    """A device reports of itself; a jam in the deal is its failure (17.º 2)."""
    yield DeviceReported(device=input.device, what=input.what, text=input.text)
    if input.what == "cut_card":
        yield from cut_card_out(table, game)
    if input.what in TOLD_OF:
        yield DealerTold(notice=TOLD_OF[input.what])
    if input.what == "jam":
        cell = trouble_now(table, game, "shuffler", "jam")
        if cell.action == "void":
            yield from void(table, cell.citation, "the shuffler jammed while dealing")


def greeted(table: Table, game: Game, input: heard.ShufflerGreeted) -> Iterator[Event]:
    """The shuffler says who it is: one switched on anew has forgotten the order of the deck, and its orders."""
    events: list[Event] = []
    if input.boot != table.shuffler_boot:
        events.append(ShufflerKnown(boot=input.boot))
    round = table.round
    given = table.rounds * ORDERS_PER_ROUND + ORDERS_PER_ROUND - 1 if round is None else next_order(round)
    spent = input.last_order > max(given, table.orders_spent)
    if spent:
        # A machine that has carried out orders this journal never gave ignores every number up to its last one.
        events.append(OrdersSpent(last_order=input.last_order))
    yield from events
    yield from _right_machine(table, game, input)
    if (table.shuffler_boot and events) or spent:
        for event in events:
            table = apply(table, event)
        cell = trouble_now(table, game, "shuffler", "restarted")
        if cell.action == "void":
            yield from void(table, cell.citation, "the shuffler was switched on anew, or is another one, while dealing")
        elif cell.action == "hold":
            yield ShuffleLost(reason="the shuffler was switched on anew, or is another one")


def _right_machine(table: Table, game: Game, input: heard.ShufflerGreeted) -> Iterator[Event]:
    """A shuffler that deals in packets and one that gives single cards do not stand in for each other."""
    wanted = "continuous" if game.continuous else "batch"
    if input.mode not in (None, wanted):
        text = f"a {input.mode} shuffler is connected; this game is dealt from a {wanted} one"
        yield DeviceReported(device="shuffler", what="wrong_machine", text=text)
    elif "shuffler-machine" in table.troubles:
        yield DeviceReported(device="shuffler", what="right_machine", text=f"a {wanted} shuffler is connected")

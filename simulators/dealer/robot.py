"""The robot dealer: does what the prompt asks with real cards and chips, once, however often the station dies."""

import asyncio
from collections.abc import Callable
from typing import Any

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.lock_in import LockIn
from simulators.dealer.settling import JACKPOT, settle_line
from simulators.dealer.station_desk import NoProgress, StationDesk, prompt_of
from simulators.devices.shoe import SHOE, Shoe
from simulators.devices.shuffler import TRAY, Shuffler
from simulators.felt.deck import Orders
from simulators.felt.players import Bets, Players
from simulators.felt.table import DISCARD, Table, seat_place
from simulators.pace import Pace

GLANCE_SECONDS = 0.1  # the robot looks again at least this often
PHASES_BEFORE_BETS = ("shuffle", "wagers")


class Robot:
    """Acts on what it sees, piece by piece: each `_step` does one thing, or nothing when it has to wait."""

    def __init__(
        self,
        desk: StationDesk,
        table: Table,
        players: Players,
        lock_in: LockIn,
        machine: Shuffler | Shoe,
        orders: Orders,
        pace: Pace,
        bell: asyncio.Event,
        rounds: int | None,
        played: Callable[[int, str], None],
    ) -> None:
        self._desk = desk
        self._table = table
        self._players = players
        self._lock_in = lock_in
        self._machine = machine
        self._orders = orders
        self._pace = pace
        self._bell = bell
        self._rounds = rounds
        self._played = played
        self._in_round = False
        self._began = False
        self._bets: dict[int, Bets] | None = None
        self._announced = False
        self._choices: dict[int, str] | None = None
        self._done: set[str] = set()  # ids of steps whose work with the hands is done
        self._outcome = ""
        self._gathered = True
        self._handed_over: set[int] | None = None

    async def play(self) -> int:
        """Play until the table is closed after the wanted rounds; how many were played. Raises NoProgress."""
        while True:
            self._bell.clear()
            view = self._desk.view()
            if view is not None:
                self._greet(view)
                if view["step"]["kind"] == "open" and self._finished():
                    return self._table.camera.round
            busy = view is not None and await self._step(view)
            self._desk.watch(self._desk.view(), busy)
            if not busy:
                await wait_for(self._bell, GLANCE_SECONDS)

    def _finished(self) -> bool:
        return self._rounds is not None and self._table.camera.round >= self._rounds and not self._in_round

    def _greet(self, view: Projection) -> None:
        """At the first sight of the station: nothing of a round may be on its screen that is not on this table."""
        if self._handed_over is not None:
            return
        hits = view.get("jackpot", {}).get("hits", []) if view.get("jackpot") else []
        self._handed_over = {hit["hit"] for hit in hits if hit["state"] == "paid"}
        going_on = view.get("round")
        if going_on and (going_on["phase"] not in PHASES_BEFORE_BETS or going_on.get("wagers")):
            raise NoProgress(f"the station is in the middle of a round this table knows nothing of, {prompt_of(view)}")

    async def _step(self, view: Projection) -> bool:
        """Do one thing the table or the prompt asks for; False when there is nothing to do."""
        if isinstance(self._machine, Shuffler) and self._machine.tray_order is not None:
            return await self._take_packet(self._machine, view)
        if await self._confirm_hits(view):
            return True
        step = view["step"]
        match step["kind"]:
            case "open":
                return await self._end_round() or await self._desk.say(view, [{"kind": "open_table"}])
            case "begin":
                return await self._begin(view)
            case "shuffle":
                self._ensure_round()
                return await self._shuffle(view)
            case "wagers":
                self._ensure_round()
                return await self._take_bets(view)
            case "deal":
                return await self._sweep(view) or await self._draw(view)
            case "decisions":
                return await self._sweep(view) or await self._ask_players(view)
            case "reveal":
                return await self._reveal(view)
            case "confirm":
                return await self._settle(view)
            case "claims":
                return await self._close_claims(view)
        return False

    async def _begin(self, view: Projection) -> bool:
        if await self._end_round():
            return True
        if self._rounds is not None and self._table.camera.round >= self._rounds:
            return await self._desk.say(view, [{"kind": "close_table"}])
        if not self._gathered or self._table.deck.count(*self._table.places):
            await self._gather()
        return await self._desk.say(view, [{"kind": "begin_round"}])

    def _ensure_round(self) -> None:
        """The dealer has begun a round: people may bet."""
        if not self._in_round:
            self._in_round = True
            self._gathered = False
            self._bets, self._announced, self._choices = None, False, None
            self._done.clear()
            self._outcome = "no settlement"
            self._lock_in.new_round()
            self._table.begin_round()

    async def _shuffle(self, view: Projection) -> bool:
        if isinstance(self._machine, Shuffler):
            if self._table.deck.count(*self._table.places):
                await self._gather()
                self._gathered = False
                return True
            return False
        if view["step"]["id"] not in self._done:
            self._done.add(view["step"]["id"])
            self._table.deck.gather(self._table.places, SHOE)
            await self._pace.person(hands.SHUFFLE_BY_HAND_SECONDS)
            self._machine.load(self._orders.next())
        return await self._desk.say(view, [{"kind": "shuffled"}])

    async def _take_bets(self, view: Projection) -> bool:
        if self._bets is None:
            self._bets = self._players.bets()
            for seat, bets in self._bets.items():
                for wager, amount in bets.wagers.items():
                    self._table.lay_wager(seat, wager, amount)
                if bets.chip:
                    self._table.lay_chip(seat)
            await self._pace.person(hands.LAY_BETS_SECONDS)
        if not self._announced:
            items = [
                {"kind": "wager", "seat": seat, "wager": wager, "amount": amount, "player": self._players.names[seat]}
                for seat, bets in self._bets.items()
                for wager, amount in bets.wagers.items()
            ]
            self._announced = await self._desk.say(view, items)
            return True
        return await self._lock_in.press(lambda: self._moved_on("wagers"))

    def _moved_on(self, kind: str) -> bool:
        view = self._desk.view()
        return view is not None and view["step"]["kind"] != kind

    async def _sweep(self, view: Projection) -> bool:
        if self._lock_in.swept:
            return False
        if not await self._lock_in.wait_for_lamp():
            self._lock_in.missed_lamp()
        await self._pace.person(hands.SWEEP_SECONDS)
        self._table.sweep_slots()
        self._lock_in.swept = True
        return True

    async def _take_packet(self, machine: Shuffler, view: Projection) -> bool:
        order = machine.tray_order
        places = packet_places(view, order)
        count = self._table.deck.count(TRAY)
        if places is None:
            if view["step"]["kind"] not in ("open", "begin", "shuffle", "claims"):
                return False
            places = [DISCARD] * count  # of a round that was broken off
        if len(places) != count:
            raise NoProgress(f"{count} cards in the tray, {len(places)} places for them at {prompt_of(view)}")
        if not self._lock_in.swept and self._in_round:
            await self._sweep(view)
        await self._pace.person(hands.LAY_CARDS_SECONDS)
        for place in places:
            self._table.lay_card(TRAY, place)
        machine.packet_taken()
        return True

    async def _draw(self, view: Projection) -> bool:
        """Draw one card for this step, once: whether the station heard of it or not, the card is out of the shoe."""
        shoe, step = self._machine, view["step"]
        if isinstance(shoe, Shuffler) or step["id"] in self._done or shoe.locked:
            return False
        self._done.add(step["id"])
        await self._pace.person(hands.LAY_CARDS_SECONDS)
        place = first_place(step["to"])
        self._table.card_laid(place, await shoe.draw(place))
        return True

    async def _ask_players(self, view: Projection) -> bool:
        if self._choices is None:
            self._choices = {}
            for seat, sitting in self._table.seats.items():
                if "ante" in sitting.wagers:
                    await self._pace.person(hands.LOOK_AND_DECIDE_SECONDS)
                    play = self._players.plays(self._table.deck.at(seat_place(seat)))
                    self._table.decide(seat, play)
                    self._choices[seat] = "play" if play else "fold"
        waiting = [int(seat) for seat in view["step"]["waiting"]]
        if strangers := [seat for seat in waiting if seat not in self._choices]:
            raise NoProgress(f"a decision is wanted from seats without an ante {strangers}, {prompt_of(view)}")
        items: list[dict[str, Any]] = [
            {"kind": "decide", "seat": seat, "decision": self._choices[seat]} for seat in waiting
        ]
        return await self._desk.say(view, items)

    async def _reveal(self, view: Projection) -> bool:
        place = first_place(view["step"]["to"])
        if place not in self._table.turned:
            await self._pace.person(hands.TURN_SECONDS)
            if not self._table.turn(place):
                raise NoProgress(f"no cards lie at {place}, {prompt_of(view)}")
        return await self._desk.say(view, [{"kind": "reveal", "to": place}])

    async def _settle(self, view: Projection) -> bool:
        if view["step"]["id"] not in self._done:
            settlement = view["round"]["settlement"] or {"outcome": "void", "seats": {}}
            self._done.add(view["step"]["id"])
            self._outcome = settlement.get("outcome", "settled")
            for seat, settled in settlement["seats"].items():
                for line in settled["lines"]:
                    await self._pace.person(hands.PAY_SECONDS)
                    settle_line(self._table, int(seat), line)
        return await self._desk.say(view, [{"kind": "confirm"}])

    async def _confirm_hits(self, view: Projection) -> bool:
        """Two people confirm a hit; when the station counts it as paid, the award is handed over, once."""
        acted = False
        for hit in (view.get("jackpot") or {}).get("hits", []):
            number, state = hit["hit"], hit["state"]
            assert self._handed_over is not None
            if state == "payable":
                people = [self._desk.dealer, self._desk.supervisor]
                items = [
                    {"kind": "confirm_hit", "step_id": f"hit/{number}", "hit": number, "actor": person}
                    for person in people
                    if person and person not in hit.get("confirmed_by", [])
                ]
                acted |= bool(items) and await self._desk.say(view, items)
            elif state == "paid" and number not in self._handed_over:
                self._handed_over.add(number)
                await self._pace.person(hands.HAND_OVER_SECONDS)
                self._table.pay(int(hit["seat"]), JACKPOT, int(hit["amount"]))
                acted = True
        return acted

    async def _close_claims(self, view: Projection) -> bool:
        if isinstance(self._machine, Shuffler):
            if self._gathered:
                return False
            self._give_back_rest()
            await self._gather()
            return True
        self._give_back_rest()
        return await self._desk.say(view, [{"kind": "close_claims"}])

    def _give_back_rest(self) -> None:
        """What no settlement spoke of, as in a round broken off, goes back to the players."""
        if left := self._table.clear_felt():
            self._outcome += f", given back: {', '.join(left)}"

    async def _gather(self) -> None:
        """All cards of the table back to where they are shuffled."""
        self._gathered = True
        await self._pace.person(hands.GATHER_SECONDS)
        if isinstance(self._machine, Shuffler):
            await self._machine.insert(self._table.places)
        else:
            self._table.deck.gather(self._table.places, SHOE)

    async def _end_round(self) -> bool:
        if not self._in_round:
            return False
        self._give_back_rest()
        if not self._gathered:
            await self._gather()
        self._in_round = False
        self._table.camera.saw("round_end")
        self._played(self._table.camera.round, self._outcome)
        return True


def packet_places(view: Projection, order: int | None) -> list[str] | None:
    """Where the packet with this order number goes, by the prompt or by what was dealt before."""
    if view["step"].get("order") == order and "to" in view["step"]:
        return list(view["step"]["to"])
    for dealt in (view.get("round") or {}).get("dealt", []):
        if dealt.get("order") == order:
            return list(dealt["to"])
    return None


def first_place(to: str | list[str]) -> str:
    """The one place a prompt for one card or one hand names, as text or as a list of one."""
    return to if isinstance(to, str) else to[0]


async def wait_for(bell: asyncio.Event, seconds: float) -> None:
    """Wait until the bell rings, but no longer than this."""
    try:
        async with asyncio.timeout(seconds):
            await bell.wait()
    except TimeoutError:
        pass

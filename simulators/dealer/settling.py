"""Paying and collecting by the station's settlement, with real chips, and the end of the round."""

from typing import Any

from simulators.dealer import hands
from simulators.dealer.entered import is_locked
from simulators.dealer.http_face import Input, Projection
from simulators.dealer.memory import AnyWorkplace, RoundMemory, is_void, source_of
from simulators.dealer.round_desk import AnyDesk, AtDesk
from simulators.dealer.sources import Sources
from simulators.felt.table import Felt

NO_STAKE_OF_ITS_OWN = {"ante_bonus"}  # computed on the ante, which is settled in its own line
CLEARED = "cleared"  # the cards leave the table
CLOSE: Input = {"kind": "close_claims"}
NO_SETTLEMENT: dict[str, Any] = {"outcome": "void", "bank": None, "seats": []}
JACKPOT = "jackpot"  # its chip is swept at lock-in, its award handed over when two people have confirmed it


class Settling(AtDesk[Any]):
    """The settlement of one round."""

    async def at_once(self, view: Projection) -> bool:
        """Settles decided bets while the round continues."""
        return False

    async def settle(self, view: Projection) -> bool:
        """Carries out the settlement once, then confirms it."""
        memory = self._memory
        if view["step"]["id"] not in memory.done:
            memory.done.add(view["step"]["id"])
            settlement = view["round"]["settlement"] or NO_SETTLEMENT
            memory.outcome = settlement["outcome"]
            await self._settle_lines(view, settlement)
            if is_void(view) or memory.outcome == "void":
                give_everything_back(self._at.table, memory, view)
                memory.deck_doubted |= "complete deck" in (view["round"].get("void") or {}).get("article", "")
        return await self._at.desk.say(view, [{"kind": "confirm"}])

    async def _settle_lines(self, view: Projection, settlement: dict[str, Any]) -> None:
        for settled in settlement["seats"]:
            for line in settled["lines"]:
                await self._at.pace.person(hands.PAY_SECONDS)
                settle_line(self._at.table, self._memory.seat(settled["seat"]), line)


def seat_settled(settlement: dict[str, Any], seat: int) -> dict[str, Any]:
    """The part of a settlement for one seat; empty if there is none."""
    return next((result for result in settlement["seats"] if result["seat"] == seat), {})


def settle_line(table: Felt[Any], seat: int, line: dict[str, Any]) -> None:
    """Pays or collects one line of a seat's settlement, for its player if it names one."""
    wager, outcome, net, player = line["wager"], line["outcome"], int(line["net"]), line.get("player")
    if wager == JACKPOT:
        return
    if wager not in NO_STAKE_OF_ITS_OWN:
        if outcome == "lose":
            table.collect(seat, wager, player)
        else:
            table.hand_back(seat, wager, player)
    if outcome == "win":
        table.pay(seat, wager, net, player)


def give_everything_back(table: Felt[Any], memory: RoundMemory, view: Projection) -> None:
    """Gives back all wagers and doubles of a void round, and chips that are neither decided nor carried (17.º 3)."""
    table.clear_felt()
    memory.late_chips.clear()
    carried, decided = carried_seats(view), decided_seats(view)
    for seat, sitting in table.seats.items():
        if sitting.chip_swept and seat not in decided:
            if seat in carried:
                table.carry_chip(seat)
            else:
                table.hand_chip_back(seat)


def carried_seats(view: Projection) -> set[int]:
    """The seats whose chips a void round carries."""
    round = view["round"]
    seats = (round["settlement"] or NO_SETTLEMENT)["seats"]
    carried = {seat["seat"] for seat in seats if any(line.get("chip_carried") for line in seat["lines"])}
    return carried | set((round.get("void") or {}).get("carried", ()))


def decided_seats(view: Projection) -> set[int]:
    """The seats whose chip has won or lost although the round is void."""
    seats = (view["round"]["settlement"] or NO_SETTLEMENT)["seats"]
    return {
        seat["seat"]
        for seat in seats
        if any(line["wager"] == JACKPOT and line["outcome"] != "void" for line in seat["lines"])
    }


def is_kept_on_table(view: Projection) -> bool:
    """Whether the station keeps the cards of the round on the table: a hit is not paid, or a complaint is open."""
    return is_locked(CLOSE, view)


def open_hits(view: Projection) -> list[dict[str, Any]]:
    """The hits that keep the cards of the round on the table: neither paid nor recorded by two persons who saw them."""
    number = (view.get("round") or {}).get("id")
    hits = (view.get("jackpot") or {}).get("hits", [])
    return [hit for hit in hits if hit["round"] == number and hit["state"] != "paid" and not hit.get("witnessed_by")]


class Prizes:
    """The hands of the two persons who handle prizes of the pot; a prize marked as paid is handed over once."""

    def __init__(self, workplace: AnyWorkplace) -> None:
        self._at = workplace
        self.handed_over: set[int] | None = None  # hits; None before the station's screen was seen
        self._seen: set[int] = set()  # hits whose cards two persons have looked at

    async def look_after(self, view: Projection) -> bool:
        """Pays the next hit of each round, or records the cards of winners whose money is being fetched."""
        if self._fetched_first(view):
            return await self._record(view)
        acted, next_of_round = False, dict[int, int]()
        here = (view.get("round") or {}).get("id")
        for hit in (view.get("jackpot") or {}).get("hits", []):
            number, state = hit["hit"], hit["state"]
            assert self.handed_over is not None
            if state == "payable" and hit.get("witnessed_by") and hit["round"] == here:
                continue  # its money is on the way
            if state == "payable" and next_of_round.setdefault(hit["round"], number) == number:
                acted |= await self._pay(view, hit)
            elif state == "paid" and number not in self.handed_over:
                self.handed_over.add(number)
                await self._at.pace.person(hands.HAND_OVER_SECONDS)
                self._at.table.pay(int(hit["seat"]), JACKPOT, int(hit["amount"]), hit.get("player") or None)
                acted = True
        return acted

    async def _pay(self, view: Projection, hit: dict[str, Any]) -> bool:
        people = [self._at.desk.dealer, self._at.desk.supervisor]
        items = [
            {"kind": "confirm_hit", "hit": hit["hit"], "actor": person}
            for person in people
            if person and person not in hit.get("confirmed_by", [])
        ]
        return bool(items) and await self._at.desk.say(view, items)

    def _fetched_first(self, view: Projection) -> bool:
        """Whether the next prize is so large that its money is not at the table, in a game that lets the cards go."""
        why = (view["step"].get("illegal") or {}).get("close_claims") or {}
        if view["step"]["kind"] != "claims" or why.get("code") != "hit_unpaid_or_seen" or not self._at.desk.supervisor:
            return False
        return int(open_hits(view)[0]["amount"]) >= int(view["jackpot"]["minimum"])

    async def _record(self, view: Projection) -> bool:
        found = open_hits(view)
        if not self._seen >= {hit["hit"] for hit in found}:
            self._seen |= {hit["hit"] for hit in found}
            await self._at.pace.person(hands.HAND_OVER_SECONDS)
            self._at.table.camera.saw("cards_seen", seats=sorted({int(hit["seat"]) for hit in found}))
        item = {
            "kind": "witness_cards",
            "hits": [hit["hit"] for hit in found],
            "actor": self._at.desk.supervisor,
            "second": self._at.desk.dealer,
        }
        return await self._at.desk.say(view, [item])


def return_dropped_chips(table: Felt[Any], carried: set[int]) -> bool:
    """Hand back chips in the box that the station no longer carries over; returns whether there were any."""
    dropped = sorted(table.carried - carried)
    for seat in dropped:
        table.hand_chip_back(seat)
    return bool(dropped)


class Clearing(AtDesk[Any]):
    """The hands of one round that clear the table."""

    def __init__(self, desk: AnyDesk, sources: Sources) -> None:
        super().__init__(desk)
        self._sources = sources
        self._patience = hands.DealerPatience(self._at.desk.looked_at)

    def station_away(self) -> None:
        """Whether the station is offline: then no one loses patience with a machine."""
        self._patience.restart()

    async def close_claims(self, view: Projection) -> bool:
        """Gather the cards; if a machine counts them, this closes the claims.

        A person who has taken over enters that they are cleared away, and then the hands do it: until then players
        may complain.
        """
        if self._sources.shuffler_busy or is_kept_on_table(view):
            return False
        if self._at.desk.person.on and not self._memory.gathered:
            entered = await self._at.desk.say(view, [CLOSE])
            if entered:
                self._film_cleared()
            return entered
        self._film_cleared()
        if source_of(view) == "shuffler" and not self._memory.gathered:
            self.give_back_rest()
            await self._sources.gather(view, self._memory)
            return True
        if source_of(view) == "shuffler" and not self._unreported(view):
            return False
        self.give_back_rest()
        return await self._at.desk.say(view, [CLOSE])

    def _film_cleared(self) -> None:
        if CLEARED not in self._memory.done:
            self._memory.done.add(CLEARED)
            self._at.table.camera.saw(CLEARED)

    def give_back_rest(self) -> None:
        """Returns chips without a settlement to the players, as after a round that was broken off."""
        if left := self._at.table.clear_felt():
            self._memory.outcome += f", given back: {', '.join(left)}"

    def _unreported(self, view: Projection) -> bool:
        """Whether the cards go in unreported: the machine counts them; if its report is not received, the dealer
        reports that the table is cleared.
        """
        wait = self._at.patience(hands.WAIT_SECONDS, hands.WAIT_AT_MAX_SECONDS)
        return self._patience.lost(f"inserted {view['step']['id']}", wait)

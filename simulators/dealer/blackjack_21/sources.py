"""Dispenser and shoe of black-jack/21: a machine loaded once a session, and a shoe with a warning card."""

from simulators.dealer import hands
from simulators.dealer.blackjack_21.idle import IdleTable
from simulators.dealer.entered import ALARM_OF
from simulators.dealer.http_face import Input, Projection
from simulators.dealer.memory import RoundMemory, Workplace, source_of
from simulators.dealer.sources import MachineSources
from simulators.devices.card_machine import HOPPER, MACHINE
from simulators.devices.dispenser import LiddedDispenser
from simulators.felt.deck import SHOE
from simulators.felt.punters import Punters
from simulators.felt.table import BANK, DISCARD, seat_place

BEHIND_WARNING_CARD = 50  # cards (9)
DECLINES_TO_CUT = 0.25  # share of players who do not want to cut
THREE_PACKETS = 0.3


class LiddedSources(MachineSources):
    """Cards played wait on the discard rack until the shoe is shuffled again, or the machine's lid opens (59, 61).

    `waiting_rounds` are the rounds whose cards wait there, counted as the camera does.
    """

    def __init__(self, workplace: Workplace, dispenser: LiddedDispenser, punters: Punters, idle: IdleTable) -> None:
        super().__init__(workplace, dispenser)
        self._dispenser = dispenser
        self._punters = punters
        self._idle = idle
        self.waiting_rounds: list[int] = []
        # The machine reports what was put in, be the station away meanwhile.
        self._loaded_patience = hands.DealerPatience(workplace.desk.looked_at)
        self._done: set[str] = set()  # steps between rounds whose work with the hands is done
        self._cuts: dict[str, Input] = {}  # what each seat reported to the question whether it cuts

    async def look_after_shuffler(self, view: Projection) -> bool:
        """A jam and a damaged card are the chief inspector's; a lid that opens in a round is closed."""
        return (
            await self._replace_card(view)
            # The direction of the room informs the inspection; for a jam no technician was needed (51).
            or await self._enter(view, "inform_inspection", reason="informed")
            or await self._enter(view, "jam_cleared", cleared_by=self._at.desk.supervisor, technician=False)
            or await self.lend_hand(view)
        )

    async def lend_hand(self, view: Projection) -> bool:
        """A jam is cleared, and a lid that opens in a round is closed."""
        wanted_open = view["step"]["kind"] in ("load", "claims", "open", "extract")
        if self._dispenser.lid_open and wanted_open:
            return False
        return await super().lend_hand(view)

    async def choose(self, view: Projection, memory: RoundMemory) -> bool:
        """Does not change the source; a machine that was loaded before this table was set has its cards inside. No
        round begins while no one bets.
        """
        if await self._idle.here(view):
            await self._idle.report(view)
            return True
        out = self._at.table.deck.count(MACHINE, HOPPER) == 0 and not self.waiting_rounds
        if source_of(view) == "shuffler" and out:
            self._at.table.deck.gather([*self._at.table.places, SHOE], MACHINE)
        return False

    def may_begin(self, view: Projection) -> bool:
        """Whether a round may begin: not while the machine is offline."""
        return source_of(view) == "shoe" or self._shuffler_answers(view)

    def cards_left(self, view: Projection) -> bool:
        """Whether cards are on the felt; those on the discard rack wait there."""
        return self._at.table.deck.count(*(place for place in self._at.table.places if place != DISCARD)) > 0

    async def load(self, view: Projection) -> bool:
        """The cards go in, in two packets or three, and the chief inspector says so (53, 54)."""
        deck, machine = self._at.table.deck, self._dispenser
        if deck.count(MACHINE, HOPPER) == 0:
            deck.gather([*self._at.table.places, SHOE], DISCARD)
            machine.round_over()
        if machine.lid_open and deck.count(DISCARD):
            await self._at.pace.person(hands.SHUFFLE_BY_HAND_SECONDS)
            packets = 3 if self._at.chance.random() < THREE_PACKETS else 2
            size = deck.count(DISCARD) // packets
            for left in range(packets - 1, -1, -1):
                count = size if left else deck.count(DISCARD)
                await machine.insert_packet(DISCARD, count)
                self._at.table.camera.saw("load", cards=count)
            self._dispenser.close_lid()
            return True
        wait = self._at.patience(hands.UNREPORTED_SECONDS, hands.UNREPORTED_AT_MAX_SECONDS)
        if not self._shuffler_answers(view) or not self._loaded_patience.lost(f"loaded {view['step']['id']}", wait):
            return False
        return await self._at.desk.say(view, [{"kind": "loaded", "actor": self._at.desk.supervisor}])

    async def extract(self, view: Projection) -> bool:
        """At the end the cards are taken out and counted before the chief inspector (55)."""
        if view["step"]["id"] not in self._done:
            self._done.add(view["step"]["id"])
            await self._at.pace.person(hands.COUNT_SECONDS)
            self._dispenser.take_out(DISCARD)
            self._dispenser.close_lid()
            self.waiting_rounds.clear()
        counted = self._at.table.deck.count(*self._at.table.places)
        item = {"kind": "extracted", "cards": counted, "actor": self._at.desk.supervisor}
        if not await self._at.desk.say(view, [item]):
            return False
        if counted != self._at.table.deck.size:
            await self._repair()
        return True

    async def shuffle(self, view: Projection, memory: RoundMemory) -> bool:
        """Shuffles, for a shoe only."""
        return source_of(view) == "shoe" and await self._shuffle_by_hand(view, memory)

    async def gather(self, view: Projection, memory: RoundMemory) -> None:
        """The cards of the round to the discard rack."""
        await self._at.pace.person(hands.GATHER_SECONDS)
        memory.gathered = True
        self._at.table.deck.gather(self._at.table.places, DISCARD)
        if memory.deck_doubted:
            await self._repair()

    async def cut(self, view: Projection, memory: RoundMemory) -> bool:
        """The player whose turn it is cuts, or does not; if no player does, the table inspector cuts (8)."""
        step = view["step"]
        if step["id"] not in self._cuts:
            await self._at.pace.person(hands.CUT_SECONDS)
            self._cuts[step["id"]] = self._cut_by_turn(step.get("seat"))
        return await self._at.desk.say(view, [self._cuts[step["id"]]])

    def _cut_by_turn(self, seat: int | None) -> Input:
        if seat is not None:
            vacant = seat not in self._punters.present
            if vacant or self._at.chance.random() < DECLINES_TO_CUT:
                self._at.table.camera.saw("cut_passed", seat=seat, vacant=vacant)
                return {"kind": "pass_cut", "seat": seat, "vacant": vacant}
        by = BANK if seat is None else seat_place(seat)
        self._at.table.camera.saw("cut", by=by)
        return {"kind": "cut", "by": by}

    async def warning_card(self, view: Projection) -> bool:
        """The warning card goes near the 50th from the end, or to the middle; then the cards into the shoe (9)."""
        if view["step"]["id"] not in self._done:
            self._done.add(view["step"]["id"])
            self._load_shoe()
        return await self._at.desk.say(view, [{"kind": "warning_card", "place": "middle" if self._alone else "end"}])

    def lid_may_open(self) -> None:
        """The round is over for the machine too: its lid opens by itself, or it does not."""
        self._dispenser.round_over()

    @property
    def lid_open(self) -> bool:
        """Whether cards can be put in."""
        return self._dispenser.lid_open

    async def put_in(self, view: Projection, memory: RoundMemory) -> None:
        """The cards of this round and of those before whose cards waited go in, and the lid is closed (59, 60)."""
        await self.gather(view, memory)
        rounds = [*self.waiting_rounds, self._at.table.camera.round]
        self.waiting_rounds.clear()
        count = await self._dispenser.insert([DISCARD])
        self._at.table.camera.saw("insert", cards=count, rounds=rounds)
        self._dispenser.close_lid()

    async def hold(self, view: Projection, memory: RoundMemory) -> None:
        """The lid stays shut: the cards of the round wait with those before (61)."""
        await self.gather(view, memory)
        self.waiting_rounds.append(self._at.table.camera.round)
        self._at.table.camera.saw("hold", rounds=list(self.waiting_rounds))

    def _may_clear_jam(self, view: Projection) -> bool:
        return True

    @property
    def _alone(self) -> bool:
        return len(self._punters.present) == 1

    def _load_shoe(self) -> None:
        order = self._at.orders.next()
        self._at.shoe.load(order, cut_card_before_last=len(order) // 2 if self._alone else BEHIND_WARNING_CARD)

    async def _replace_card(self, view: Projection) -> bool:
        """The chief inspector puts another card in the place of a damaged one (51)."""
        if not is_active(view, ALARM_OF["card_replaced"]):
            return False
        item = {"kind": "card_replaced", "reason": "damaged", "actor": self._at.desk.supervisor}
        if view["source"] == "shoe":  # one card alone is replaced if the inspection authorises it (5)
            item["authorised_by"] = "the inspection"
        if not self._at.desk.supervisor or await self._at.desk.mention(view, item) != 200:
            return False
        self._at.table.camera.saw("card_replaced")
        return True

    async def _enter(self, view: Projection, kind: str, **fields: object) -> bool:
        """The supervisor makes the entry that an alarm asks for; returns whether it was accepted."""
        supervisor = self._at.desk.supervisor
        if not supervisor or not is_active(view, ALARM_OF[kind]):
            return False
        item = {"kind": kind, **fields, "step_id": "table", "actor": supervisor}
        return await self._at.desk.mention(view, item) == 200


def is_active(view: Projection, name: str) -> bool:
    """Whether an alarm of this name is active."""
    return any(alarm["name"].endswith(name) and not alarm["over"] for alarm in view.get("alarms", ()))

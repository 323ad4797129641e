"""The robot dealer: does what each prompt asks with real cards and chips, once even if the station restarts."""

import asyncio
import sys
from collections.abc import Callable

from simulators.dealer.game import GameAtTable
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import AnyWorkplace, source_of
from simulators.dealer.reporting import Acknowledging, Approving, Complaints
from simulators.dealer.settling import Prizes, return_dropped_chips
from simulators.dealer.station_desk import NoProgress, prompt_of
from simulators.dealer.take_over import TakeOver

GLANCE_SECONDS = 0.1  # the robot looks again at least this often
PHASES_BEFORE_BETS = ("shuffle", "announce", "bank", "form", "wagers")
CLOSED = ("open", "extract")  # steps of a table that is closed
NOT_IN_ROUND = ("open", "load", "begin", "claims", "extract")
CHIPS_AT = ("wagers", "deal", "count", "decisions", "ask", "reveal")  # steps at which one can be placed
PHASE_OF = {
    "open": "between", "load": "between", "begin": "between", "extract": "between", "deck": "shuffle",
    "cut": "shuffle", "warning": "shuffle", "burn": "shuffle", "increment": "wagers", "count": "deal",
    "ask": "decisions", "arrange": "decisions", "grant": "settle", "confirm": "settle",
}  # fmt: skip


class Robot:
    """Acts on what it sees, piece by piece: each `_step` does one thing, or nothing when it has to wait.

    The station names the source of a round's cards. Without slots there is no lock-in button. A guest is asked what he
    bets and does.
    """

    def __init__(
        self,
        workplace: AnyWorkplace,
        game: GameAtTable,
        bell: asyncio.Event,
        rounds: int | None,
        played: Callable[[int, str], None],
    ) -> None:
        self._paused = False  # the piece of work in hand is finished, and none begun
        self._resting = False  # it is finished
        self._at, self._desk, self._table = workplace, workplace.desk, workplace.table
        self._reported = ""
        self._pressing: asyncio.Task[bool] | None = None
        self._bell = bell
        self._rounds = rounds
        self._played = played
        self._game, self._sources = game, game.sources
        self._acknowledging = Acknowledging(self._at)
        self._complaints = Complaints(self._at)
        self._approving = Approving(self._at)
        self._in_round = False
        self._round_id: object = None  # as the station numbers it
        self._prizes = Prizes(self._at)
        self._desk.person.lend_hand = self._lend_hand
        self._new_round()
        self._memory.gathered = True

    async def play(self) -> int:
        """Plays until the table is closed after the wanted rounds; returns their number. Raises NoProgress."""
        while True:
            self._bell.clear()
            busy = False
            try:
                view = self._desk.view()
                if view is None:
                    self._station_away()
                else:
                    self._greet(view)
                    if view["step"]["kind"] == "open" and self._finished():
                        return self._table.camera.round
                busy = view is not None and not self._paused and await self._step(view)
                self._desk.watch(self._desk.view(), busy or self._paused or self._desk.person.on)
            except NoProgress as stuck:
                if not self._desk.person.on:
                    raise
                self._report_stuck(str(stuck))
            self._resting = self._paused and not busy
            if not busy and not await rings(self._bell, GLANCE_SECONDS):
                await self._desk.look()

    def _report_stuck(self, text: str) -> None:
        """Reports once that the play cannot continue, and leaves it to the person who has taken over."""
        if text != self._reported:
            self._reported = text
            print(text, file=sys.stderr, flush=True)

    @property
    def person(self) -> TakeOver:
        """The input wanted of a person who has taken over."""
        return self._desk.person

    @property
    def paused(self) -> bool:
        """Whether the hands begin no new piece of work."""
        return self._paused

    @property
    def at_rest(self) -> bool:
        """Whether the hands have finished their work while they are paused, or wait for a person's entry."""
        return self._paused and (self._resting or self._desk.person.waiting)

    def pause(self, paused: bool) -> None:
        """The hands stop after the piece of work they have in hand, or continue."""
        self._paused = paused
        self._memory.by_person |= paused

    def take_over(self, on: bool) -> None:
        """A person takes over the station's screen, while the hands do the rest; or the robot does both again."""
        self._desk.person.on = self._at.mistakes.person_enters = on
        self._memory.by_person |= on

    def press_lock_in(self) -> None:
        """The person at the screen presses the button beside the slots. Raises ValueError if that is impossible."""
        if self._at.lock_in is None:
            raise ValueError("this table has no lock-in button")
        if not self._desk.person.on:
            raise ValueError("the robot dealer presses the button: take over first")
        if self._pressing is None or self._pressing.done():
            self._pressing = asyncio.create_task(self._at.lock_in.press(self._betting_is_over))

    def _betting_is_over(self) -> bool:
        view = self._desk.view()
        return view is not None and view["step"]["kind"] != "wagers"

    async def _lend_hand(self, view: Projection) -> bool:
        """A machine wants a hand while a person is waited for."""
        return not self._paused and await self._sources.lend_hand(view)

    def drop_chip(self, seat: int) -> None:
        """Places a jackpot chip in the slot of this seat. Raises ValueError if that is impossible now."""
        view = self._desk.face.view
        if not self._in_round or view is None or view["step"]["kind"] not in CHIPS_AT:
            raise ValueError("a chip is placed from the wagers on until the hands are turned, and not now")
        self._betting.drop_chip(seat)

    def _finished(self) -> bool:
        return self._rounds is not None and self._table.camera.round >= self._rounds and not self._in_round

    def _new_round(self) -> None:
        new = self._game.new_round()
        self._memory, self._reporting = new.desk.memory, new.desk.reporting
        self._betting, self._dealing, self._showing = new.betting, new.dealing, new.showing
        self._settling, self._clearing, self._own_steps = new.settling, new.clearing, new.own_steps
        self._memory.by_person = self._desk.person.on

    def _station_away(self) -> None:
        self._clearing.station_away()
        self._sources.station_away()
        self._dealing.station_away()

    def _greet(self, view: Projection) -> None:
        """At the first sight of the station: its screen may have nothing of a round that is not on this table."""
        if self._prizes.handed_over is not None:
            return
        hits = view.get("jackpot", {}).get("hits", []) if view.get("jackpot") else []
        self._prizes.handed_over = {hit["hit"] for hit in hits if hit["state"] == "paid"}
        active_round = view.get("round")
        if active_round and (active_round["phase"] not in PHASES_BEFORE_BETS or active_round.get("wagers")):
            raise NoProgress(f"the station is in the middle of a round this table knows nothing of, {prompt_of(view)}")

    async def _step(self, view: Projection) -> bool:
        """Do one thing the table or the prompt asks for; False when there is nothing to do."""
        kind = view["step"]["kind"]
        if kind not in NOT_IN_ROUND:
            await self._ensure_round(view)
        if self._in_round and self._memory.by_person and view.get("round"):
            self._betting.follow(view)
        self._at.stage.phase(PHASE_OF.get(kind, kind))
        return (
            await self._sources.look_after_shuffler(view)
            or await self._approving.look_after(view)
            or (self._in_round and await self._betting.sweep(view))
            or (self._in_round and await self._reporting.send(view))
            or await self._dealing.look_after(view)
            or await self._prizes.look_after(view)
            or (self._in_round and await self._settling.at_once(view))
            or (self._in_round and await self._betting.late_chips(view))
            or await self._complaints.look_after(view)
            or await self._answer(view, kind)
        )

    async def _answer(self, view: Projection, kind: str) -> bool:
        match kind:
            case "open":
                return await self._end_round(view) or await self._desk.say(view, [{"kind": "open_table"}])
            case "begin":
                return await self._begin(view)
            case "shuffle":
                return await self._sources.shuffle(view, self._memory)
            case "deck":
                return await self._sources.complete_deck(view, self._memory)
            case "cut":
                return await self._sources.cut(view, self._memory)
            case "wagers":
                return await self._betting.take_bets(view)
            case "announce":
                return await self._betting.announce(view)
            case "deal":
                return await self._dealing.deal(view)
            case "count":
                return await self._dealing.count(view)
            case "reveal":
                return await self._showing.reveal(view)
            case "confirm":
                return not self._dealing.unfinished(view) and await self._settling.settle(view)
            case "claims":
                return await self._clearing.close_claims(view)
        own = self._own_steps.get(kind)
        return own is not None and await own(view)

    async def _begin(self, view: Projection) -> bool:
        if await self._end_round(view) or await self._acknowledging.look_after(view):
            return True
        carried = view.get("carried_chips")
        if carried is not None and return_dropped_chips(self._table, set(carried)):
            return True
        if self._rounds is not None and self._table.camera.round >= self._rounds:
            return await self._close_table(view)
        if await self._sources.choose(view, self._memory):
            return True
        if not self._sources.may_begin(view):
            return False
        if not self._memory.gathered or self._sources.cards_left(view):
            await self._sources.gather(view, self._memory)
        if await self._desk.say(view, [{"kind": "begin_round"}]):
            self._closed_by_person()
            return True
        return await self._sources.begin_refused(view)

    async def _close_table(self, view: Projection) -> bool:
        if not await self._desk.say(view, [{"kind": "close_table"}]):
            return False
        if not self._closed_by_person():
            self._film_closed()
        return True

    def _closed_by_person(self) -> bool:
        """Whether a person has closed the table at the last step, which is possible instead of beginning a round."""
        view = self._desk.view()
        if not self._desk.person.on or view is None:
            return False
        if view["step"]["kind"] in CLOSED:
            self._film_closed()
        return True

    def _film_closed(self) -> None:
        self._table.camera.saw("table_closed")
        return_dropped_chips(self._table, set())

    async def _ensure_round(self, view: Projection) -> None:
        """The dealer has begun a round: people may bet."""
        number = (view.get("round") or {}).get("id")
        if self._in_round and None not in (number, self._round_id) and number != self._round_id:
            await self._end_round(view)  # a person was quicker
        if not self._in_round:
            self._in_round = True
            self._new_round()
            self._memory.by_person |= bool((view.get("round") or {}).get("wagers"))
            self._table.begin_round(source_of(view))
            self._at.stage.round(self._table.camera.round)
        self._round_id = number

    async def _end_round(self, view: Projection) -> bool:
        if not self._in_round:
            return False
        self._clearing.give_back_rest()
        if not self._memory.gathered:
            await self._sources.gather(view, self._memory)
        self._in_round = False
        self._table.camera.saw("round_end")
        self._played(self._table.camera.round, self._memory.outcome)
        return True


async def rings(bell: asyncio.Event, seconds: float) -> bool:
    """Wait for the bell, at most this long; returns whether it rang."""
    try:
        async with asyncio.timeout(seconds):
            return await bell.wait()
    except TimeoutError:
        return False

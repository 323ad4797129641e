"""The content of a player's page, with the payments and costs of the table's bets, and the player's answers on it."""

import asyncio
import json
from fractions import Fraction
from typing import Any

from simulators.dealer.http_face import Projection, StationFace, event_content
from simulators.felt.guest import NO_ANSWER, START_IN_MINIMUMS, Guest, RefusedAnswer
from simulators.felt.table import Felt
from simulators.games import GAMES
from simulators.http_stream import BROKEN, asked, host_field
from simulators.play.seen import bank_seen, has_bets, own_result, seats_seen
from simulators.setting import Setting

KEYS = ("pays", "edges")
SECONDS = 10.0  # until the players' display is looked at again
RETRY_SECONDS = 1.0


class CurrentOffer:
    """`now` is None until the station has answered."""

    def __init__(self, host: str, port: int) -> None:
        self.now: dict[str, Any] | None = None
        self._address = (host, port)

    async def follow(self) -> None:
        """Look at the players' display from time to time, until cancelled."""
        while True:
            try:
                async with asyncio.timeout(SECONDS):
                    self.now = await self._displayed()
            except (*BROKEN, TimeoutError):
                pass  # the station is away, and what it offered stays as it was
            await asyncio.sleep(SECONDS if self.now else RETRY_SECONDS)

    @property
    def edges(self) -> dict[str, Fraction]:
        """The average part of a stake that the house keeps, by wager, if it is certified."""
        edges = self.now["edges"] if self.now else {}
        return {wager: Fraction(edge["percent"]) / 100 for wager, edge in edges.items()}

    async def _displayed(self) -> dict[str, Any]:
        async with asked(self._address, "GET", "/display/stream") as (_, station):
            shown = b""
            async for piece in station.body():
                shown += piece
                if b"\n\n" in shown and (event := event_content(shown.partition(b"\n\n")[0])):
                    display = json.loads(event)
                    return {key: display[key] for key in KEYS}
        raise ValueError("a message of the players' display expected")


LAST = 8  # rounds that are listed


class SeatPage:
    """The page of a seat as JSON; answers go to the guest whom the robot dealer asks."""

    def __init__(
        self, setting: Setting, table: Felt[Any], face: StationFace, guest: Guest, offer: CurrentOffer
    ) -> None:
        self._setting, self._table, self._face, self._guest = setting, table, face, guest
        self._offer = offer
        self._game = GAMES[setting.game]
        self._result: dict[str, Any] | None = None
        self._came: dict[int, dict[str, Any]] = {}  # what each round came to
        self._staked: dict[int, list[tuple[str, int]]] = {}  # the bets of each round; what is void was none
        self._felt: dict[str, object] = {}  # the felt as it was when the last round was settled
        table.sits_down_with(guest.name, START_IN_MINIMUMS * setting.minimum)

    def furnishing(self, alone: bool = False) -> dict[str, object]:
        """The facts that stay the same; on another computer (`alone`) without the address of the dealer's screen."""
        setting = self._setting
        return {
            "game": setting.game,
            "exponent": setting.exponent,
            "seat": self._guest.seat,
            "seats": self._game.seat_name,
            "words": {language: dict(words) for language, words in self._game.words.items()},
            "screen": None if alone else f"http://{host_field(setting.host, setting.port)}/",
        }

    def saw(self, view: Projection) -> None:
        """Keeps the result of the last round, and the felt at that time.

        A fast table shows a result for less time than a page looks away.
        """
        result = own_result(view, self._guest)
        if result is not None:
            self._result, self._felt = result, self._on_felt(view)
            number = result["round"]
            self._came[number] = {"round": number, "net": result["net"], "void": result["void"] is not None}
            self._staked[number] = [
                (line["wager"], int(line["stake"] or 0)) for line in result["lines"] if line["outcome"] != "void"
            ]

    def _on_felt(self, view: Projection) -> dict[str, object]:
        bank = bank_seen(view, self._table) if self._game.has_bank else None
        return {"bank": bank, "seats": seats_seen(view, self._table, self._guest, self._game.face_down)}

    def now(self) -> dict[str, object]:
        """The facts that change."""
        guest, view = self._guest, self._face.view
        asking = guest.question
        shown: dict[str, object] = {
            "away": view is None or not self._face.connected,
            "money": self._table.chips.balance(guest.name),
            "bought": self._table.bought.get(guest.name, 0),
            "question": asking and {"number": asking.number, "kind": asking.kind, **asking.what},
            "offer": self._offer.now,
        }
        if view is None:
            return shown
        result = own_result(view, guest)
        is_over = result is None and self._result is not None and not has_bets(view)
        return {
            **shown,
            "prompt": view["step"].get("prompt"),
            "pot": (view.get("jackpot") or {}).get("pot"),
            **(self._felt if is_over else self._on_felt(view)),
            **({"bank": bank_seen(view, self._table)} if is_over and (view.get("round") or {}).get("banker") else {}),
            "result": self._result if is_over else result,
            "so_far": sum(came["net"] for came in self._came.values()),
            "last": [self._came[round] for round in sorted(self._came, reverse=True)[:LAST]],
            **self._cost(),
        }

    def _cost(self) -> dict[str, object]:
        """The player's stakes with a certified edge, and his average result from them; minor units."""
        edges = self._offer.edges
        if not edges:
            return {"staked": 0, "expected": None}
        stakes = [
            (stake, edges[wager]) for of_round in self._staked.values() for wager, stake in of_round if wager in edges
        ]
        return {"staked": sum(stake for stake, _ in stakes), "expected": -round(sum(s * edge for s, edge in stakes))}

    def answer(self, answer: object) -> None:
        """The player's answer, with the number of the question. Raises RefusedAnswer."""
        if not isinstance(answer, dict) or set(answer) != {"number", "answer"}:
            raise RefusedAnswer(NO_ANSWER)
        self._guest.answer(answer["number"], answer["answer"])

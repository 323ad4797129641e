"""A person at a seat plays each game against the robots: asked what he bets and does, and shown no card but his own."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import h11
import pytest

from simulators.felt.guest import START_IN_MINIMUMS
from simulators.http_stream import asked
from simulators.panel.face import PLAY_PAGE, files_by_address
from simulators.play.play import CurrentOffer
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO
from tests.simulators.table_in_memory import Bench, bench, in_memory

SEAT = 3
ROUNDS = 2
MINIMUM = 10_000
JSON = {"content-type": "application/json"}


class Player:
    """Answers whatever he is asked; `answers` are his answers by kind, `seen` what he was shown."""

    def __init__(self, port: int) -> None:
        self._at = ("127.0.0.1", port)
        self._chance = random.Random(1)
        self._dealt_with = 0
        self.answers: dict[str, list[Any]] = {}
        self.seen: list[dict[str, Any]] = []

    async def get(self, path: str) -> bytes:
        async with asked(self._at, "GET", path) as (answer, page):
            assert answer.status_code == 200, path
            return await page.whole()

    async def answer(self, number: int, answer: Any) -> int:
        body = json.dumps({"answer": {"number": number, "answer": answer}}).encode()
        async with asked(self._at, "POST", f"/play/{SEAT}/answer", JSON, body) as (head, _):
            return head.status_code

    async def play(self) -> None:
        """Until he is hung up on."""
        rest = b""
        async with asked(self._at, "GET", f"/play/{SEAT}/stream") as (_, page):
            try:
                async for piece in page.body():
                    *events, rest = (rest + piece).split(b"\n\n")
                    for event in events:
                        if event.startswith(b"data: "):
                            await self._look(json.loads(event[6:]))
            except (OSError, h11.RemoteProtocolError):
                pass  # the stream has no end

    async def _look(self, now: dict[str, Any]) -> None:
        self.seen.append(now)
        question = now["question"]
        if question is None or question["number"] <= self._dealt_with:
            return
        self._dealt_with = question["number"]
        answer = self._choose(question)
        assert await self.answer(question["number"], answer) == 200
        assert await self.answer(question["number"], answer) == 422, "answered already"
        self.answers.setdefault(question["kind"], []).append(answer)

    def _choose(self, question: dict[str, Any]) -> Any:
        match question["kind"]:
            case "bets":
                return {"wagers": {question["basic"][0]: question["chips"][0]}, "chip": question["chip"] > 0}
            case "bank":
                return 0
            case "pairs":
                return [3, 0]
            case "yes_no":
                return question["question"] == "agree"
            case "insurance":
                return 0
        return self._chance.choice(question["legal"])


@asynccontextmanager
async def seated(directory: Path, game: str, options: str) -> AsyncIterator[tuple[Bench, Player]]:
    async with bench(directory, f"--game {game} --play {SEAT} {options}") as running:
        assert running.setting.panel is not None
        player = Player(running.setting.panel)
        playing = asyncio.create_task(player.play())
        yield running, player
    await playing


EXPECTED = {
    FORTUNE_3_2025: {"bets", "decide"}, FORTUNE_3_2008: {"bets", "decide"}, FORTUNE_8: {"bets"},
    BLACKJACK_21: {"bets", "hand"}, TAIWAN_PAI_KAO: {"bets", "pairs"},
}  # fmt: skip


@pytest.mark.parametrize("game", EXPECTED)
@in_memory
async def test_a_person_plays_each_game(game: str, tmp_path: Path) -> None:
    async with seated(tmp_path, game, f"--rounds {ROUNDS} --seed 5") as (running, player):
        for path in files_by_address(PLAY_PAGE, "/play"):
            assert await player.get(path)
        furnishing = json.loads(await player.get(f"/play/{SEAT}/furnishing"))
        assert (furnishing["game"], furnishing["seat"]) == (game, SEAT)
        await running.to_the_end()
        running.judge()
    assert player.answers.keys() >= EXPECTED[game]
    name = next(seat["player"] for seat in player.seen[-1]["seats"] if seat["mine"])
    his = running.filmed("wager", player=name)
    assert {line["seat"] for line in his} == {SEAT}
    assert [line["amount"] for line in his] == [MINIMUM] * len(player.answers["bets"])
    if "decide" in player.answers:
        assert [line["decision"] for line in running.filmed("decision", seat=SEAT)] == player.answers["decide"]
    if "hand" in player.answers:
        assert [line["answer"] for line in running.filmed("answer", seat=SEAT, question="decision")] == player.answers[
            "hand"
        ]
    if "pairs" in player.answers:
        pairs = [f"{line['front']} {line['rear']}" for line in running.filmed("arranged", place=SEAT)]
        asked = [view["question"] for view in player.seen if (view["question"] or {}).get("tiles")]
        tiles_of = {question["number"]: question["tiles"] for question in asked}
        assert len(pairs) == ROUNDS
        assert pairs == [f"{tiles[3]} {tiles[0]} {tiles[1]} {tiles[2]}" for tiles in tiles_of.values()]
    assert player.seen[0]["money"] == START_IN_MINIMUMS * MINIMUM
    assert_no_card_but_his_own(player, running)


def assert_no_card_but_his_own(player: Player, running: Bench) -> None:
    """What is face down is a number to him; his own cards he sees once all are dealt, by the camera's film."""
    for now in player.seen:
        for seat in now.get("seats", ()):
            assert not seat["own"] or seat["mine"]
    own = {" ".join(sorted(seat["own"])) for now in player.seen for seat in now.get("seats", ()) if seat["own"]}
    dealt: dict[int, list[str]] = {}
    for line in running.filmed("card", to=f"seat {SEAT}"):
        dealt.setdefault(line["round"], []).append(line["card"])
    assert own <= {" ".join(sorted(cards)) for cards in dealt.values()}


@in_memory
async def test_a_void_round_is_no_bet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CurrentOffer, "edges", {"ante": Fraction(1, 50)})
    fault = "--fault dealer:number@round=1"
    async with seated(tmp_path, FORTUNE_3_2025, f"--rounds {ROUNDS} --seed 5 {fault}") as (running, player):
        await running.to_the_end()
    now = player.seen[-1]
    assert [(came["round"], came["void"]) for came in now["last"]] == [(2, False), (1, True)]
    assert (now["staked"], now["expected"]) == (MINIMUM, -MINIMUM // 50)


@in_memory
async def test_the_dealer_sees_for_whose_answer_the_table_waits(tmp_path: Path) -> None:
    async with bench(tmp_path, f"--game {FORTUNE_8} --play {SEAT} --rounds 1") as running:
        assert running.setting.panel is not None
        seen, rest = list[list[int]](), b""
        await running.station.start()
        async with asked(("127.0.0.1", running.setting.panel), "GET", "/stream") as (_, panel):
            async for piece in panel.body():
                *events, rest = (rest + piece).split(b"\n\n")
                seen += [json.loads(event[6:])["asked"] for event in events if event.startswith(b"data: ")]
                if [SEAT] in seen:
                    break
        await running.station.kill()
    assert seen[0] == [], "before the first bets"

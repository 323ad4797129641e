"""Tables of the bare minimum for the other games: Fortune 3 Card Poker of 2008, and Fortune 8."""

from typing import Any

from tests.simulators.fake_table import DECK, FakeTable, Refused

SPACES = [f"seat {seat}" for seat in range(1, 8)]


class FakeTable2008(FakeTable):
    """The bank's cards come with each pass, and one that was seen is left out and another dealt for it."""

    broken, failed, failures_endured = "11.º 1)", "11.º 4)", 0

    def _new_round(self) -> None:
        super()._new_round()
        self.passed = 0  # of the packets that are due without any for cards left out
        self.wanted = 0
        self.left_out: list[int] = []  # which of the bank's cards, as they were told

    def _preparing(self) -> str | None:
        if self.source == "shoe" and not self.cut:
            return "cut"
        return None if self.shuffled else "shuffle"

    def _dealing_to(self) -> list[str] | None:
        if self.wanted and self.source == "shoe":
            return ["bank"]
        if self.wanted:
            return ["bank"] * self.wanted + ["discard"] * (3 - self.wanted)
        return self.due[self.passed] if self.passed < len(self.due) else None

    def cards_heard(self, order: int | None, count: int) -> None:
        known = len(self.dealt)
        super().cards_heard(order, count)
        if len(self.dealt) > known:
            self._passed(count)

    def lock(self) -> None:
        super().lock()
        if self.locked and self.source == "shoe":
            self.due = [[place] for place in [*(f"seat {seat}" for seat in sorted(self.wagers)), "bank"] * 3]

    def _passed(self, count: int) -> None:
        self.dealt[-1]["instead"] = bool(self.wanted)
        if self.wanted:
            self.wanted -= min(self.wanted, count)
        else:
            self.passed += 1

    def _unheard_card(self, item: dict[str, Any]) -> None:
        super()._unheard_card(item)
        self._passed(1)

    def _exposed(self, item: dict[str, Any]) -> None:
        self._refuse_report()
        if item["to"] != "bank":
            self.exposed[item["to"]] = self.exposed.get(item["to"], 0) + item["count"]
            return
        lying = sum(dealt["to"].count("bank") for dealt in self.dealt) - len(self.left_out)
        if not all(1 <= which <= lying for which in item["which"]) or self.shown:
            raise Refused(f"{lying} cards lie there")
        self.left_out += item["which"]
        self.wanted += len(item["which"])

    def _to_empty_seat(self, item: dict[str, Any]) -> None:
        meant = [dealt for dealt in self.live if dealt["to"][0] == item["meant_for"]]
        meant[-1].update(null=True, to=[f"seat {item['seat']}"] * len(meant[-1]["to"]))
        self.passed -= 1
        moved_up = [dealt for dealt in self.live if not dealt["instead"]]
        for dealt, to in zip(moved_up, self.due, strict=False):
            dealt["to"] = to

    def _decide(self, item: dict[str, Any]) -> None:
        if item["decision"] == "fold" and "pair_plus" in self.wagers[str(item["seat"])]:
            raise Refused("it has to play", "9.º 3)")
        super()._decide(item)

    def _public_dealt(self) -> list[dict[str, Any]]:
        return self.dealt


class FakeFortune8(FakeTable):
    """Spaces with any number of bets; a shoe for many rounds."""

    broken = failed = "5.º"

    def __init__(self, seats: int, source: str, decks: int, deal: str) -> None:
        self.cards = DECK * decks
        self.configured = deal
        self.loaded = self.cut_card_out = False
        self.deaf_to_cut_card = False
        super().__init__(seats, source)

    def _new_round(self) -> None:
        super()._new_round()
        self.bets: dict[tuple[int, str, str], int] = {}
        self.deal: str | None = None
        self.early = False
        self.corrected: list[tuple[str, str]] = []

    def _step(self) -> tuple[str, str, dict[str, Any]]:
        kind, tail, more = super()._step()
        if kind == "shuffle":
            return kind, tail, {}
        if kind in ("deal", "reveal", "confirm", "count") and not self.void and not self.confirmed:
            return self._after_the_bets()
        return kind, tail, more

    def _after_the_bets(self) -> tuple[str, str, dict[str, Any]]:
        if self.deal is None:
            return "announce", "", {}
        if to := self._dealing_to():
            return "deal", str(len(self.dealt) + 1), {"to": to}
        hidden = [place for place in SPACES if place in self.unread and place not in self.shown]
        return ("reveal", hidden[0], {"to": hidden[:1], "key_in": True}) if hidden else ("confirm", "", {})

    def _preparing(self) -> str | None:
        if self.source == "shuffler" or self.loaded:
            return None
        return "cut" if self.shuffled else "shuffle"

    def cards_heard(self, order: int | None, count: int) -> None:
        if self.step["kind"] in ("wagers", "announce") and self.bets:
            self.early = True
            self._announced(self.configured)
        super().cards_heard(order, count)

    def card_unread(self) -> None:
        self.unread.update(self.step.get("to", ()))
        self.cards_heard(None, 1)

    def jam_heard(self) -> None:
        """Cleared it goes on."""

    def cut_card_heard(self) -> None:
        if not self.deaf_to_cut_card:
            self.cut_card_out = True

    def lock(self) -> None:
        self.locked = bool(self.bets)

    def _announced(self, deal: str) -> None:
        self.deal, self.locked = deal, True
        laid = {f"seat {seat}" for seat, _, _ in self.bets}
        self.due = [[place] for place in SPACES if deal == "every_space" or place in laid]

    def _begin_round(self, item: dict[str, Any]) -> None:
        if self.cut_card_out:
            self.loaded = self.cut_card_out = False
        super()._begin_round(item)

    def _use_source(self, item: dict[str, Any]) -> None:
        super()._use_source(item)
        self.loaded = self.cut_card_out = False

    def _cut(self, item: dict[str, Any]) -> None:
        super()._cut(item)
        self.loaded = True

    def _wager(self, item: dict[str, Any]) -> None:
        super()._wager(item)
        self.bets[item["seat"], item["wager"], item["player"]] = item["amount"]

    def _announce(self, item: dict[str, Any]) -> None:
        self._announced(item["deal"])

    def _deal_corrected(self, item: dict[str, Any]) -> None:
        if not self.dealt or self.step["kind"] == "claims":
            raise Refused("nothing is dealt")
        self.corrected.append((item["what"], item["to"]))

    def _cut_card(self, item: dict[str, Any]) -> None:
        self.cut_card_out = True

    def _correct_wager(self, item: dict[str, Any]) -> None:
        self.bets[item["seat"], item["wager"], item["player"]] = item["amount"]

    def _correct_seat(self, item: dict[str, Any]) -> None:
        super()._correct_seat(item)
        moved = {item["seat"]: item["to_seat"]}
        self.bets = {(moved.get(seat, seat), *box): amount for (seat, *box), amount in self.bets.items()}

    def _end_round(self) -> None:
        super()._end_round()
        self.past[-1] |= {"bets": dict(self.bets), "deal": self.deal, "early": self.early, "corrected": self.corrected}

    def projection(self) -> dict[str, Any]:
        return super().projection() | {"shoe": {"loaded": self.loaded, "cut_card_out": self.cut_card_out}}

    def _public_round(self, step: dict[str, Any], dealt: list[dict[str, Any]]) -> dict[str, Any]:
        bets = [
            {"seat": seat, "wager": wager, "player": player, "amount": amount}
            for (seat, wager, player), amount in self.bets.items()
        ]
        return super()._public_round(step, dealt) | {"deal": self.deal, "bets": bets}

    def _settlement(self) -> dict[str, Any]:
        outcome = "void" if self.void else "push"
        seats: dict[int, Any] = {}
        for (seat, wager, player), stake in self.bets.items():
            line = {"wager": wager, "stake": stake, "outcome": outcome, "net": 0, "player": player}
            seats.setdefault(seat, {"seat": seat, "lines": []})["lines"].append(line)
        return {"outcome": "void" if self.void else "settled", "bank": None, "seats": list(seats.values())}

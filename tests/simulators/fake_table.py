"""A table of the bare minimum: enough of the law for the robot dealer to play against. Every bet is a push."""

from typing import Any

DECK = 52


REPORTS = (
    "exposed", "misdealt", "to_empty_seat", "shuffler_failed", "void_round", "deal_corrected", "cut_card",
    "tiles_moved", "unasked_card",
)  # fmt: skip
CORRECTIONS = ("correct_wager", "correct_seat", "correct_decision", "correct_cards", "correct_dice")


class Refused(Exception):
    """422: reason and article."""

    def __init__(self, reason: str, article: str = "policy: test") -> None:
        super().__init__(reason)
        self.reason, self.article = reason, article


class FakeTable:
    """State by state what the contract of the console says; switches let a test have its way."""

    broken, failed, failures_endured = "17.º 1 1)", "17.º 2", 1  # what voids, and how often a shuffler may fail
    cards = DECK

    def __init__(self, seats: int, source: str) -> None:
        self.seats = seats
        self.source = source
        self.failures = 0
        self.opened = False
        self.round_id = 0
        self.in_round = False
        self.carried: set[int] = set()
        self.hits: list[dict[str, Any]] = []
        self.past: list[dict[str, Any]] = []  # a record of each round that is over
        self.said: list[dict[str, Any]] = []  # every input accepted, in order
        self.devices: dict[str, str] = {}
        self.chips_in_slots: set[int] = set()
        self.late: set[int] = set()
        # switches
        self.hit_in_round: int | None = None
        self.hits_in_round = 1
        self.fail_in_rounds: set[int] = set()  # 17.º 2 as soon as the first packet is heard
        self.bad_deck_in_rounds: set[int] = set()
        self.deaf_to: set[tuple[int, int]] = set()  # round and number of the card or packet that is never heard
        self.unread_in_rounds: dict[int, str] = {}  # a place that must be keyed in
        self.refuse_reports = self.refuse_keyed_cards = False
        self._new_round()

    def _new_round(self) -> None:
        self.wagers: dict[str, dict[str, int]] = {}
        self.chips: list[int] = []
        self.carried_now: list[int] = []
        self.due: list[list[str]] = []
        self.dealt: list[dict[str, Any]] = []
        self.decisions: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        self.exposed: dict[str, int] = {}
        self.corrections: list[dict[str, Any]] = []
        self.void: dict[str, Any] | None = None
        self.shuffles = 0
        self.shuffled = self.cut = self.locked = self.counted = self.confirmed = self.deck_bad = False
        self.unread: set[str] = set()

    # what is asked

    @property
    def live(self) -> list[dict[str, Any]]:
        return [dealt for dealt in self.dealt if not dealt["null"]]

    @property
    def order(self) -> int:
        return self.round_id * 100 + self.shuffles + len(self.dealt)

    @property
    def antes(self) -> list[int]:
        return [int(seat) for seat, laid in self.wagers.items() if "ante" in laid]

    @property
    def to_show(self) -> list[str]:
        kept = [
            seat for seat in sorted(self.wagers)
            if self.decisions.get(seat) != "fold" or set(self.wagers[seat]) - {"ante"} or int(seat) in self.chips
        ]  # fmt: skip
        return ["bank", *(f"seat {seat}" for seat in kept), *(["community"] if self.chips else [])]

    @property
    def step(self) -> dict[str, Any]:
        kind, tail, more = self._step()
        name = f"{self.round_id}/{kind}" + (f"/{tail}" if tail else "")
        return {"id": name, "kind": kind, "prompt": {"en": kind}, **more}

    def _step(self) -> tuple[str, str, dict[str, Any]]:
        order = {"order": self.order} if self.source == "shuffler" else {}
        waiting = [seat for seat in self.antes if str(seat) not in self.decisions]
        hidden = [place for place in self.to_show if place not in self.shown]
        if not self.opened:
            return "open", "", {}
        if not self.in_round:
            return "begin", "", {}
        if self.confirmed:
            return "claims", "", {}
        if self.void:
            return "confirm", "", {}
        if self.deck_bad:
            return "deck", str(self.shuffles), {}
        if preparing := self._preparing():
            return preparing, "", order if preparing == "shuffle" else {}
        if not self.locked:
            return "wagers", "", {}
        if to := self._dealing_to():
            return "deal", str(len(self.live) + 1), {"to": to, **order}
        if self.source == "shoe" and not self.counted:
            return "count", str(len(self.dealt)), {"cards": len(self.dealt)}
        if waiting:
            return "decisions", "", {"waiting": waiting}
        if hidden:
            return "reveal", hidden[0], {"to": [hidden[0]], **({"key_in": True} if hidden[0] in self.unread else {})}
        return "confirm", "", {}

    def _preparing(self) -> str | None:
        """What the cards want before the bets."""
        if not self.shuffled:
            return "shuffle"
        return "cut" if self.source == "shoe" and not self.cut else None

    def _dealing_to(self) -> list[str] | None:
        return self.due[len(self.live)] if len(self.live) < len(self.due) else None

    # what is heard

    def shuffle_heard(self, count: int) -> None:
        if self.step["kind"] == "shuffle":
            self.shuffles += 1
            self.deck_bad = count != DECK or self.round_id in self.bad_deck_in_rounds
            self.bad_deck_in_rounds.discard(self.round_id)
            self.shuffled = not self.deck_bad

    def cards_heard(self, order: int | None, count: int) -> None:
        step = self.step
        if step["kind"] != "deal" or step.get("order") != order:
            return
        if (self.round_id, len(self.dealt) + 1) in self.deaf_to:
            return
        if order is not None and count != len(step["to"]):
            self._void(self.broken, "another number of cards")
            return
        self.dealt.append({"order": order, "null": False, "to": step["to"]})
        if self.round_id in self.fail_in_rounds:
            self._void(self.failed, "the shuffler failed")

    def card_unread(self) -> None:
        if self.step["kind"] == "deal":
            self.unread.add(self.step["to"][0])
            self.cards_heard(None, 1)

    def cut_card_heard(self) -> None:
        """One deck shuffled for every round: the cut card says nothing."""

    def jam_heard(self) -> None:
        if self.step["kind"] == "deal":
            self._void(self.failed, "jam")

    def inserted(self) -> None:
        if self.step["kind"] == "claims":
            self._end_round()

    def chip(self, seat: int, there: bool) -> None:
        if there and self.locked and not self.confirmed:
            self.late.add(seat)
        if not there:
            self.late.discard(seat)
        (self.chips_in_slots.add if there else self.chips_in_slots.discard)(seat)

    def lock(self) -> None:
        if self.step["kind"] != "wagers" or not self.wagers:
            return
        present = self.chips_in_slots | self.carried
        self.chips = sorted(seat for seat in present if str(seat) in self.wagers)
        self.carried_now = sorted(self.carried & set(self.chips))
        self.carried.clear()
        places = [f"seat {seat}" for seat in sorted(self.wagers)]
        if self.source == "shoe":
            self.due = [[place] for place in places * 3 + ["bank"] * 3 + ["community"] * 2 * bool(self.chips)]
        else:
            self.due = [[place] * 3 for place in [*places, "bank"]]
            self.due += [["discard", "community", "community"]] * bool(self.chips)
        if place := self.unread_in_rounds.get(self.round_id):
            self.unread.add(place)
        self.locked = True

    # what is said

    def take(self, item: dict[str, Any]) -> str | None:
        """Apply an input; the step it should have answered when it is stale. Raises Refused."""
        kind = item["kind"]
        expected = self._answers().get(kind, str(self.step["id"])).format(**item)
        if item["step_id"] != expected:
            return expected
        getattr(self, f"_{kind}")(item)
        self.said.append({key: item[key] for key in item if key not in ("input_id", "step_id")})
        return None

    def _open_table(self, item: dict[str, Any]) -> None:
        self.opened = True

    def _close_table(self, item: dict[str, Any]) -> None:
        self.opened = False
        self.carried.clear()

    def _begin_round(self, item: dict[str, Any]) -> None:
        if self.source == "shuffler" and self.failures > self.failures_endured:
            raise Refused("the shuffler has failed too often", self.failed)
        self.round_id += 1
        self.in_round = True
        self._new_round()

    def _use_source(self, item: dict[str, Any]) -> None:
        if self.step["kind"] not in ("begin", "shuffle", "deck", "cut"):
            raise Refused("not now")
        self.source = item["source"]
        self.shuffled = self.deck_bad = False

    def _shuffler_replaced(self, item: dict[str, Any]) -> None:
        if item["actor"] != "rui":
            raise Refused("a supervisor says so", "policy: roles")
        self.failures = 0

    def _shuffled(self, item: dict[str, Any]) -> None:
        if item.get("count", self.cards) != self.cards:
            raise Refused(f"it should be {self.cards} cards", "2.º 1 1)")
        self.shuffled = True

    def _deck_complete(self, item: dict[str, Any]) -> None:
        self.deck_bad = False

    def _cut(self, item: dict[str, Any]) -> None:
        assert item["by"] == "bank" or item["by"].startswith("seat ")
        self.cut = True

    def _wager(self, item: dict[str, Any]) -> None:
        self.wagers.setdefault(str(item["seat"]), {})[item["wager"]] = item["amount"]

    def _lock_in(self, item: dict[str, Any]) -> None:
        self.lock()

    def _decide(self, item: dict[str, Any]) -> None:
        self.decisions[str(item["seat"])] = item["decision"]

    def _unheard_card(self, item: dict[str, Any]) -> None:
        self.unread.add(self.step["to"][0])
        self.dealt.append({"order": None, "null": False, "to": self.step["to"]})

    def _cards_counted(self, item: dict[str, Any]) -> None:
        self.counted = True
        if item["count"] != len(self.dealt):
            self._void(self.broken, f"{item['count']} cards where {len(self.dealt)} were due")

    def _reveal(self, item: dict[str, Any]) -> None:
        step = self.step
        assert [item["to"]] == step["to"]
        if step.get("key_in") and not item.get("cards"):
            raise Refused("key the cards in")
        if self.refuse_keyed_cards and item.get("cards"):
            raise Refused("these are not the cards that were read")
        self.shown[item["to"]] = item.get("cards", "")

    def _confirm(self, item: dict[str, Any]) -> None:
        if self.hit_in_round == self.round_id:
            seat, count = int(min(self.wagers)), self.hits_in_round
            self.hits = [
                {"hit": hit, "round": self.round_id, "seat": seat, "amount": 776 + hit, "state": "payable",
                 "confirmed_by": []} for hit in range(1, count + 1)
            ]  # fmt: skip
        self.confirmed = True
        if self.void:
            self.failures += self.void["article"] == self.failed
            self.carried = set(self.void["carried"])
        else:
            self.failures = 0

    def _close_claims(self, item: dict[str, Any]) -> None:
        self._end_round()

    def _confirm_hit(self, item: dict[str, Any]) -> None:
        *before, hit = self.hits[: item["hit"]]
        if any(one["state"] != "paid" for one in before):
            raise Refused("another is paid before it", "15.º 3")
        hit["confirmed_by"].append(item["actor"])
        if len(hit["confirmed_by"]) == 2:
            hit["state"] = "paid"

    def _exposed(self, item: dict[str, Any]) -> None:
        self._refuse_report()
        self.exposed[item["to"]] = self.exposed.get(item["to"], 0) + item["count"]
        if item["to"] == "bank":
            self._void("17.º 1 2)", "a card of the bank was exposed")
        elif sum(count for place, count in self.exposed.items() if place.startswith("seat")) > 1:
            self._void("17.º 1 3)", "more than one card of the players was exposed")

    def _misdealt(self, item: dict[str, Any]) -> None:
        self._refuse_report()
        self._void(self.broken, item["what"])

    def _to_empty_seat(self, item: dict[str, Any]) -> None:
        self._refuse_report()
        if str(item["seat"]) in self.wagers:
            raise Refused("that seat has a bet")
        meant = [at for at, due in zip(self.live, self.due, strict=False) if due[0] == item["meant_for"]]
        if not meant:
            raise Refused("no cards were dealt there")
        meant[-1]["null"] = True
        meant[-1]["to"] = f"seat {item['seat']}"

    def _shuffler_failed(self, item: dict[str, Any]) -> None:
        self._void(self.failed, "the shuffler failed")

    def _void_round(self, item: dict[str, Any]) -> None:
        self._void("policy: supervisor's void", item["reason"])

    def _correct_wager(self, item: dict[str, Any]) -> None:
        self.wagers[str(item["seat"])][item["wager"]] = item["amount"]

    def _correct_seat(self, item: dict[str, Any]) -> None:
        old, new = str(item["seat"]), str(item["to_seat"])
        self.wagers[new] = self.wagers.pop(old)
        if old in self.decisions:
            self.decisions[new] = self.decisions.pop(old)
        for due in self.due:
            due[:] = [f"seat {new}" if place == f"seat {old}" else place for place in due]
        if f"seat {old}" in self.shown:
            self.shown[f"seat {new}"] = self.shown.pop(f"seat {old}")

    def _correct_decision(self, item: dict[str, Any]) -> None:
        self.decisions[str(item["seat"])] = item["decision"]

    def _correct_cards(self, item: dict[str, Any]) -> None:
        self.shown[item["to"]] = item["cards"]

    def _refuse_report(self) -> None:
        if self.refuse_reports:
            raise Refused("too late", "17.º")

    def _void(self, article: str, reason: str) -> None:
        carried = self.chips if article in (self.broken, self.failed) else []
        self.void = {"article": article, "code": "as_said", "values": {"said": reason}, "carried": carried}

    def _end_round(self) -> None:
        names = ("round_id", "source", "wagers", "chips", "carried_now", "decisions", "shown", "void", "dealt")
        self.past.append({name: getattr(self, name) for name in names})
        self.in_round = False

    # what is shown

    def projection(self) -> dict[str, Any]:
        step = self.step
        return {
            "open": self.opened, "step": step, "answers": self._answers(),
            "jackpot": {"hits": self.hits}, "devices": self.devices,
            "source": self.source, "sources": ["shoe", "shuffler"], "shuffler_failures": self.failures,
            "carried_chips": sorted(self.carried), "slots": {str(seat): "late" for seat in self.late},
            "round": self._public_round(step, self._public_dealt()) if self.in_round else None,
        }  # fmt: skip

    def _answers(self) -> dict[str, str]:
        of_round = dict.fromkeys(REPORTS, f"{self.round_id}/report")
        corrected = dict.fromkeys(CORRECTIONS, f"{self.round_id}/correct")
        return {**of_round, **corrected, "confirm_hit": "hit/{hit}", "card_replaced": "table", "acknowledge": "table"}

    def _public_dealt(self) -> list[dict[str, Any]]:
        dealt, live = [], 0
        for left in self.dealt:
            to = [left["to"]] * 3 if left["null"] else self.due[live]
            live += not left["null"]
            dealt.append({"order": left["order"], "to": to, "null": left["null"]})
        return dealt

    def _public_round(self, step: dict[str, Any], dealt: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": self.round_id, "phase": step["kind"], "source": self.source, "locked": self.locked, "dealt": dealt,
            "wagers": self.wagers, "chips": self.chips, "carried_chips": self.carried_now, "void": self.void,
            "exposed": self.exposed,
            "settlement": self._settlement() if step["kind"] == "confirm" else None,
        }  # fmt: skip

    def _settlement(self) -> dict[str, Any]:
        outcome = "void" if self.void else "push"
        seats = []
        for seat, wagers in self.wagers.items():
            laid = dict(wagers)
            if self.decisions.get(seat) == "play" and not self.void:
                laid["play"] = wagers["ante"]
            lines: list[dict[str, Any]] = [
                {"wager": wager, "stake": stake, "outcome": outcome, "net": 0} for wager, stake in laid.items()
            ]
            if int(seat) in self.chips:
                carried = {"chip_carried": int(seat) in self.void["carried"]} if self.void else {}
                lines.append({"wager": "jackpot", "stake": 500, "outcome": outcome, "net": 0, **carried})
            seats.append({"seat": int(seat), "lines": lines})
        return {"outcome": "void" if self.void else "settled", "bank": None, "seats": seats}

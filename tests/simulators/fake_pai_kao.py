"""A table of the bare minimum for Taiwan-Pai Kao: even places lose and odd ones win, within the bank's limit."""

from typing import Any

from controller.rulebook.taiwan_pai_kao.limit import Result, settle_in_order, share_out
from tests.simulators.fake_table import FakeTable, Refused

TILES = 4


class FakePaiKao(FakeTable):
    """The bank is offered around; tiles are heard one by one, or said to lie there."""

    broken = "policy: misdeal"
    cards = 32

    def __init__(self, seats: int, reader: bool) -> None:
        self.reader = reader
        self.half_left = False  # sixteen tiles are left for the next round
        self.left: dict[str, Any] | None = None  # who held the bank last, for how long, and what it left him
        super().__init__(seats, "shoe")

    def _new_round(self) -> None:
        super()._new_round()
        self.shuffled = self.half_left
        self.places = 4 if self.half_left or self.seats == 4 else None
        self.bets: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        self.banker: dict[str, Any] | None = None
        self.form: str | None = None
        self.dice: list[int] | None = None
        self.null_dice = 0
        self.moved: list[str] = []
        self.arranged = False
        self.corrected: list[dict[str, Any]] = []

    @property
    def in_turn(self) -> list[int]:
        assert self.places and self.banker and self.dice
        first = self.banker["place"] + sum(self.dice) - 1
        return [(first - 1 + at) % self.places + 1 for at in range(self.places)]

    def _step(self) -> tuple[str, str, dict[str, Any]]:
        kind, tail, _more = super()._step()
        if kind in ("open", "begin", "claims", "shuffle") or self.void:
            return kind, tail, {}
        if self.places is None:
            return "announce", "", {"legal": ["eight_places", "four_places"]}
        if self.banker is None:
            return "bank", str(len(self.answers) + 1), self._offer()
        if self.form is None:
            return "form", "", {"seat": self.banker["place"]}
        if not self.locked:
            return "wagers", "", {}
        if self.dice is None:
            return "dice", str(self.null_dice + 1), {"seat": self.banker["place"]}
        if len(self.dealt) < TILES * self.places:
            return "deal", str(len(self.dealt) + 1), {"to": [f"seat {self.in_turn[len(self.dealt) // TILES]}"]}
        if not self.arranged:
            return "arrange", "", {}
        hidden = [place for place in (f"seat {place}" for place in self.in_turn) if place not in self.shown]
        if hidden:
            return "reveal", hidden[0], {"to": hidden[:1], "key_in": not self.reader or hidden[0] in self.unread}
        return "confirm", "", {}

    def _preparing(self) -> str | None:
        return None if self.shuffled else "shuffle"

    def _offer(self) -> dict[str, Any]:
        """The holder first, then around; nobody is asked twice."""
        assert self.places
        legal = ["take", "refuse", "absent"]
        if self.left and self.left["place"] <= self.places and not self.answers:
            waiting = self.left["others"] if self.left["rounds"] >= 2 else []
            return {"seat": self.left["place"], "least": self.left["least"], "waiting": waiting, "legal": legal}
        last = self.answers[-1]["place"] if self.answers else self.places
        return {"seat": last % self.places + 1, "least": 1, "waiting": [], "legal": legal}

    # what is said

    def _announce(self, item: dict[str, Any]) -> None:
        self.places = {"eight_places": 8, "four_places": 4}[item["deal"]]

    def _take_bank(self, item: dict[str, Any]) -> None:
        step = self.step
        assert (item["place"], item["agreed"]) == (step["seat"], step["waiting"])
        if item["capital"] < step["least"]:
            raise Refused(f"at least {step['least']}", "5.º d)")
        self.answers.append(item)
        self.banker = {"place": item["place"], "capital": item["capital"], "casino": item["casino"], "rounds": 1}
        if self.left and self.left["place"] == item["place"]:
            self.banker["rounds"] += self.left["rounds"]

    def _announce_form(self, item: dict[str, Any]) -> None:
        assert item["by"] == self.step["seat"]
        self.form = item["form"]

    def _pass_bank(self, item: dict[str, Any]) -> None:
        assert item["place"] == self.step["seat"]
        self.answers.append(item)
        if len(self.answers) > (self.places or 0):
            self._void("policy: nobody takes the bank", "nobody takes the bank")

    def _wager(self, item: dict[str, Any]) -> None:
        super()._wager(item)
        self.bets.append({key: item[key] for key in ("seat", "player", "amount")})

    def lock(self) -> None:
        self.locked = True

    def _tiles_moved(self, item: dict[str, Any]) -> None:
        if self.step["kind"] not in ("wagers", "dice") or "bank" in self.moved or item["by"] in self.moved:
            raise Refused("nobody may any more", "2.º f)")
        self.moved.append(item["by"])

    def _dice(self, item: dict[str, Any]) -> None:
        assert item["by"] == self.step["seat"]
        self.dice = item["dice"]

    def _dice_null(self, item: dict[str, Any]) -> None:
        self.null_dice += 1

    def _tiles_dealt(self, item: dict[str, Any]) -> None:
        while self.step["kind"] == "deal":
            self._unheard_card(item)

    def _arranged(self, item: dict[str, Any]) -> None:
        self.arranged = True

    def _exposed(self, item: dict[str, Any]) -> None:
        self._refuse_report()
        self.exposed[item["to"]] = self.exposed.get(item["to"], 0) + item["count"]

    def _deal_corrected(self, item: dict[str, Any]) -> None:
        self.corrected.append(item)

    def _correct_wager(self, item: dict[str, Any]) -> None:
        if item["wager"] in ("capital", "casino"):
            assert self.banker
            self.banker[item["wager"]] = item["amount"]
            return
        (bet,) = [bet for bet in self.bets if (bet["seat"], bet["player"]) == (item["seat"], item["player"])]
        bet["amount"] = item["amount"]

    def _correct_seat(self, item: dict[str, Any]) -> None:
        for bet in self.bets:
            if bet["seat"] == item["seat"]:
                bet["seat"] = item["to_seat"]

    def _correct_dice(self, item: dict[str, Any]) -> None:
        if self.shown:
            raise Refused("tiles are shown")
        self.dice = item["dice"]

    def _confirm(self, item: dict[str, Any]) -> None:
        settled = self._settlement()
        super()._confirm(item)
        self.half_left = not self.void and self.places == 4 and not self.half_left
        if not self.void:
            assert self.banker
            bank, net = self.banker, settled["bank"]["net"]
            others = sorted({bet["seat"] for bet in self.bets} - {bank["place"]})
            least = bank["capital"] + net if net > 0 else 1
            self.left = {"place": bank["place"], "rounds": bank["rounds"], "others": others, "least": least}

    def _end_round(self) -> None:
        super()._end_round()
        names = ("banker", "bets", "form", "dice", "moved", "null_dice", "corrected", "exposed", "places", "answers")
        self.past[-1] |= {name: getattr(self, name) for name in names}

    # what is shown

    def _public_round(self, step: dict[str, Any], dealt: list[dict[str, Any]]) -> dict[str, Any]:
        bets = [{**bet, "wager": "place"} for bet in self.bets]
        return super()._public_round(step, dealt) | {
            "places": self.places, "banker": self.banker, "form": self.form, "dice": self.dice, "bets": bets
        }  # fmt: skip

    def _public_dealt(self) -> list[dict[str, Any]]:
        return self.dealt

    def _settlement(self) -> dict[str, Any]:
        if self.void or self.banker is None:
            nothing = {"wager": "place", "outcome": "void", "net": 0, "commission": 0}
            seats_back = [{"seat": seat, "lines": [nothing]} for seat in {bet["seat"] for bet in self.bets}]
            return {"outcome": "void", "bank": None, "seats": seats_back}
        bank, order = self.banker, [place for place in self.in_turn if place != self.banker["place"]]
        results: dict[int, Result] = {place: "win" if place % 2 else "lose" for place in order}
        laid = [bet for place in order for bet in self.bets if bet["seat"] == place]
        joiners = [bet for bet in self.bets if bet["seat"] == bank["place"]]
        behind = [bank["capital"], bank["casino"], *(bet["amount"] for bet in joiners)]
        settled, net = settle_in_order([(bet["amount"], results[bet["seat"]]) for bet in laid], sum(behind))
        lines: dict[int, list[dict[str, Any]]] = {place: [] for place in order}
        for bet, done in zip(laid, settled, strict=True):
            won = results[bet["seat"]] == "win"
            line = {
                "wager": "place",
                "player": bet["player"],
                "outcome": results[bet["seat"]],
                "commission": done.commission,
            }
            line["net"] = done.amount - done.commission if won else -done.amount
            lines[bet["seat"]].append(line)
        own, casino, *shares = share_out(net, behind)
        shared = {
            "seat": bank["place"],
            "net": own,
            "casino": {"share": bank["casino"], "net": casino} if bank["casino"] else None,
            "joiners": [{"player": bet["player"], "net": n} for bet, n in zip(joiners, shares, strict=True)],
        }
        seats = [{"seat": place, "lines": here} for place, here in lines.items()]
        return {"outcome": "settled", "settling_order": order, "seats": seats, "bank": shared}

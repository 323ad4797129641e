"""The round as its events have it: each of its settlements is compared with the rules."""

from ..rules.lines import act_at, act_on, strictly_equal
from .blackjack import BlackJack
from .forms import BadDay, Event, Wrong, first_difference
from .fortune_8 import Fortune8
from .pai_kao import PaiKao
from .parameters import Parameters
from .poker import Poker
from .round import Round
from .rows import Record, Row

GAMES: dict[str, type[Round]] = {
    "fortune-3-card-poker-2025": Poker,
    "fortune-3-card-poker-2008": Poker,
    "fortune-8": Fortune8,
    "blackjack-21": BlackJack,
    "taiwan-pai-kao": PaiKao,
}
CHANGES = {
    "wager_placed", "betting_closed", "deal_announced", "decision_made", "cards_dealt", "cards_shown",
    "input_corrected", "settlement_withdrawn", "round_settled", "places_settled", "round_voided", "hit_locked",
    "hit_withdrawn", "answer_given", "bank_turned", "card_taken", "bank_taken", "dice_thrown", "round_confirmed",
    "chip_contributed", "contribution_returned",
}  # fmt: skip
E4 = 10_000  # contributions of jackpot chips are counted in 1/10 000 of a minor unit


def act_of(terms: Event, began: str, as_of: str | None) -> str:
    """The act that decides a round with these terms."""
    try:
        if as_of is not None:
            return act_on(terms["game"], as_of)
    except ValueError as error:
        raise BadDay(str(error)) from None
    act = act_at(terms, began)
    if terms["act"] != act:
        raise Wrong(f"the round names {terms['act']!r}, and began while {act} was in force")
    return act


class Played:
    """The round of a record, decided by the act that it names, or by the one `as_of` a day.

    Raises Wrong where an event is not by the rules, BadDay for a day without a regulation.
    """

    def __init__(self, record: Record, as_of: str | None = None) -> None:
        begun = record.own[0].event
        if begun["type"] != "round_begun":
            raise Wrong("the first event does not begin the round")
        if begun["terms"]["game"] not in GAMES:
            raise Wrong(f"there is no game {begun['terms']['game']!r}")
        self.begun, self.number = begun, begun["round"]
        self.act = act_of(begun["terms"], record.own[0].time, as_of)
        self.round = GAMES[begun["terms"]["game"]](begun, self.act)
        self.parameters = Parameters()
        for row, _ in record.earlier:
            self.parameters.follow(row.event)
        self.settlement: Event | None = None  # the one that holds
        self.hits: list[Event] = []  # locked and not withdrawn
        self.confirmed = False
        self._contributed: dict[tuple[int, str | None], list[int]] = {}  # to the pot, by seat and player
        self._returned_e4 = 0  # since the round is void
        self._stayed: Event | None = None  # the jackpot of a settlement that a void leaves as it was
        self._due: list[Event] = []  # awards whose hits are to be locked next
        for row in record.own:
            try:
                self._follow(row.event)
            except Wrong as wrong:
                raise Wrong(f"event {row.number}: {wrong}") from None
        if self._due:
            raise Wrong("an award of the settlement was never locked")

    def _follow(self, event: Event) -> None:
        kind = event["type"]
        if self._due and kind != "hit_locked":
            raise Wrong("an award of the settlement was not locked")
        if self.confirmed and kind in CHANGES and not self._ends_carried(event):
            raise Wrong(f"{kind} after the round was confirmed")
        self.round.follow(event)
        self.parameters.follow(event)
        match kind:
            case "chip_contributed" | "contribution_returned":
                self._count_chip(event)
            case "settlement_withdrawn":
                self._stayed, self.settlement = (self.settlement or {}).get("jackpot"), None
            case "round_settled" | "places_settled":
                self._settle(event["settlement"])
            case "hit_locked":
                self._lock(event)
            case "hit_withdrawn":
                self._withdraw(event)
            case "round_confirmed":
                self.confirmed = True

    def _ends_carried(self, event: Event) -> bool:
        """Whether a chip that a void round carries goes back, because the table is closed before the next one."""
        carried = (self.round.void or {}).get("carried", [])
        return event["type"] == "contribution_returned" and event["round"] == self.number and event["seat"] in carried

    def _count_chip(self, event: Event) -> None:
        whose = event["seat"], event.get("player")
        if event["type"] == "contribution_returned":
            parts = [event[f"from_{part}_e4"] for part in ("pot", "reserve", "overflow")]
            # One that was carried here brought it in an earlier round.
            if event["round"] == self.number and self._contributed.pop(whose, None) != parts:
                raise Wrong("a chip went back with what it had not brought")
            self._returned_e4 += event["from_pot_e4"] if self.round.void else 0
            return
        if event["round"] != self.number:
            raise Wrong("a chip of another round")
        parts = [event[f"to_{part}_e4"] for part in ("pot", "reserve", "overflow")]
        terms = self.parameters.terms
        rate = None if terms is None else terms["increment_bp"] + terms["reserve_bp"]
        if rate is not None and sum(parts) != self.round.terms["chip"] * rate:
            raise Wrong(f"a chip of seat {event['seat']} brought {sum(parts)}, not {self.round.terms['chip'] * rate}")
        if whose in self._contributed:
            raise Wrong(f"a chip of seat {event['seat']} was counted twice")
        self._contributed[whose] = parts

    def _settle(self, given: Event) -> None:
        """A settlement of the record against the same by the rules."""
        if self.settlement is not None:
            raise Wrong("it is settled twice")
        round, pot = self.round, None
        if not round.void:
            round.check_cards()
        if round.terms["chip"]:
            pot = given["jackpot"]["pot_before"]
            if type(pot) is not int or pot < 0:
                raise Wrong("the pot before the settlement is no amount")
        stayed = self._stayed if round.void and round.decided_chips else None
        if round.void:
            after = None if pot is None else self._pot_given_back(given["jackpot"]["pot_after"], pot)
            expected = round.voided(pot, self.parameters, after) | ({"jackpot": stayed} if stayed else {})
        else:
            expected = round.settled(pot, self.parameters)
        if not strictly_equal(expected, given):
            raise Wrong(f"the settlement is not what the rules say{first_difference(expected, given)}")
        self.settlement = given
        if not stayed:
            self._due = list(given.get("jackpot", {}).get("awards", []))

    def _pot_given_back(self, given: int, pot: int) -> int:
        """The pot without the chips that went back: contributions have fractions, which no settlement has."""
        lowest, highest = ((pot * E4 + more - self._returned_e4) // E4 for more in (0, E4 - 1))
        return given if lowest <= given <= highest else lowest

    def _lock(self, event: Event) -> None:
        if not self._due:
            raise Wrong("a hit was locked that no settlement awarded")
        award = self._due.pop(0)
        locked = {name: event[name] for name in ("tier", "amount", "from_pot", "from_house", "article")}
        locked |= {"seat": event["seat"]} | ({"player": event["player"]} if event.get("player") else {})
        if locked != award or event["round"] != self.number:
            raise Wrong(f"the hit that was locked is not the one that was won{first_difference(award, locked)}")
        if event.get("cards") and event["cards"] != self.round.prize(event["seat"]):
            raise Wrong("the cards of the hit are not those that won it")
        self.hits.append(event)

    def _withdraw(self, event: Event) -> None:
        hit = next((hit for hit in self.hits if hit["hit"] == event["hit"]), None)
        if hit is None or any(hit[name] != event[name] for name in ("amount", "from_pot", "from_house")):
            raise Wrong("a hit was withdrawn that was never locked")
        self.hits.remove(hit)

    def check_later(self, later: list[tuple[Row, bytes]]) -> None:
        """What was paid later of the round is what was won."""
        hits = {hit["hit"]: hit for hit in self.hits}
        for row, _ in later:
            event = row.event
            if row.type == "hit_paid":
                hit = hits.get(event["hit"])
                if hit is None or event["amount"] != hit["amount"]:
                    raise Wrong(f"event {row.number}: a hit was paid that was not won so")
            elif event.get("round", self.number) != self.number:
                raise Wrong(f"event {row.number} is of another round")

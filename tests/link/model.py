"""What a linked pot has to be: computed again from what the tables reported and the grants, by plain arithmetic.

It shares no line with the ledger: it knows parameters as numbers, and grants as what they say.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from controller.link.messages import Contributed, Entry, Grant, Returned
from controller.rulebook.jackpot_award import Parameters

E4 = 10_000


class Model:
    """The pot, in 1/10 000 of a minor unit."""

    def __init__(self, pot: int, reserve: int, parameters: Parameters) -> None:
        self.pot, self.reserve, self.overflow, self.house, self.paid = pot * E4, reserve * E4, 0, 0, 0
        self.parameters, self.cycle = parameters, 0
        self.known = [parameters]
        self.given: dict[tuple[str, int], list[Any]] = {}  # chips left, part of the pot, of the reserve, its cycle
        self.pending: dict[tuple[str, int], Any] = {}
        self.grants: dict[str, Grant] = {}
        self.early: dict[str, int] = {}
        self.closed: set[str] = set()
        self.counted: dict[str, list[int]] = {}  # chips and units of each journal, as it says
        self.surplus: dict[tuple[str, int], tuple[str, int, int]] = {}
        self.began: dict[str, tuple[int, int, int]] = {}  # the cycle after a claim, what the house gave, the minimum
        self.wrong: list[str] = []

    def read(self, journals: Mapping[str, Sequence[Entry]], cut: Mapping[str, int], done: dict[str, int]) -> None:
        """The entries up to a cut, from where it was."""
        for name, through in cut.items():
            for entry in journals[name][done.get(name, 0) : through]:
                counted = self.counted.setdefault(name, [0, 0])
                sign = {"Contributed": 1, "Returned": -1}.get(type(entry.body).__name__, 0)
                if sign and isinstance(entry.body, Contributed | Returned):
                    counted[0] += sign * entry.body.chip_count
                    counted[1] += sign * entry.body.units_e4
                getattr(self, "_" + type(entry.body).__name__.lower(), lambda *_: None)(entry, entry.body)
            done[name] = through

    def close(self, claims: Iterable[str]) -> None:
        """Two persons at the pit have closed them: the money goes back, and what is paid later is the house's."""
        for claim in claims:
            self._give_back(claim)
            self.closed.add(claim)

    def grant(self, grant: Grant) -> None:
        """A hit: what the grant says has to follow."""
        self._close_cycle()
        if self.pot < E4:
            self._restart(grant.restarted)
        if grant.pot != self.pot // E4:
            self.wrong.append(f"{grant.claim}: the pot was {self.pot // E4}, not {grant.pot}")
        if grant.parameters != self.parameters:
            self.wrong.append(f"{grant.claim}: by other parameters")
        self.pot -= sum(award.from_pot for award in grant.awards) * E4
        self.house += sum(award.from_house for award in grant.awards) * E4
        if any(award.amount != award.from_pot + award.from_house for award in grant.awards) or self.pot < 0:
            self.wrong.append(f"{grant.claim}: awards out of nowhere")
        if self.pot < E4:
            house = self.house
            self._restart(grant.restarted)
            self.began[grant.claim] = self.cycle, self.house - house, self.parameters.minimum * E4
        self.grants[grant.claim] = grant
        if grant.claim in self.early:
            self._difference(grant, self.early.pop(grant.claim))

    def end(self) -> tuple[int, int, int, int]:
        """Pot, reserve, overflow, and what the house gave."""
        self._close_cycle()
        return self.pot, self.reserve, self.overflow, self.house

    def _close_cycle(self) -> None:
        past = max(0, self.pot - self.parameters.ceiling * E4)
        self.pot -= past
        if self.parameters.overflow_to == "reserve":
            self.reserve += past
        else:
            self.overflow += past
        for part in ("pot", "reserve"):
            missing = max(0, -getattr(self, part))
            setattr(self, part, getattr(self, part) + missing)
            self.house += missing

    def _restart(self, parameters: Parameters | None) -> None:
        if parameters is None:
            self.wrong.append("the pot did not start again")
            return
        self.cycle += 1
        out = min(self.reserve, parameters.minimum * E4)
        self.reserve -= out
        self.house += parameters.minimum * E4 - out
        self.pot += parameters.minimum * E4
        if parameters != self.parameters:
            self.known.append(parameters)
        self.parameters = parameters

    def _units(self, chips: int, terms: int) -> tuple[int, int] | None:
        if not 1 <= terms <= len(self.known):
            return None
        by = self.known[terms - 1]
        return chips * by.chip * by.increment_bp, chips * by.chip * by.reserve_bp

    def _announced(self, entry: Entry, body: Any) -> None:
        """What the journal before it was counted with and does not have any more, or the other way round."""
        counted = self.counted.get(body.predecessor)
        if body.totals is None or counted is None:
            return
        chips = counted[0] - body.totals.chip_count
        units = counted[1] - body.totals.contributed_e4 + body.totals.returned_e4
        if units > 0:
            self.surplus[entry.journal, entry.seq] = body.predecessor, chips, units
        elif units < 0:
            self.pending[entry.journal, entry.seq] = Contributed(0, abs(chips), 0, -units)

    def _never_were(self, journal: str, chips: int, units: int) -> None:
        """The last chips of a journal."""
        of_it = sorted((key for key in self.given if key[0] == journal), reverse=True)[:32]
        for key in of_it:
            left, to_pot, to_reserve, cycle = self.given[key]
            number = min(left, chips)
            both = number * (to_pot + to_reserve)
            if both > units:
                break
            chips, units = chips - number, units - both
            if cycle == self.cycle:
                self.pot -= number * to_pot
                self.reserve -= number * to_reserve
            else:
                self.house += both
        self.pot -= units

    def _contributed(self, entry: Entry, body: Any) -> None:
        units = self._units(body.chip_count, body.terms_number)
        key = entry.journal, entry.seq
        most = self.known[body.terms_number - 1].unreasonable_chips if units else 0
        if units is None or sum(units) != body.units_e4 or body.chip_count > most:
            self.pending[key] = body
            return
        self.pot += units[0]
        self.reserve += units[1]
        self.given[key] = [body.chip_count, units[0] // body.chip_count, units[1] // body.chip_count, self.cycle]

    def _returned(self, entry: Entry, body: Any) -> None:
        given = self.given.get((entry.journal, body.of))
        if given is None or body.chip_count > given[0] or body.units_e4 != body.chip_count * (given[1] + given[2]):
            self.pending[entry.journal, entry.seq] = body
            return
        given[0] -= body.chip_count
        if given[3] == self.cycle:
            self.pot -= body.chip_count * given[1]
            self.reserve -= body.chip_count * given[2]
        else:
            self.house += body.units_e4

    def _vouched(self, entry: Entry, body: Any) -> None:
        surplus = self.surplus.pop((body.journal, body.of), None)
        if surplus is not None:
            if not body.admitted:
                self._never_were(*surplus)
            return
        vouched = self.pending.pop((body.journal, body.of))
        if not body.admitted:
            return
        if not isinstance(vouched, Contributed):
            self.pot -= vouched.units_e4
            return
        units = self._units(vouched.chip_count, vouched.terms_number)
        if units is None or sum(units) != vouched.units_e4:
            self.pot += vouched.units_e4
            return
        self.pot += units[0]
        self.reserve += units[1]
        chips = vouched.chip_count
        self.given[body.journal, body.of] = [chips, units[0] // chips, units[1] // chips, self.cycle]

    def _withdrawn(self, entry: Entry, body: Any) -> None:
        if body.claim not in self.closed:
            self._give_back(body.claim)

    def _give_back(self, claim: str) -> None:
        grant = self.grants.get(claim)
        if grant is not None:
            self.pot += sum(award.from_pot for award in grant.awards) * E4
            self.house -= sum(award.from_house for award in grant.awards) * E4
            cycle, from_house, minimum = self.began.get(claim, (0, 0, 0))
            if cycle == self.cycle:
                # Anyone who wins next has no more than if no one had won, nor less than the others were shown.
                back = min(minimum, sum(award.from_pot for award in grant.awards) * E4)
                self.pot -= back
                self.house -= min(back, from_house)
                self.reserve += max(0, back - from_house)

    def _paid(self, entry: Entry, body: Any) -> None:
        if body.claim in self.closed:
            self.house += body.amount * E4

    def _settledonpaper(self, entry: Entry, body: Any) -> None:
        if body.claim in self.closed:
            self.house += body.amount * E4
        elif body.claim in self.grants:
            self._difference(self.grants[body.claim], body.amount)
        else:
            self.early[body.claim] = body.amount

    def _difference(self, grant: Grant, paid: int) -> None:
        more = (paid - sum(award.amount for award in grant.awards)) * E4
        if more > 0:
            self.house += more
        else:
            self.pot -= more


def model_of(
    opened: tuple[int, int, Parameters],
    journals: Mapping[str, Sequence[Entry]],
    grants: Sequence[Grant],
    closed: Iterable[str] = (),
) -> Model:
    """The model after everything that was reported, in the order that the grants report; `closed`
    after the last of them."""
    model, done = Model(*opened), dict[str, int]()
    for grant in sorted(grants, key=lambda grant: grant.number):
        model.close(grant.closed)
        model.read(journals, grant.cut, done)
        model.grant(grant)
    model.close(closed)
    model.read(journals, {name: len(entries) for name, entries in journals.items()}, done)
    return model

"""Claims of a linked pot: granted, withdrawn, paid, closed. No I/O here."""

from typing import Any

from msgspec.structs import replace

from controller.engine.state import jackpot
from controller.engine.state.jackpot import E4, HitLocked, HitWithdrawn, Meter, PotRestarted, RestartWithdrawn
from controller.link.messages import Claimed, Entry, Grant
from controller.pit.ledger.state import Claim, PotLedger, Since, settled_meter, with_claim, with_stop
from controller.rulebook.filled import filled
from controller.rulebook.games import GAMES


def record_claim(ledger: PotLedger, entry: Entry, body: Claimed) -> PotLedger:
    """The ledger with a claim that has no answer yet."""
    known = ledger.claims.get(body.claim)
    if known is not None:  # the stored answer holds
        return ledger if known.claimed == body else with_stop(ledger, "entry_makes_no_sense")
    head = ledger.journals[entry.journal].head
    claims = {**ledger.claims, body.claim: Claim(entry.table, entry.journal, head, body)}
    return replace(ledger, claims=claims)


def grant_claim(ledger: PotLedger, name: str) -> PotLedger:
    """The answer to a claim: number and amount, from the pot as it is, which restarts if it is used up (15.º 6)."""
    claim, meter = ledger.claims[name], settled_meter(ledger)
    cut = {key: journal.through for key, journal in sorted(ledger.journals.items())}
    if (restarted := jackpot.restart(meter)) is not None:
        meter = jackpot.advance(meter, restarted)
    pot, parameters = meter.pot, meter.parameters
    try:
        settled = GAMES[ledger.game].award(claim.claimed.winners, parameters.chip, meter.prize_terms)
    except KeyError:
        return with_stop(ledger, "entry_makes_no_sense")
    if not settled.awards:
        return with_stop(ledger, "entry_makes_no_sense")
    number = meter.hits_locked + 1
    for award in settled.awards:
        locked = filled(HitLocked, award, hit=meter.hits_locked + 1, round=claim.claimed.round, cards=(), linked=False)
        meter = jackpot.advance(meter, locked)
    begins = jackpot.restart(meter)
    if begins is not None:
        meter = jackpot.advance(meter, begins)
    restarts = sum(restart is not None for restart in (restarted, begins))
    begun = meter.parameters if restarts else None
    terms = len(ledger.terms) + (parameters != ledger.terms[-1])
    answer = Grant(name, claim.head, number, pot, terms, parameters, tuple(settled.awards), cut, begun, ledger.closed)
    changed = meter.parameters != ledger.terms[-1]
    cycle = ledger.cycle + restarts
    ledger = replace(
        ledger,
        meter=meter,
        since=Since(),
        cycle=cycle,
        closed=(),
        terms=(*ledger.terms, meter.parameters) if changed else ledger.terms,
        claims={**ledger.claims, name: replace(claim, grant=answer, restart=begins, cycle=cycle)},
    )
    return ledger if claim.paid is None else _close(ledger, answer, claim.paid)


def waiting_claims(ledger: PotLedger) -> list[str]:
    """The claims without an answer, in the order they came."""
    return [name for name, claim in ledger.claims.items() if claim.grant is None and not claim.withdrawn]


def withdraw_claim(ledger: PotLedger, entry: Entry, name: str) -> PotLedger:
    """The ledger after a table has withdrawn its claim; its money returns to the pot."""
    claim = _own_claim(ledger, entry, name)
    if claim is None or claim.paid is not None or claim.withdrawn:
        return with_stop(ledger, "entry_makes_no_sense")
    return with_claim(ledger if claim.closed else _money_back(ledger, claim), name, replace(claim, withdrawn=True))


def _money_back(ledger: PotLedger, claim: Claim) -> PotLedger:
    """Gives back the parts that pot and house gave. The amount with which a used-up pot restarted leaves the pot again.

    Other tables play for that pot by now: it is never less than they were shown, and its parameters stay. Once it has
    been won too, nothing of it is left to go back.
    """
    meter = ledger.meter
    for number, award in _numbered(claim.grant):
        gone = HitWithdrawn(number, award.amount, award.from_pot, award.from_house)
        meter = jackpot.advance(meter, gone)
    if claim.restart is not None and claim.cycle == ledger.cycle:
        meter = _take_back(meter, claim.restart, sum(award.from_pot for _, award in _numbered(claim.grant)) * E4)
    return replace(ledger, meter=meter)


def _take_back(meter: Meter, restart: PotRestarted, used_e4: int) -> Meter:
    """Takes the house's part back first: the house gave what the reserve lacked."""
    to_house_e4 = min(used_e4, restart.from_house_e4)
    to_reserve_e4 = min(used_e4 - to_house_e4, restart.from_reserve_e4)
    return jackpot.advance(
        meter, RestartWithdrawn(to_reserve_e4, to_house_e4, parameters=meter.parameters, scheduled=meter.scheduled)
    )


def pay_claim(ledger: PotLedger, entry: Entry, name: str, amount: int, on_paper: bool) -> PotLedger:
    """The ledger after a table has paid its claim. Stopped where the amount is not the one that was granted."""
    claim = _own_claim(ledger, entry, name)
    if claim is None or claim.paid is not None or claim.withdrawn:
        return with_stop(ledger, "entry_makes_no_sense")
    if claim.closed:
        paid_e4, meter = amount * E4, ledger.meter
        meter = replace(meter, paid_e4=meter.paid_e4 + paid_e4, house_funded_e4=meter.house_funded_e4 + paid_e4)
        jackpot.check_meter(meter)
        ledger = replace(ledger, meter=meter)
        return with_stop(with_claim(ledger, name, replace(claim, paid=amount)), "closed_claim_paid")
    if not on_paper and (claim.grant is None or claim.grant.amount != amount):
        return with_stop(ledger, "payments_differ")
    ledger = with_claim(ledger, name, replace(claim, paid=amount))
    return ledger if claim.grant is None else _close(ledger, claim.grant, amount)


def _close(ledger: PotLedger, grant: Grant, paid: int) -> PotLedger:
    meter = ledger.meter
    for number, _ in _numbered(grant):
        hit = jackpot.hit_of(meter, number)
        meter = jackpot.advance(meter, jackpot.payment(hit, slip=0, confirmed_by=(), roles=()))
    more_e4 = (paid - grant.amount) * E4
    meter = replace(
        meter,
        paid_e4=meter.paid_e4 + more_e4,
        house_funded_e4=meter.house_funded_e4 + max(0, more_e4),
        pot_e4=meter.pot_e4 + max(0, -more_e4),
    )
    jackpot.check_meter(meter)
    ledger = replace(ledger, meter=meter)
    return ledger if paid == grant.amount else with_stop(ledger, "paper_differs")


def _own_claim(ledger: PotLedger, entry: Entry, name: str) -> Claim | None:
    claim = ledger.claims.get(name)
    return claim if claim is not None and claim.table == entry.table else None


def _numbered(grant: Grant | None) -> list[tuple[int, Any]]:
    return [] if grant is None else list(enumerate(grant.awards, grant.number))


def close_claim(ledger: PotLedger, name: str) -> PotLedger:
    """The ledger after two persons have closed a claim that will not be paid; its money returns to the pot."""
    claim = ledger.claims[name]
    ledger = with_claim(_money_back(ledger, claim), name, replace(claim, closed=True))
    return replace(ledger, closed=(*ledger.closed, name))

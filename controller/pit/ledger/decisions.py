"""What persons decide at the pit, and the evidence that they decide about. No I/O here."""

from collections.abc import Callable

from msgspec.structs import replace

from controller.engine.state import jackpot
from controller.engine.state.jackpot import ParametersApproved, ParametersProposed, ParametersScheduled
from controller.link.messages import WentBack
from controller.pit.ledger.claims import close_claim
from controller.pit.ledger.state import (
    KEYS_OFFERED,
    AcceptKey,
    AcceptLoss,
    Admit,
    Ahead,
    Approve,
    ByTwo,
    Close,
    DecisionRefused,
    Offered,
    PendingDecision,
    PitDecision,
    PotLedger,
    Propose,
    Release,
    Resume,
    without_block,
)
from controller.rulebook.roles import SUPERVISOR, Role
from controller.tlog.notes import ED25519, BadKey, VerifierKey


def apply_decision(ledger: PotLedger, decided: PitDecision) -> PotLedger:
    """The ledger after a person's decision. Raises DecisionRefused."""
    person, role = decided.person, decided.role
    if ledger.ahead is not None and not isinstance(decided.what, AcceptLoss):
        raise DecisionRefused("accept_the_loss")  # these are not the books to decide in
    match decided.what:
        case Propose(parameters=parameters):
            if parameters == ledger.meter.agreed:
                raise DecisionRefused("nothing_changes")
            proposed = ParametersProposed(ledger.meter.proposals + 1, ledger.meter.agreed, parameters)
            return replace(ledger, meter=jackpot.advance(ledger.meter, proposed))
        case Approve(number=number):
            return _approve(ledger, number, person, role)
        case Resume() as resume:
            if not ledger.stopped:
                raise DecisionRefused("not_stopped")
            return _second(ledger, resume, person, role, lambda known: replace(known, stopped=""))
        case Admit(table=table, journal=name) as admit:
            if table not in ledger.tables:
                raise DecisionRefused("unknown_table")
            return _second(ledger, admit, person, role, lambda known: replace(known, admitted=(*known.admitted, name)))
        case Close(claim=name, reason=reason) as close:
            claim = ledger.claims.get(name)
            if claim is None or claim.grant is None:
                raise DecisionRefused("no_such_grant")
            if not claim.is_open:
                raise DecisionRefused("claim_is_over")
            if not reason:
                raise DecisionRefused("a_reason_is_missing")
            return _second(ledger, close, person, role, lambda known: close_claim(known, name))
        case AcceptKey(table=table, key=key) as accept:
            if table not in ledger.tables:
                raise DecisionRefused("unknown_table")
            if not is_key_of(table, key):
                raise DecisionRefused("not_its_key")
            return _second(ledger, accept, person, role, lambda known: _with_key(known, table, key))
        case AcceptLoss() as accept_loss:
            if ledger.ahead is None:
                raise DecisionRefused("nothing_is_lost")
            return _second(ledger, accept_loss, person, role, _accepted)
        case Release(table=table) as release:
            if table not in ledger.broken:
                raise DecisionRefused("nothing_to_release")
            return _second(ledger, release, person, role, lambda known: _released(known, table))


def _approve(ledger: PotLedger, number: int, person: str, role: Role) -> PotLedger:
    meter = ledger.meter
    proposal = meter.proposal
    if proposal is None or proposal.number != number:
        raise DecisionRefused("no_such_proposal")
    if person in proposal.approved_by:
        raise DecisionRefused("approved_already")
    if proposal.approved_by and SUPERVISOR not in (*proposal.roles, role):
        raise DecisionRefused("a_supervisor_has_to")
    meter = jackpot.advance(meter, ParametersApproved(number, person, role))
    if proposal.approved_by:
        who, roles = (*proposal.approved_by, person), (*proposal.roles, role)
        meter = jackpot.advance(
            meter, ParametersScheduled(meter.parameters, proposal.parameters_after, "pit", who, roles)
        )
    return replace(ledger, meter=meter)


def _accepted(ledger: PotLedger) -> PotLedger:
    """Lets revisions resume above all earlier ones: at the epoch, which counts milliseconds since 1970 and is higher
    than any revision.
    """
    ahead = ledger.ahead
    assert ahead is not None
    accepted, revision = max(ahead.epoch, ledger.epoch - 1), max(ahead.revision, ledger.epoch)
    return replace(ledger, ahead=None, stopped=ahead.stopped, accepted=accepted, revision=revision)


def _released(ledger: PotLedger, table: str) -> PotLedger:
    released = {**ledger.released, table: ledger.broken[table]}
    return replace(without_block(ledger, table), released=released)


def is_key_of(table: str, key: str) -> bool:
    """Whether this is a public key under the name of the table."""
    try:
        found = VerifierKey.read(key)
    except BadKey:
        return False
    return (found.name, found.kind, str(found)) == (f"dealer/{table}", ED25519, key)


def offer_key(ledger: PotLedger, offered: Offered) -> PotLedger:
    """The ledger with a key that waits for two persons; unchanged if the key waits already or too many do."""
    table, key = offered.table, offered.key
    waiting = ledger.offered.get(table, ())
    known = key in waiting or ledger.keys.get(table) == key or len(waiting) >= KEYS_OFFERED
    if known or table not in ledger.tables or not is_key_of(table, key):
        return ledger
    return replace(ledger, offered={**ledger.offered, table: (*waiting, key)})


def _with_key(ledger: PotLedger, table: str, key: str) -> PotLedger:
    left = {name: keys for name, keys in ledger.offered.items() if name != table}
    return replace(ledger, keys={**ledger.keys, table: key}, offered=left)


def _second(
    ledger: PotLedger, what: ByTwo, person: str, role: Role, then: Callable[[PotLedger], PotLedger]
) -> PotLedger:
    asked = ledger.asked
    if asked is None or asked.what != what:
        return replace(ledger, asked=PendingDecision(what, person, role))
    if asked.person == person:
        raise DecisionRefused("approved_already")
    if SUPERVISOR not in (asked.role, role):
        raise DecisionRefused("a_supervisor_has_to")
    return then(replace(ledger, asked=None))


def ahead_by(ledger: PotLedger, table: str, journal: str, body: WentBack) -> Ahead | None:
    """The evidence of a table that has received more than the ledger has; None if the ledger has at least as much."""
    kept = ledger.journals.get(journal)
    lost = body.revision > ledger.revision or body.through > (0 if kept is None else kept.through)
    return Ahead(table, body.epoch, body.revision) if lost else None


def stop_if_older(ledger: PotLedger, seen: Ahead | None) -> PotLedger:
    """The ledger; stopped if there is evidence that its database went back and two persons have not accepted that."""
    if seen is None or seen.epoch <= ledger.accepted:
        return ledger
    known = ledger.ahead
    if known is not None and (known.epoch, known.revision) >= (seen.epoch, seen.revision):
        return ledger
    before = ledger.stopped if known is None else known.stopped
    return replace(ledger, stopped="went_back", ahead=replace(seen, stopped=before))


def block_table(ledger: PotLedger, table: str, revision: int) -> PotLedger:
    """Blocks a table that saw a pit with newer books until two persons release it; no change if it is blocked
    already.
    """
    if revision <= max(ledger.broken.get(table, 0), ledger.released.get(table, 0)):
        return ledger
    return replace(ledger, broken={**ledger.broken, table: revision})

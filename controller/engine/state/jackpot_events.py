"""What can happen to the progressive jackpot, and the parameters that govern it. No I/O here."""

from typing import Literal

from controller.engine.state.persons import Role
from controller.rulebook.cards import Card
from controller.rulebook.events import EventBase
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.units import Minor, TenThousandths


class MeterOpened(EventBase, frozen=True):
    """A new journal begins with what stands on the meter and in the reserve, in minor units.

    `carried_over` says where the pot ran before; null where it starts.
    """

    pot: Minor
    reserve: Minor
    parameters: Parameters
    carried_over: str | None = None


class ParametersProposed(EventBase, frozen=True):
    """The configuration asks for other parameters, which wait for two persons; an earlier proposal is void with it.

    `before` is what holds once the running pot is won if nobody approves. Numbers count from 1 in each journal.
    """

    number: int
    parameters_before: Parameters
    parameters_after: Parameters


class ParametersApproved(EventBase, frozen=True):
    """One of the two persons approved a proposal."""

    number: int
    actor: str
    role: Role


class ParametersWithdrawn(EventBase, frozen=True):
    """The configuration is as it was again: the proposal and its approvals are void, its number is spent."""

    number: int


class ParametersScheduled(EventBase, frozen=True):
    """New parameters are agreed on; they take effect once the running pot is won.

    `parameters_before` governs until then. `actor` is where they came from, `approved_by` are the two who approved
    them, each with the role of then.
    """

    parameters_before: Parameters
    parameters_after: Parameters
    actor: str
    approved_by: tuple[str, ...]
    roles: tuple[Role, ...]


class ChipContributed(EventBase, frozen=True):
    """One counted chip moved the meter. The three parts are in 1/10 000 of a minor unit.

    `player` is whose it is at a seat where several may have one, as it was marked.
    """

    round: int
    seat: int
    to_pot_e4: TenThousandths
    to_reserve_e4: TenThousandths
    to_overflow_e4: TenThousandths
    player: str | None = None


class ContributionReturned(EventBase, frozen=True):
    """A chip went back to its player and took its contribution along, part by part."""

    round: int
    seat: int
    from_pot_e4: TenThousandths
    from_reserve_e4: TenThousandths
    from_overflow_e4: TenThousandths
    player: str | None = None


class HitLocked(EventBase, frozen=True):
    """An award is recognised: its amount is fixed, off the pot, and waits for payment. Minor units.

    `cards` are those that won it. `player` bets along at the seat, and the chip is his. `linked`: its pot is one that
    tables share, and what came out of it was not on this table's meter.
    """

    hit: int
    round: int
    seat: int
    tier: str
    amount: Minor
    from_pot: Minor
    from_house: Minor
    article: str
    cards: tuple[Card, ...]
    player: str | None = None
    linked: bool = False

    @property
    def from_meter(self) -> int:
        """What came off the pot of the table's own meter, for which else the house stands there."""
        return 0 if self.linked else self.from_pot


class PotRestarted(EventBase, frozen=True):
    """An emptied pot starts again at its minimum (15.º 6), out of the reserve and, for the rest, the house."""

    from_reserve_e4: TenThousandths
    from_house_e4: TenThousandths
    parameters: Parameters


class HitWithdrawn(EventBase, frozen=True):
    """The settlement that won the hit does not hold: what pot and house gave goes back, the number is spent."""

    hit: int
    amount: Minor
    from_pot: Minor
    from_house: Minor
    linked: bool = False

    @property
    def from_meter(self) -> int:
        """What goes back to the pot of the table's own meter."""
        return 0 if self.linked else self.from_pot


class RestartWithdrawn(EventBase, frozen=True):
    """The pot was not emptied after all: the restart is undone, with the parameters that came with it."""

    from_reserve_e4: TenThousandths
    from_house_e4: TenThousandths
    parameters: Parameters
    scheduled: Parameters | None


class MeterAdjusted(EventBase, frozen=True):
    """A supervisor's documented adjustment of one part of the meter; minor units, negative takes away.

    `second` is the other person, who co-signs it.
    """

    part: Literal["pot", "reserve", "overflow"]
    amount: Minor
    actor: str
    reason: str
    second: str


class HitMadePayable(EventBase, frozen=True):
    """The hit's round is confirmed: it may be paid."""

    hit: int


class HitConfirmed(EventBase, frozen=True):
    """One of the two persons confirmed the payment."""

    hit: int
    actor: str
    role: Role


class CardsWitnessed(EventBase, frozen=True):
    """A supervisor and a second person saw the winning cards of hits that are not paid; they may be cleared away.

    `second_role` is the role of the person who co-signs it.
    """

    round: int
    of_hits: tuple[int, ...]
    actor: str
    second: str
    second_role: Role


class HitPaid(EventBase, frozen=True):
    """The award was handed over, once and for ever. Minor units.

    `slip` is the number of its payment slip: from 1 in each journal, without a gap. A pit gives no slips: 0.
    """

    hit: int
    amount: Minor
    confirmed_by: tuple[str, ...]
    roles: tuple[Role, ...]
    slip: int
    round: int
    seat: int
    tier: str
    cards: tuple[Card, ...]
    player: str | None = None


ParametersEvent = ParametersProposed | ParametersApproved | ParametersWithdrawn | ParametersScheduled
PotEvent = ChipContributed | ContributionReturned | PotRestarted | RestartWithdrawn | MeterAdjusted
HitEvent = HitLocked | HitWithdrawn | HitMadePayable | HitConfirmed | CardsWitnessed | HitPaid
JackpotEvent = MeterOpened | ParametersEvent | PotEvent | HitEvent

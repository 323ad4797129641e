"""A payment slip as a value: one paid hit, the table it was won at, and its amount in words. No I/O here."""

from msgspec import Struct

from controller.engine.shown.device_orders import legal_status_in_words
from controller.floor.messages import Identity
from controller.journal.payments import Confirmation, Payment
from controller.rulebook.cards import show_cards
from controller.rulebook.games import GAMES
from controller.rulebook.house import Authorisation
from controller.slips.amounts import amount_words, in_figures
from controller.slips.code import Code
from controller.words import Words

SCHEMA = 1


class Slip(Struct, frozen=True, kw_only=True):
    """What is on a slip. Money in minor units of `currency`, 10^-`exponent` of its unit; times UTC.

    `slip` counts the payments of `journal` from 1 without a gap, and `event` is the payment's number there. `amount` =
    `from_pot` + `from_house`. `player` bets along at the seat, if the chip was his. `synchronised`: the clock of
    `paid_at` was synchronised. `legal_status` says which regulation was played and whether it is in force,
    `authorisations` are those of the round that won it. `code` is set if a single slip is asked for.
    """

    schema: int = SCHEMA
    slip: int
    mode: str
    site: str
    table: str
    journal: str
    event: int
    game: str
    round: int
    seat: int
    player: str = ""
    hit: int
    cards: str
    tier: str
    article: str
    currency: str
    exponent: int
    amount: int
    from_pot: int
    from_house: int
    figures: str
    words: Words
    won_at: str
    paid_at: str
    synchronised: bool
    confirmed: tuple[Confirmation, ...]
    legal_status: Words
    authorisations: tuple[Authorisation, ...]
    code: Code | None = None


def slip_of(payment: Payment, identity: Identity) -> Slip:
    """The slip of a payment made at the table that `identity` names."""
    locked, paid = payment.locked, payment.paid
    return Slip(
        slip=paid.slip,
        mode=identity.mode,
        site=identity.site,
        table=identity.table,
        journal=payment.journal,
        event=payment.event,
        game=payment.terms.game,
        round=locked.round,
        seat=locked.seat,
        player=locked.player or "",
        hit=locked.hit,
        cards=show_cards(paid.cards),
        tier=locked.tier,
        article=locked.article,
        currency=identity.currency,
        exponent=identity.exponent,
        amount=paid.amount,
        from_pot=locked.from_pot,
        from_house=locked.from_house,
        figures=in_figures(paid.amount, identity.currency, identity.exponent),
        words=amount_words(paid.amount, identity.currency, identity.exponent),
        won_at=payment.won_at,
        paid_at=payment.paid_at,
        synchronised=payment.synchronised,
        confirmed=payment.confirmed,
        legal_status=legal_status_in_words(GAMES[payment.terms.game].legal_status),
        authorisations=payment.terms.house.authorisations,
    )

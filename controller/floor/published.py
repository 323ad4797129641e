"""Which events are published, and the keys of their messages: an event without a row is on no topic. No I/O here."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, get_args

from msgspec import UNSET, Struct, UnsetType, defstruct
from msgspec.structs import fields

from controller.engine.shown.prompts import alarm_words
from controller.engine.state.alarms import Level, level_of
from controller.engine.state.applied import Event
from controller.floor.message_data import entered, texts
from controller.floor.shapes import SCHEMA, Entered, Texts
from controller.rulebook.corrected import reported_correction
from controller.rulebook.games import GAMES, SettlingEvent, game_of
from controller.rulebook.report import RoundResult
from controller.rulebook.round import Round
from controller.rulebook.units import Minor
from controller.words import Words, english

PUBLISHED: dict[str, str] = {
    # Rounds.
    "round_begun": "round currency exponent terms orders_from carried ready continuous left",
    "deck_faulted": "round? found missing duplicated",
    "deck_restored": "round? actor",
    "cards_shuffled": "round? count",
    "shuffle_lost": "round?",
    "deck_cut": "round? by name",
    "cut_passed": "round? seat vacant actor",
    "warning_card_placed": "round? place behind actor",
    "wager_placed": "round? currency exponent seat wager amount player",
    "betting_closed": "round? chips returned carried carried_back marked",
    "deal_announced": "round? deal actor",
    "card_came_early": "round?",
    "cards_dealt": "round? draws places order unread unreported",
    "count_asked": "round? gap_cause lost",
    "unreported_matched": "round? count",
    "count_doubted": "round? count actor",
    "cards_counted": "round? count unread actor",
    "card_burned": "round? draw",
    "increment_entered": "round? currency exponent amount actor",
    "cards_exposed": "round? to count",
    "cards_set_aside": "round? to draws",
    "error_corrected": "round? what to actor",
    "cards_nulled": "round? draws seat",
    "decision_made": "round? seat hand decision",
    "cards_shown": "round? to cards keyed_in draws",
    "input_corrected": (
        "round? currency exponent net_difference what at before after actor reason wager player draws "
        "asked_again net_before net_after change after_result approved_by amount_before amount_after"
    ),
    "settlement_withdrawn": "round?",
    "round_settled": "round? currency exponent settlement",
    "round_voided": (
        "round? currency exponent net_difference article reason code values carried decided actor net_before "
        "net_after change after_result approved_by"
    ),
    "round_confirmed": "round? actor",
    "cards_inserted": "round? count",
    "cards_pending": "round? count actor",
    "claims_closed": "round? count pending_rounds",
    "card_uncalled": "round? draw what to",
    "uncalled_settled": "round? draw seen actor",
    "card_annulled": "round? draw",
    "card_taken": "round? draw to unreadable",
    "answer_given": "round? currency exponent question seat hand actor decision yes amounts who",
    "bank_turned": "round?",
    "bank_taken": "round? currency exponent seat capital casino_share agreed bet_elsewhere actor",
    "bank_passed": "round? seat absent actor",
    "form_announced": "round? form seat actor",
    "tiles_moved": "round? by actor",
    "dice_thrown": "round? dice seat actor",
    "dice_annulled": "round? seat actor",
    "hands_set": "round? actor",
    "places_settled": "round? currency exponent settlement",
    # The table, its devices and its persons.
    "table_opened": "actor load",
    "table_closed": "actor",
    "no_bet_made": "actor spread",
    "acts_done": "acts actor role",
    "chip_placed": "round? seat counter late edges",
    "chip_passed_by": "seat counter edges",
    "sensor_doubted": "seat counter",
    "chip_cleared": "round? seat counter",
    "dealer_notified": "round? notice seat text",
    "device_up": "device outage_ms tries",
    "device_lost": "device reason cause again",
    "device_forgotten": "device",
    "device_reported": "device what values details",
    "orders_spent": "last_order",
    "deck_doubted": "found missing duplicated",
    "shuffler_known": "boot",
    "shuffler_exchanged": "actor",
    "cut_card_out": "actor one_more",
    "packet_loaded": "count",
    "shuffler_loaded": "actor",
    "cards_extracted": "count missing actor",
    "damaged_card_reported": "to actor",
    "card_replaced": "actor reason authorised_by",
    "inspection_informed": "actor reason",
    "shuffler_cleared": "cleared_by technician actor",
    "source_chosen": "source actor",
    "round_adjusted": "round currency exponent seat amount actor reason second after_claims",
    "change_entered": (
        "round? currency exponent net_difference change actor role two_persons article code values net_before "
        "net_after entered"
    ),
    "changes_approved": "round? changes actor reason second second_role",
    "change_rejected": "round? change actor role reason",
    "key_released": "round actor reason second",
    "complaint_opened": "round complaint seat what by actor",
    "complaint_decided": "round complaint seat outcome reason actor",
    "message_untaken": "message topic details",
    "message_set_aside": "message topic actor reason",
    "slip_printed": "slip times actor",
    "journal_pruned": "first last segments hash before approved_by",
    "journal_overtaken": "journal message known",
    "epoch_begun": "actor reason second second_role",
    "link_joined": "link table game keys",
    "link_vouched": "journal entry outcome actor reason second second_role",
    "pit_keys_configured": "keys",
    "pit_accepted": "keys actor reason second second_role",
    "grant_compared": "currency exponent claim amount actor reason second second_role",
    "link_on_paper": "currency exponent claim pot amounts actor reason second second_role",
    "link_recorded": "currency exponent content",
    "alarm_raised": "alarm level code values texts at details",
    "alarm_cleared": "alarm at",
    "alarm_acknowledged": "alarm actor",
    # The jackpot.
    "meter_opened": "currency exponent pot reserve parameters carried_over",
    "parameters_proposed": "currency exponent number parameters_before parameters_after",
    "parameters_approved": "number actor role",
    "parameters_withdrawn": "number",
    "parameters_scheduled": "currency exponent parameters_before parameters_after actor approved_by roles",
    "regulation_approved": "act actor role",
    "regulation_scheduled": "act_before act_after in_force approved_by roles",
    "regulation_changed": "act_before act_after in_force",
    "chip_contributed": "round currency exponent seat to_pot_e4 to_reserve_e4 to_overflow_e4 player",
    "contribution_returned": "round currency exponent seat from_pot_e4 from_reserve_e4 from_overflow_e4 player",
    "hit_locked": "round currency exponent hit seat tier amount from_pot from_house article cards player linked",
    "hit_withdrawn": "round? currency exponent hit amount from_pot from_house linked",
    "pot_restarted": "currency exponent from_reserve_e4 from_house_e4 parameters",
    "restart_withdrawn": "currency exponent from_reserve_e4 from_house_e4 parameters scheduled",
    "meter_adjusted": "currency exponent part amount actor reason second",
    "hit_made_payable": "round? hit",
    "hit_confirmed": "round? hit actor role",
    "cards_witnessed": "round of_hits actor second second_role",
    "hit_paid": "round currency exponent hit amount confirmed_by roles slip seat tier cards player",
    # Logging in.
    "entry_made": "name role address screen first_login",
    "entry_ended": "name role address how",
    "entry_refused": "name role address reason screen screen_persons attempts",
    "entry_locked": "name role address failures seconds screen screen_persons",
    "entry_lifted": "name role address actor",
}
"""The keys of each message's data behind `schema` and `sequence`, by the event's tag.

`round?` is the round that the event belongs to, if there is one. `currency` and `exponent` are there for the money in
the message. The others are fields of the event, except those in `MADE`.
"""


def _drawn(event: Any, round: Round | None) -> tuple[int, ...]:
    """The draws of the cards that an event shows, even if it names only the place."""
    drawn: tuple[int, ...] = event.draws
    return drawn if drawn or round is None else game_of(round).draws_at(round, event.to)


MADE: dict[str, tuple[Any, Callable[[Any, Round | None], Any]]] = {
    "AlarmRaised.level": (Level, lambda event, _: level_of(event.code, event.values)),
    "AlarmRaised.texts": (Words, lambda event, _: alarm_words(event.code, event.values)),
    "CardsShown.draws": (tuple[int, ...], _drawn),
    "DealerNotified.text": (str | None, lambda event, _: event.text if event.why is None else english(event.why)),
    "entered": (Entered, lambda event, _: entered(event.input)),
    "InputCorrected.after": (str | None, lambda event, _: reported_correction(event).after),
    "InputCorrected.amount_after": (Minor | None, lambda event, _: reported_correction(event).amount_after),
    "InputCorrected.amount_before": (Minor | None, lambda event, _: reported_correction(event).amount_before),
    "InputCorrected.before": (str | None, lambda event, _: reported_correction(event).before),
    "net_difference": (Minor | None, lambda event, _: event.net_difference),
    "player": (str | None, lambda event, _: event.player or None),
    "RoundBegun.continuous": (bool, lambda event, _: GAMES[event.terms.game].source.machine == "continuous"),
    "RoundVoided.reason": (str, lambda event, _: english(event.why)),
    "settlement": (RoundResult, lambda event, _: event.settlement.result()),
    "values": (Texts, lambda event, _: texts(event.values)),
}
"""The keys whose form differs from the event's; `Event.key` takes precedence over `key`."""


def is_published(event: type[Event]) -> bool:
    """Whether there is a message of an event."""
    return _tag(event) in PUBLISHED


@cache
def event_name(event: type[Event]) -> str:
    """The last part of the topic and type of an event's message; the settlements of all games share one."""
    return "round_settled" if issubclass(event, SettlingEvent) else _tag(event)


@cache
def shape_of(event: type[Event]) -> type[Struct]:
    """The shape of an event's data in its message. Raises KeyError for an event that is not published."""
    own = {"currency": str, "exponent": int} | {field.name: field.type for field in fields(event)}
    shaped: list[Any] = [("schema", Literal[1]), ("sequence", int)]
    for key in PUBLISHED[_tag(event)].split():
        made = _made(event, key)
        shaped.append(("round", int | UnsetType, UNSET) if key == "round?" else (key, made[0] if made else own[key]))
    name = "".join(map(str.capitalize, event_name(event).split("_")))
    return defstruct(name, shaped, namespace={"__doc__": event.__doc__}, frozen=True, kw_only=True)


def event_data(event: Event, of: int | None, round: Round | None, money: Mapping[str, Any], sequence: int) -> Struct:
    """The data of an event; `of` is the round it belongs to, `round` the one in play."""
    data: dict[str, Any] = {"schema": SCHEMA, "sequence": sequence}
    for key in PUBLISHED[_tag(type(event))].split():
        if key == "round?":
            data["round"] = UNSET if of is None else of
        elif made := _made(type(event), key):
            data[key] = made[1](event, round)
        else:
            data[key] = money[key] if key in money else getattr(event, key)
    return shape_of(type(event))(**data)


def _tag(event: type[Event]) -> str:
    return str(event.__struct_config__.tag)


def _made(event: type[Event], key: str) -> tuple[Any, Callable[[Any, Round | None], Any]] | None:
    return MADE.get(f"{event.__name__}.{key}") or MADE.get(key)


EVENTS: tuple[type[Event], ...] = tuple(event for event in get_args(Event) if is_published(event))
"""Every event that has a message."""

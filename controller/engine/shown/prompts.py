"""The dealer's prompts and notices, and the alarms, as sentences in every language. No I/O here."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import pairwise

from controller.engine.decisions.alarms import alarms
from controller.engine.shown.places import words_at_places
from controller.engine.shown.public import PublicAlarm
from controller.engine.state.alarms import SPARE, ActiveAlarm, RecordedAlarm, is_known, level_of
from controller.engine.state.current import (
    Payout,
    Settings,
    game_at,
    has_failed,
    is_lost,
    open_hits,
    payouts,
    source_of,
    taken_too_early,
    trouble_now,
)
from controller.engine.state.events import DealerNotified
from controller.engine.state.jackpot import Hit, in_order_of_payment
from controller.engine.state.table import CLEARING_NOT_ENTERED, PIT, SHUFFLER_JAM, Table, next_step
from controller.rulebook.filled import filled
from controller.rulebook.game import AtOnce, Game
from controller.rulebook.games import game_of, packet_game_of
from controller.rulebook.offers import GIVEN_UP
from controller.rulebook.packets import packets_of
from controller.rulebook.parts.faults import Cell
from controller.rulebook.refusal import Value
from controller.rulebook.round import Round, Voided
from controller.rulebook.steps import Step, seat_of
from controller.words import (
    ENGLISH,
    Words,
    article_words,
    in_every_language,
    joined,
    on_the_page,
    reason_words,
    shown_amount,
)

_prompt = partial(in_every_language, "prompts")
UNKNOWN = "unknown"


def prompt(table: Table, settings: Settings) -> Words:
    """The prompt of the table's next step, by language, with open complaints and the effects of a device that is
    offline.
    """
    prompts, game, kind = [_step_prompt(table, settings)], game_at(table, settings), next_step(table).kind
    if table.round is not None and table.round.void is None:
        prompts = [*map(_at_once, game_of(table.round).at_once(table.round)), *prompts]
    if table.waiting:
        wait = _changes_wait(table)
        prompts = [wait] if kind == "confirm" else [*prompts, wait]
    if table.complaints:
        complaint = _prompt("complaint", seats=_listed(opened.seat for opened in table.complaints))
        # What clears the cards away is not the next thing to do.
        prompts = [complaint] if kind == "claims" and not open_hits(table) else [*prompts, complaint]
    if kind in ("begin", "open") and (waiting := _not_paid(table)):
        prompts.append(_prompt("prize/not_paid", hits=_listed(waiting)))
    if kind in ("confirm", "claims", "begin"):
        prompts += [_order(hits, game, settings.exponent) for hits in in_order_of_payment(table.meter)]
    for device in sorted(table.devices):
        if is_lost(table, device):
            cell = trouble_now(table, game, device, "lost")
            if cell.prompt:
                prompts += [
                    _prompt("device_lost", no_answer=in_every_language("device_names", f"{device}/no_answer")),
                    lines_by(cell, game),
                ]
    if SHUFFLER_JAM in table.troubles:
        jam = trouble_now(table, game, "shuffler", "jam")
        if jam.prompt:
            prompts.append(lines_by(jam, game))
    return joined(prompts)


def interruption(table: Table, settings: Settings) -> str:
    """The device for which the game waits, or "jam" for that of a shuffler; empty while it does not wait."""
    game = game_at(table, settings)
    if SHUFFLER_JAM in table.troubles and trouble_now(table, game, "shuffler", "jam").action == "hold":
        return "jam"
    lost = (device for device in sorted(table.devices) if is_lost(table, device))
    return next((device for device in lost if trouble_now(table, game, device, "lost").action == "hold"), "")


def _changes_wait(table: Table) -> Words:
    two = any(change.two_persons for change in table.waiting)
    numbers = _listed(change.change for change in table.waiting)
    return _prompt("changes_wait/two" if two else "changes_wait", changes=numbers)


def _step_prompt(table: Table, settings: Settings) -> Words:
    step = next_step(table)
    round = table.round
    if round is None and step.kind in ("load", "extract"):
        return _prompt(step.kind)
    if round is None:
        game = game_at(table, settings)
        if step.kind == "begin" and has_failed(table, game) and source_of(table, settings) == "shuffler":
            return _prompt("shuffler_failed", article=game.citations.shuffler_failed)
        if step.kind == "begin" and CLEARING_NOT_ENTERED in table.troubles:
            return _prompt("clearing_not_entered")
        return _prompt(step.kind)
    game = game_of(round)
    at_places = words_at_places(round, step, game.deck.pieces(round.terms), settings.exponent)
    if at_places is not None:
        return at_places
    if step.kind == "ask":
        return question(step, settings.exponent)
    if step.kind == "claims" and open_hits(table):
        return _prize_unpaid(table, round)
    if step.kind in ("shuffle", "cut", "claims"):
        asked_of_cards = game.deck.prompt(step, round.terms.source)
        return _prompt(asked_of_cards, seat=step.seat, cards=game.deck.pieces(round.terms))
    if step.kind == "warning" and step.legal[0] == "middle":
        return _prompt("warning/alone")
    if step.kind == "wagers":
        taken = _prompt("wagers" if round.terms.additional else "wagers/on_screen")
        bets = round.terms.house.basic_bets
        return taken if bets == "either" else joined((taken, _prompt(f"basic_bets/{bets}")))
    if step.kind == "confirm" and round.void is not None:
        return _void(round, round.void)
    if step.kind == "confirm" and open_hits(table):
        seats = (_paid(seat, payout, settings.exponent) for seat, payout in payouts(table).items())
        return joined((_prompt("confirm"), *seats, _cards_stay(table, round)))
    if step.kind == "grant" and is_lost(table, PIT):
        return _prompt("grant/paper")
    if step.kind == "count":
        return _prompt("count/gap" if step.cards is None else "count", cards=step.cards)
    if step.kind == "deal":
        own = game.deal_prompt(round)
        return _prompt(own, place=_place(step.to[0])) if own else _deal(step.to, round.terms.source)
    if step.kind == "decisions":
        return _decisions(packet_game_of(round).obliged(round), step.waiting)
    if step.kind == "reveal":
        place = _place(step.to[0])
        apart = game.is_turned_apart(step.to[0])
        turn = _prompt("reveal/apart", place=place) if apart else _prompt("reveal", place=place)
        return joined((turn, _prompt("reveal/key_in"))) if step.key_in else turn
    return _prompt(step.kind)


def _prize_unpaid(table: Table, round: Round) -> Words:
    numbers, rule = _listed(hit.hit for hit in open_hits(table)), game_of(round).citations.witnessed
    paid = _prompt("prize/pay_or_record" if rule else "prize/pay", hits=numbers)
    return joined((_cards_stay(table, round), paid))


def _paid(seat: int, payout: Payout, exponent: int) -> Words:
    now = "pay" if payout.now > 0 else "collect" if payout.now < 0 else "nothing"
    return _prompt(
        f"prize/{now}_now",
        seat=seat,
        now=shown_amount(abs(payout.now), exponent),
        later=shown_amount(payout.later, exponent),
    )


def _cards_stay(table: Table, round: Round) -> Words:
    game = game_of(round)
    gone, own = taken_too_early(table, round.inserted), game.own_words
    return _prompt(
        f"prize/cards_gone{own}" if gone else f"prize/cards_stay{own}",
        seats=_listed(hit.seat for hit in open_hits(table)),
        article=game.citations.unpaid,
    )


def _not_paid(table: Table) -> list[int]:
    return [hit.hit for hit in table.meter.hits if hit.state != "paid"] if table.meter is not None else []


def _order(hits: tuple[Hit, ...], game: Game, exponent: int) -> Words:
    articles = dict.fromkeys(game.paid_after(hit.tier, other.tier) for hit, other in pairwise(hits))
    prizes = (
        _prompt(
            "prize/in_order",
            turn=turn,
            seat=hit.seat,
            whose=f" {hit.player}" if hit.player else "",
            amount=shown_amount(hit.amount, exponent),
        )
        for turn, hit in enumerate(hits, start=1)
    )
    return _prompt("prize/order", prizes=joined(prizes, by="; "), articles=", ".join(articles))


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, dict.fromkeys(numbers)))


def _void(round: Round, void: Voided) -> Words:
    settled = round.settlement.seats.values() if round.settlement is not None else ()
    reason, article = reason_words(void.why), article_words(void.article)
    if any(line.outcome != "void" for seat in settled for line in seat.lines):
        return _prompt("void/but_decided", reason=reason, article=article)
    chips = _prompt("void/chips_carried", seats=_listed(void.carried)) if void.carried else ""
    return _prompt("void", reason=reason, article=article, chips=chips)


def _at_once(act: AtOnce) -> Words:
    match act.what:
        case "special":
            return _prompt("at_once/special", seat=act.seat, article=act.article)
        case "pay" if act.stays:
            return _prompt("at_once/pay_stay", seat=act.seat, article=act.article)
        case "pay":
            return _prompt("at_once/pay", seat=act.seat, article=act.article)
        case _ if act.stays:
            return _prompt("at_once/collect_stay", seat=act.seat, article=act.article)
        case _:
            return _prompt("at_once/collect", seat=act.seat, article=act.article)


def _decisions(obliged: tuple[int, ...], waiting: tuple[int, ...]) -> Words:
    free = [seat for seat in waiting if seat not in obliged]
    choice = [_prompt("decisions", seats=_listed(free))] if free else []
    return joined([*choice, _prompt("decisions/obliged", seats=_listed(obliged))] if obliged else choice)


def _deal(to: tuple[str, ...], source: str) -> Words:
    place = _place(next(place for place in to if place != "discard"))
    if to[-1] == "discard":
        cards = sum(place != "discard" for place in to)
        return _prompt("deal/packet_top_one" if cards == 1 else "deal/packet_top", place=place, cards=cards)
    if source == "shoe":
        return _prompt("deal/face_down", place=place)
    return _prompt("deal/packet_community" if to[0] == "discard" else "deal/packet", place=place)


def question(step: Step, exponent: int) -> Words:
    """A question of a hand or a seat, in words; a unit of the currency has 10^exponent minor units."""
    answers = [_prompt(f"answer/{answer}") for answer in step.legal] if step.question == "decision" else []
    return _prompt(
        f"ask/{step.question}",
        seat=step.seat,
        hand=step.hand,
        legal=joined(answers, by=", "),
        most=", ".join(shown_amount(amount, exponent) for amount in step.most),
        backers=", ".join(step.backers),
    )


def _place(place: str) -> Words:
    seat = seat_of(place)
    return _prompt(f"place/{place}") if seat is None else _prompt("place/seat", seat=seat)


def lines_by(cell: Cell, game: Game) -> Words:
    """The lines for the dealer from a cell that has words."""
    return in_every_language("faults", cell.prompt, display=game.citations.display)


def notice(game: Game, prompts: DealerNotified) -> Words:
    """One notice by language, in the words of the game."""
    own = (f"{prompts.notice}/{prompts.text}", prompts.notice + game.own_words, prompts.notice)
    key = next(key for key in own if key in ENGLISH.dealer_notified)
    text = prompts.text if prompts.why is None else reason_words(prompts.why)
    return in_every_language("dealer_notified", key, seat=prompts.seat, text=text)


def notices(table: Table, game: Game) -> list[Words]:
    """The dealer's notices of this round that still apply, by language."""
    return [notice(game, prompts) for prompts in table.notices if not _is_over(prompts, table)]


def _is_over(prompts: DealerNotified, table: Table) -> bool:
    """Whether a notice is out of date: the seat's cards are collected or corrected, or its complaints are decided."""
    round, seat = table.round, prompts.seat
    if prompts.notice == "complaint_cards_inserted":
        return all(complaint.seat != seat for complaint in table.complaints)
    if prompts.notice not in ("folded_collect", "folded_stay") or round is None or seat is None:
        return False
    if round.void is not None or round.confirmed:
        return True
    stays = packet_game_of(round).cards_stay(round, seat)
    return packets_of(round).decisions.get(seat) not in GIVEN_UP or stays != (prompts.notice == "folded_stay")


def alarm_words(code: str, values: Mapping[str, Value]) -> Words:
    """The text of an alarm of this code; for a code without a row, a text that names the code."""
    if not is_known(code, values):
        code, values = UNKNOWN, {"code": code}
    filled: dict[str, object] = dict(values)
    if "device" in values:
        device = values["device"]
        filled["device"] = in_every_language("device_names", f"{device}")
        filled["no_answer"] = in_every_language("device_names", f"{device}/no_answer")
    if "connected" in values:
        filled["connected"] = in_every_language("device_names", f"shuffler/{values['connected']}")
        filled["needed"] = in_every_language("device_names", f"shuffler/{values['needed']}")
    if "place" in values:
        seat = seat_of(str(values["place"]))
        place = on_the_page(f"place.{values['place']}") if seat is None else on_the_page("place.seat", seat=seat)
        filled["place"] = place or values["place"]
    texts = [in_every_language("alarm_texts", code, **filled), in_every_language("alarm_actions", code, **filled)]
    if SPARE in values:
        texts.append(in_every_language("alarm_texts", "spare"))
    if "repeats" in values:
        texts.append(in_every_language("alarm_texts", "repeats", **filled))
    return joined(texts)


def public_alarm(alarm: ActiveAlarm, kept: RecordedAlarm) -> PublicAlarm:
    """An alarm on record, with its present text."""
    own = {"level": level_of(alarm.code, alarm.values), "texts": alarm_words(alarm.code, alarm.values)}
    return filled(PublicAlarm, kept, code=alarm.code, details=alarm.details, **own)


def public_alarms(table: Table, settings: Settings) -> list[PublicAlarm]:
    """The alarms on record: those that are active as they are now, then those that are over as they were raised."""
    if not table.alarms:
        return []
    now = {alarm.name: alarm for alarm in alarms(table, settings) if alarm.name in table.alarms}
    ordered = [*now, *(name for name in table.alarms if name not in now)]
    return [public_alarm(now.get(name, table.alarms[name]), table.alarms[name]) for name in ordered]

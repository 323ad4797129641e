"""What a table has, in the shapes of the messages. No I/O here."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType, to_builtins
from msgspec.structs import asdict

from controller.engine.alarms import PublicAlarm
from controller.engine.events import ChangeEntered, Event
from controller.engine.inputs_changes import Changing
from controller.engine.jackpot import Hit, Meter
from controller.engine.projection import PublicBet, PublicJackpot, PublicRound, PublicTable, PublicWhy
from controller.engine.public_changes import PublicChange
from controller.floor import shapes
from controller.floor.shapes import (
    Answered,
    AuthorisedBet,
    Correction,
    Entered,
    Holder,
    Laid,
    Ledger,
    Lying,
    Proposed,
    Settled,
    Tiles,
    ToldAward,
    ToldBank,
    ToldCasino,
    ToldHit,
    ToldJackpot,
    ToldLine,
    ToldPair,
    ToldPairs,
    ToldPot,
    ToldReason,
    ToldRound,
    ToldSeat,
    ToldVoid,
    ToldWhy,
    names_in,
)
from controller.rulebook.cards import parse_cards
from controller.rulebook.events import CardsShown, InputCorrected, NetChange
from controller.rulebook.games import game_of
from controller.rulebook.house import Pays
from controller.rulebook.refusal import Reason, Value
from controller.rulebook.round import Round, Voided
from controller.rulebook.settlement import AnySettlement
from controller.rulebook.steps import seat_place

Parts = Mapping[str, Any]
SETTLED_SEAT = ("outcome", "rearranged")
BANK = ("qualifies", "total", "black_jack", "capital", "net", "limited")


def event_data(event: Event, of: int | None, round: Round | None, money: Mapping[str, Any], sequence: int) -> Struct:
    """The data of an event; `of` is the round it belongs to, `round` the one in play."""
    shape = shapes.shape_of(type(event))
    own = asdict(event)
    named = names_in(shape)
    said: dict[str, Any] = {"schema": shapes.SCHEMA, "sequence": sequence}
    if "round" in named and of is not None:
        said["round"] = of
    if "currency" in named:
        said |= money
    if "player" in own:
        own["player"] = own["player"] or None
    if isinstance(event, CardsShown) and round is not None:
        own["draws"] = event.draws or game_of(round).draws_at(round, event.to)
    if shapes.settles(type(event)):
        own["settlement"] = settled(to_builtins(own["settlement"]))
    if isinstance(event, NetChange):
        own["net_difference"] = event.net_difference
    if isinstance(event, ChangeEntered):
        own["entered"] = _entered(own.pop("input"))
    if "values" in own:
        own["values"] = _texts(own["values"])
    if isinstance(event, InputCorrected):
        own |= _replaced(event)
    own.pop(shapes.UNPUBLISHED, None)
    return shape(**(said | own))


def round_data(report: Parts, round: Round, sequence: int, began: str | None, confirmed: str, actor: str) -> ToldRound:
    """A confirmed round, out of what the game reports of it."""
    outcome = settled(report)
    return ToldRound(
        **asdict(outcome),
        schema=shapes.SCHEMA,
        sequence=sequence,
        round=round.id,
        mode=report["mode"],
        currency=report["currency"],
        exponent=report["exponent"],
        began=began,
        confirmed=confirmed,
        actor=actor,
        void=_void(round.void),
        rules=tuple(report.get("rules", ())),
        source=round.terms.source,
        decks=round.terms.decks,
        deal=round.deal,
        wagers=tuple(_wagers(report.get("wagers", round.wagers), round.players)),
        shown_cards=tuple(_cards(report)),
        decisions=tuple(_decisions(report)),
        added_bets=tuple(
            AuthorisedBet(
                one["name"],
                tuple(Pays(parse_cards(pays["cards"]), pays["to_one"]) for pays in one["pays"]),
                one["reference"],
                one["date"],
            )
            for one in report.get("added_bets", ())
        ),
        irregularities=tuple(game_of(round).irregularities(round)),
        corrections=tuple(map(_correction, round.corrections)),
        tiles=_tiles(report) if "null_dice" in report else UNSET,
    )


def settled(report: Parts) -> Settled:
    """The outcome of a round, out of its settlement or of what the game reports of it."""
    banker = report.get("banker", {})
    titles = report.get("titles", {})
    seats = {int(seat): one for seat, one in report["seats"].items()}
    return Settled(
        game=report["game"],
        outcome=report["outcome"],
        bank=_bank(report.get("dealer"), report.get("bank"), banker),
        seats=tuple(
            _seat(seat, one, banker.get("net", 0), titles.get(str(seat), {})) for seat, one in sorted(seats.items())
        ),
        jackpot=_pot(report["jackpot"]) if "jackpot" in report else UNSET,
        first_place=report.get("first_place", UNSET),
        settling_order=tuple(report["order"]) if "order" in report else UNSET,
    )


def jackpot_data(meter: Meter, public: PublicJackpot, money: Mapping[str, Any], as_of: int) -> ToldJackpot:
    """The meter with its ledger, as the messages up to `as_of` leave it."""
    proposal = meter.proposal
    return ToldJackpot(
        schema=shapes.SCHEMA,
        as_of=as_of,
        **money,
        pot=public.pot,
        reserve=public.reserve,
        overflow=public.overflow,
        pending=public.pending,
        chips_counted=meter.chips_counted,
        parameters=meter.parameters,
        ledger=Ledger(**_like(Ledger, meter)),
        hits=tuple(map(_hit, public.hits)),
        held_back={hit: _why(why) for hit, why in public.held_back.items()},
        turns=public.turns,
        proposed=Proposed(**asdict(proposal)) if proposal is not None else None,
        scheduled=public.scheduled,
    )


def state_data(table: PublicTable, mode: str, money: Mapping[str, Any], as_of: int, clock_synchronised: bool) -> Struct:
    """The whole public table, and whether the clock by which it writes times is synchronised."""
    own = asdict(table)
    del own["jackpot"]
    step = asdict(table.step)
    step["illegal"] = {answer: _why(why) for answer, why in table.step.illegal.items()}
    own["step"] = _renamed(shapes.STEP, step, shapes.STEP_NAMES)
    own["round"] = None if table.round is None else _in_play(table.round)
    own["lamps"] = _renamed(shapes.LAMPS, table.lamps, shapes.LAMPS_NAMES)
    own["sign"] = None if table.sign is None else _renamed(shapes.SIGN, table.sign, shapes.SIGN_NAMES)
    of_station = {"schema": shapes.SCHEMA, "as_of": as_of, "mode": mode, "clock_synchronised": clock_synchronised}
    return _renamed(shapes.STATE, {**of_station, **money, **own}, shapes.STATE_NAMES)


def alarm_data(alarm: PublicAlarm) -> Struct:
    """An alarm that is listed."""
    own = asdict(alarm)
    return shapes.ALARM(schema=shapes.SCHEMA, alarm=own.pop("name"), **own)


def _in_play(round: PublicRound) -> Struct:
    own = asdict(round)
    for gone in ("bets", "players"):
        del own[gone]
    shared: Iterable[PublicBet] = round.bets
    laid = [Laid(one.seat, one.wager, one.player, one.amount) for one in shared]
    own["wagers"] = laid or [*_wagers(round.wagers, round.players)]
    own["decisions"] = [Answered(seat, None, one) for seat, one in round.decisions.items()]
    own["changes_waiting"] = [_change(one) for one in round.changes_waiting]
    own["dealt"] = [_renamed(shapes.DEALT, asdict(one), shapes.DEALT_NAMES) for one in round.dealt]
    own["shown"] = {place: _pieces(cards) for place, cards in round.shown.items()}
    own["hands"] = {
        seat: [shapes.OPEN_HAND(**asdict(hand) | {"cards": _pieces(hand.cards)}) for hand in hands]
        for seat, hands in round.hands.items()
    }
    if round.bank is not None:
        own["bank"] = shapes.OPEN_BANK(cards=_pieces(round.bank.cards), total=round.bank.total)
    own["lines"] = {seat: [_line(to_builtins(line)) for line in lines] for seat, lines in round.lines.items()}
    own["banker"] = None if round.banker is None else _bank(None, to_builtins(round.banker), {})
    own["holders"] = [Holder(seat, player) for seat, player in round.holders.items()]
    own["used"] = _pieces(round.used)
    own["pairs"] = {
        place: ToldPairs(
            _pair(to_builtins(pairs.front), pairs.front.title),
            _pair(to_builtins(pairs.rear), pairs.rear.title),
            pairs.rearranged,
        )
        for place, pairs in round.pairs.items()
    }
    own["corrections"] = [*map(_correction, round.corrections)]
    settlement: AnySettlement | None = round.settlement
    own["settlement"] = None if settlement is None else settled(to_builtins(settlement))
    own["void"] = _void(round.void)
    return _renamed(shapes.ROUND, own, shapes.ROUND_NAMES)


def _renamed(shape: type[Struct], own: Mapping[str, Any], names: Mapping[str, str]) -> Struct:
    return shape(**{names.get(key, key): one for key, one in own.items()})


def _texts(values: Mapping[str, Value], within: str = "") -> dict[str, str]:
    """Values as text under their names; one that is a reason itself is its code, with its own values behind a dot."""
    found: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, Reason):
            found |= {within + name: value.code, **_texts(value.values, f"{within}{name}.")}
        else:
            found[within + name] = str(value)
    return found


def _why(why: PublicWhy) -> ToldWhy:
    return ToldWhy(why.code, _texts(why.values), why.rule, why.reason)


def _void(void: Voided | None) -> ToldVoid | None:
    return None if void is None else ToldVoid(void.article, void.reason, void.code, _texts(void.values))


def _correction(one: InputCorrected) -> Correction:
    replaced = _replaced(one)
    return Correction(**{key: getattr(one, key) for key in names_in(Correction) if key not in replaced}, **replaced)


def _change(one: PublicChange) -> Struct:
    why = one.why_not
    return shapes.CHANGE(**asdict(one) | {"why_not": None if why is None else ToldReason(why.code, _texts(why.values))})


def _replaced(one: InputCorrected) -> dict[str, Any]:
    """What was replaced, as an amount or as words."""
    names = ("amount_before", "amount_after") if one.what == "wager" else ("before", "after")
    nothing = dict.fromkeys(("amount_before", "amount_after", "before", "after"))
    return nothing | dict(zip(names, (one.before, one.after), strict=True))


def _entered(input: Changing) -> Entered:
    own = to_builtins(input)
    if "cards" in own:
        own["cards"] = _pieces(own["cards"])
    return Entered(**{name: value for name, value in own.items() if name in names_in(Entered)})


def _wagers(wagers: Mapping[Any, Any], players: Mapping[int, str]) -> Iterator[Laid]:
    for at, laid in wagers.items():
        seat = int(at)
        if isinstance(laid, list):  # a place of Taiwan-Pai Kao has one betting space
            laid = {"place": laid}
        name = laid.get("player", players.get(seat))
        for wager, what in laid.items():
            if wager == "backers":
                for one in what:
                    yield Laid(seat, "backing", one["player"], one["bet"])
                    if "jackpot" in one:
                        yield Laid(seat, "jackpot", one["player"], one["jackpot"])
            elif isinstance(what, list):
                yield from (Laid(seat, wager, one["player"], one["amount"]) for one in what)
            elif wager != "player":
                yield Laid(seat, wager, name, what)


def _cards(report: Parts) -> Iterator[Lying]:
    dealer = report.get("dealer", {})
    if dealer.get("qualifies", UNSET) is not UNSET and dealer.get("cards"):
        yield Lying(to="bank", cards=_pieces(dealer["cards"]))
    if report.get("community"):
        yield Lying(to="community", cards=_pieces(report["community"]))
    for seat, one in report["seats"].items():
        if one.get("cards"):
            yield Lying(to=seat_place(int(seat)), cards=_pieces(one["cards"]))
    for at, cards in (report.get("tiles") or report.get("cards") or {}).items():
        to = seat_place(int(at)) if at.isdecimal() else at
        if isinstance(cards, str):
            yield Lying(to=to, cards=_pieces(cards))
        else:
            yield from (Lying(to=to, hand=hand, cards=_pieces(one)) for hand, one in enumerate(cards, 1))


def _decisions(report: Parts) -> Iterator[Answered]:
    for seat, one in report["seats"].items():
        if one.get("decision") is not None:
            yield Answered(int(seat), None, one["decision"])
    for one in report.get("answers", ()):
        yield Answered(one["seat"], one["hand"], one["answer"])


def _tiles(report: Parts) -> Tiles:
    return Tiles(
        place_count=report["places"],
        form=report["form"],
        dice=None if report["dice"] is None else tuple(report["dice"]),
        null_dice=report["null_dice"],
        moved=tuple(report["moved"]),
        holders=tuple(Holder(int(seat), player) for seat, player in report["holders"].items()),
    )


def _bank(dealer: Parts | None, holder: Parts | None, banker: Parts) -> ToldBank | None:
    if dealer is None and holder is None and not banker:
        return None
    known = {**(dealer or {}), **(holder or {}), **banker}
    own = {key: known[key] for key in BANK if key in known}
    own |= {new: known[key] for key, new in (("hand", "hand_name"), ("rounds", "turn_rounds")) if key in known}
    if "place" in known:
        own["seat"] = known["place"]
        share, part = (holder or {}).get("casino", 0), banker.get("casino")
        own["casino"] = ToldCasino(**part) if part else ToldCasino(share) if share else None
        own["joiners"] = tuple(map(_line, banker.get("joiners", ())))
    return ToldBank(**own)


def _seat(seat: int, one: Parts, bankers_net: int, titles: Parts) -> ToldSeat:
    own = {key: one[key] for key in SETTLED_SEAT if key in one}
    if "hand" in one:
        own["hand_name"] = one["hand"]
    for pair in ("front", "rear"):
        if pair in one:
            own[pair] = _pair(one[pair], titles.get(pair, UNSET))
    lines = tuple(map(_line, one.get("lines", ())))
    return ToldSeat(seat=seat, net=one.get("net", bankers_net), lines=lines, **own)


def _pair(one: Parts, title: str | None | UnsetType) -> ToldPair:
    return ToldPair(_pieces(one["tiles"]), one["name"], one["rank"], title)


def _line(one: Parts) -> ToldLine:
    own = {"chip_carried" if key == "carried" else key: value for key, value in one.items()}
    return ToldLine(**{"player": None, "odds": None, "commission": 0, **own})


def _pot(pot: Parts) -> ToldPot:
    awards = (ToldAward(**{"player": None, **one}) for one in pot["awards"])
    return ToldPot(pot["pot_before"], pot["pot_after"], tuple(awards))


def _hit(hit: Hit) -> ToldHit:
    own = {key: getattr(hit, key) for key in names_in(ToldHit) if key != "roles"}
    return ToldHit(**{**own, "player": hit.player or None, "roles": hit.confirmed_roles})


def _like(shape: type[Struct], one: Struct) -> dict[str, Any]:
    return {key: getattr(one, key) for key in names_in(shape)}


def _pieces(text: str) -> tuple[str, ...]:
    return tuple(text.split())

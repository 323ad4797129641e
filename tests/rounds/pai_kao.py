"""Taiwan-Pai Kao as a round of a file is played."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from controller.rulebook.events import Deal
from controller.rulebook.settlement import AnySettlement
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement
from tests.engine.places import DICE, Places
from tests.engine.playing import Play
from tests.engine.reported import bank_of, open_cards, reported_bets, tiles_of
from tests.rounds.script import Bet, Script, numbers
from tests.rounds.seen_games import OF_PLACES


class PlacesTable(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A table of Taiwan-Pai Kao; `capital` is what the places take the bank with."""

    seats: int = 8
    reader: bool = True
    capital: int = 1_000_000
    dice: str = " ".join(map(str, DICE))
    rules: str = ""
    announced: Deal = "eight_places"
    unread: str = ""


class PaiKao(Script):
    """Taiwan-Pai Kao: the tiles are given in the order in which they are dealt."""

    seen = OF_PLACES

    def table(self, wanted: dict[str, Any], cards: str, bets: list[Bet]) -> Play:
        terms = msgspec.convert(wanted, PlacesTable, strict=False)
        play = Places(
            cards,
            seats=terms.seats,
            reader=terms.reader,
            unread=numbers(terms.unread),
            announced=terms.announced,
            capital=terms.capital,
            rules=tuple(terms.rules.split()),
        )
        play.dice = tuple(map(int, terms.dice.split()))  # type: ignore[assignment]
        return play

    def verbs(self, play: Play) -> dict[str, Callable[[str], Any]]:
        assert isinstance(play, Places)
        return {
            "bank": lambda text: take_bank(play, text),
            "refuse": lambda _: play.refuse(),
            "absent": lambda _: play.refuse(absent=True),
            "throw": lambda text: play.throw(*map(int, text.split())),
            "open": lambda text: play.turn(text or None),
        }

    def file(self, play: Play) -> dict[str, Any] | None:
        """A file has no one who joins the bank."""
        assert isinstance(play, Places)
        report = play.report
        bank, tiles = bank_of(report), tiles_of(report)
        if bank.joiners or bank.casino:
            return None
        wagers: dict[str, list[dict[str, Any]]] = {}
        for seat, _, player, amount in reported_bets(report):
            wagers.setdefault(str(seat), []).append({"player": player, "amount": amount})
        open_there = {place.removeprefix("seat "): text for place, text in open_cards(report).items()}
        pairs = {place: text.split() for place, text in open_there.items()}
        return {
            "game": report.game,
            "places": tiles.place_count,
            "banker": bank.seat,
            "capital": bank.capital,
            "dice": tiles.dice,
            "tiles": open_there,
            "wagers": wagers,
            "arranged": {
                place: {"front": " ".join(four[:2]), "rear": " ".join(four[2:])} for place, four in pairs.items()
            },
            "rules": list(play.round.terms.rules),
        }

    def answer(self, text: bytes) -> AnySettlement:
        return msgspec.json.decode(text, type=PaiKaoSettlement)

    def settled(self, play: Play) -> None:
        """The report has what the screen shows of the dice, the tiles and their holders."""
        super().settled(play)
        shown, report = play.public()["round"], msgspec.json.decode(msgspec.json.encode(play.report))
        tiles = report["tiles"]
        reported: dict[str, Any] = {name: tiles[name] for name in ("form", "dice", "null_dice", "moved")}
        reported |= {"places": tiles["place_count"], "order": report["settling_order"]}
        reported["holders"] = {str(holder["seat"]): holder["player"] for holder in tiles["holders"]}
        reported["pairs"] = {
            f"seat {place['seat']}": {name: place[name] for name in ("front", "rear", "rearranged")}
            for place in [report["bank"], *report["seats"]]
            if "front" in place
        }
        found = {name: shown[name] for name in reported}
        assert found == reported, f"the screen shows {found}, and the report has {reported}"

    def voided(self, play: Play) -> None:
        """Every bet goes back, those behind the bank too."""
        report, void = play.report, play.round.void
        assert void is not None and report.outcome == "void"
        behind: Iterable[Any] = bank_of(report).joiners if report.bank is not None else ()
        back = [(of.seat, line) for of in report.seats for line in of.lines]
        back += [(bank_of(report).seat, line) for line in behind]
        assert all((line.outcome, line.net, line.article) == ("void", 0, void.article) for _, line in back)
        assert Counter((seat, line.player, line.stake) for seat, line in back) == Counter(
            (seat, player, amount) for seat, _, player, amount in reported_bets(report)
        )


def take_bank(play: Places, text: str) -> None:
    """The place that is asked takes the bank: ``bank capital 5000, casino 300, agreed 1 5, form four at once``."""
    fields: dict[str, Any] = {}
    for part in filter(None, text.split(", ")):
        name, _, value = part.partition(" ")
        fields[name] = tuple(map(int, value.split())) if name == "agreed" else value if name == "form" else int(value)
    play.take_bank(**fields)

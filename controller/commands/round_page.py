"""A disputed round as a page: the felt as it was, to be read and printed anywhere. No I/O here.

Its style is that of the console's picture of a round, so that both are the same.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from msgspec import UNSET, Struct

from controller.commands.paper import paper, table
from controller.engine.state.applied import decode_event
from controller.queries.disputes import Bundle
from controller.queries.following import Rounds
from controller.queries.history import OfComplaint
from controller.queries.shown_words import Speech, wager_name, words_of
from controller.rulebook.events import RoundConfirmed
from controller.rulebook.games import game_of
from controller.rulebook.report import LineResult, OpenCards, RoundResult, SeatResult
from controller.rulebook.round import Round
from controller.slips.printed import local_time
from controller.words import SUITS, article_words, in_language, reason_words

RED = "dh"
TILE_WIDTH, TILE_HEIGHT = 30, 60
DOTS = {  # of a tile's upper half; the lower half is the same turned around
    1: ((15, 15),),
    2: ((9, 8), (21, 8)),
    3: ((8, 7), (15, 14.5), (22, 22)),
    4: ((9, 9), (21, 9), (9, 21), (21, 21)),
    5: ((8, 7), (22, 7), (15, 14.5), (8, 22), (22, 22)),
    6: ((9, 6), (9, 14.5), (9, 23), (21, 6), (21, 14.5), (21, 23)),
}  # fmt: skip
DICE = "⚀⚁⚂⚃⚄⚅"


class _Seen(Struct):
    """The round of a bundle, with the time and person of its confirmation; these are empty before it."""

    round: Round
    began: str
    confirmed: str = ""
    confirmed_by: str = ""


def round_page(bundle: Bundle, written: bytes, name: str, language: str) -> str:
    """The page of a bundle in one language; `written` is the content of its file, and `name` the file's name.

    Times are in this computer's time zone. The page names the file by its SHA-256, and proves nothing by itself.
    """
    return _Page(bundle, language).text(name, hashlib.sha256(written).hexdigest())


def _seen(bundle: Bundle) -> _Seen:
    rounds, seen = Rounds(), None
    for row in bundle.chain.rows:
        event = decode_event(row.body.encode())
        if rounds.receive(row.number, row.time, event) not in (None, bundle.round):
            break
        if rounds.present is not None and rounds.present.id == bundle.round:
            seen = _Seen(rounds.present, rounds.found[bundle.round].began) if seen is None else seen
            seen.round = rounds.present
            if isinstance(event, RoundConfirmed):
                seen.confirmed, seen.confirmed_by = row.time, event.actor
    if seen is None:
        raise ValueError(f"the bundle of round {bundle.round} does not begin with it")
    return seen


class _Page:
    def __init__(self, bundle: Bundle, language: str) -> None:
        self._bundle, self._language = bundle, language
        self._seen = _seen(bundle)
        round = self._seen.round
        self._speech = Speech(round.terms, bundle.currency, bundle.exponent)
        self._game = game_of(round)
        self._result: RoundResult | None = None if round.settled is None else self._game.report(round)
        self._shown = tuple(self._game.cards_shown(round))

    def _say(self, key: str, **values: object) -> str:
        return escape(self._speech.worded(key, **values)[self._language])

    def text(self, name: str, digest: str) -> str:
        """The whole page."""
        bundle, seen, round = self._bundle, self._seen, self._seen.round
        title = self._say("round.number", round=bundle.round)
        worthless = "" if bundle.mode == "live" else f'<p class="worthless">{self._say(bundle.mode)}</p>'
        times = " – ".join(local_time(time) for time in (seen.began, seen.confirmed) if time)
        facts = (
            bundle.site,
            bundle.table,
            self._speech.worded(f"game.{bundle.game}")[self._language],
            times,
            seen.confirmed_by,
        )
        void = "" if round.void is None else (
            f'<p><b>{self._say("outcome.void")}</b>: {escape(reason_words(round.void.why)[self._language])} '
            f"({self._article(round.void.article)})</p>"
        )  # fmt: skip
        state = (
            ""
            if seen.confirmed
            else f'<p class="worthless">{in_language(self._language, "round_texts", "page/open")}</p>'
        )
        body = (
            f"<h1>{title}</h1>{worthless}<p>{escape(' · '.join(filter(None, facts)))}</p>"
            f"{void}{state}{self._complaints()}{self._felt()}{self._settlement()}"
        )
        number = self._speech.worded("round.number", round=bundle.round)[self._language]
        heading = f"{number} · {bundle.site} · {bundle.table}"
        return paper(self._language, heading, body, file=name, digest=digest)

    def _complaints(self) -> str:
        rows = (*self._bundle.chain.rows, *(link.row for link in self._bundle.later))
        events = [decode_event(row.body.encode()) for row in rows]
        of_round = [event for event in events if isinstance(event, OfComplaint) and event.round == self._bundle.round]
        made = [words_of(event, self._speech) for event in of_round]
        return "".join(f"<p>{escape(words[self._language])}</p>" for words in made if words is not None)

    def _felt(self) -> str:
        round = self._seen.round
        seats = sorted({*round.wagers, *(seat.seat for seat in (self._result.seats if self._result else ()))})
        placed = {seat: self._place(seat) for seat in seats}
        house = list(dict.fromkeys(cards.to for cards in self._shown if not any(_at(cards.to, seat) for seat in seats)))
        sections = [
            f'<section data-place="{escape(to)}"><h2>{self._where(to)}</h2>{self._cards(to, exact=True)}</section>'
            for to in house
        ]
        if dice := self._dice():
            sections.append(
                f'<section data-place="dice"><h2>{self._say("keypad.dice")}</h2><p class="dice">{dice}</p></section>'
            )
        above = f'<div class="house">{"".join(sections)}</div>' if sections else ""
        return f'<div class="as-it-was">{above}<div class="around">{"".join(placed.values())}</div></div>'

    def _dice(self) -> str:
        tiles = getattr(self._result, "tiles", UNSET)
        dice = () if tiles is UNSET else tiles.dice or ()
        return " ".join(f'<span role="img" aria-label="{die}">{DICE[die - 1]}</span>' for die in dice)

    def _place(self, seat: int) -> str:
        lines = self._lines(seat)
        bets: list[tuple[str, str | None, int, int | None]]
        if lines is None:
            bets = [
                (bet.wager, bet.player, bet.amount, None)
                for bet in self._game.bets_placed(self._seen.round)
                if bet.seat == seat
            ]
            net = ""
        else:
            bets = [(_handed(line), line.player, line.stake, line.net) for line in lines]
            net = f"<p>{self._signed(self._net(seat))}</p>"
        items = "".join(
            f"<li>{self._wager(wager)}{f' · {escape(player)}' if player else ''} <b>{self._amount(stake)}</b>"
            f"{'' if won is None else f' <span>{self._signed(won)}</span>'}</li>"
            for wager, player, stake, won in bets
        )
        bank = None if self._result is None else self._result.bank
        banker = f" · {self._say('place.banker')}" if bank is not None and bank.seat == seat else ""
        where, cards = self._where(f"seat {seat}"), self._cards(f"seat {seat}")
        return f'<section data-place="seat {seat}"><h2>{where}{banker}</h2>{cards}<ul>{items}</ul>{net}</section>'

    def _lines(self, seat: int) -> Sequence[LineResult] | None:
        """The lines of a seat, None before the settlement; at the banker's seat those of the players who joined him."""
        if self._result is None:
            return None
        bank = self._result.bank
        if bank is not None and bank.seat == seat:
            return () if bank.joiners is UNSET else bank.joiners
        return next((result.lines for result in self._result.seats if result.seat == seat), ())

    def _net(self, seat: int) -> int:
        seats: Iterable[SeatResult] = () if self._result is None else self._result.seats
        return next((result.net for result in seats if result.seat == seat), 0)

    def _settlement(self) -> str:
        if self._result is None:
            return ""
        heads = ("place", "wager", "stake", "outcome", "net", "article")
        names = [self._say("rounds.head.seats" if head == "place" else f"line.{head}") for head in heads]
        seats = dict.fromkeys((*(result.seat for result in self._result.seats), *self._seen.round.wagers))
        rows = "".join(self._row(seat, line) for seat in sorted(seats) for line in self._lines(seat) or ())
        return table(names, rows, label=self._say("line.outcome"))

    def _row(self, seat: int, line: LineResult) -> str:
        player = f" · {escape(line.player)}" if line.player else ""
        odds = f" {escape(line.odds)}" if line.odds else ""
        return (
            f'<tr><th scope="row">{self._where(f"seat {seat}")}</th><td>{self._wager(_handed(line))}{player}</td>'
            f"<td>{self._amount(line.stake)}</td><td>{self._say(f'outcome.{line.outcome}')}{odds}</td>"
            f"<td>{self._signed(line.net)}</td><td>{self._article(line.article)}</td></tr>"
        )

    def _wager(self, name: str) -> str:
        wager, _, hand = name.partition(" ")
        return escape(f"{wager_name(wager)[self._language]} {hand}".strip())

    def _where(self, place: str) -> str:
        return escape(self._speech.place(place)[self._language])

    def _article(self, article: str) -> str:
        return escape(article_words(article)[self._language])

    def _cards(self, place: str, exact: bool = False) -> str:
        hands: Iterator[OpenCards] = (
            hand for hand in self._shown if hand.to == place or (not exact and _at(hand.to, int(place[5:])))
        )
        cards = "".join(
            self._tile(card) if card[1] == "-" else self._card(card) for hand in hands for card in hand.cards
        )
        return f'<span class="cards">{cards}</span>' if cards else ""

    def _card(self, card: str) -> str:
        rank, suit = card[0], card[1]
        name = self._say(
            "card",
            rank=self._say(f"rank.{rank}"),
            suit=self._say(f"suit.{suit}"),
        )
        red = " red" if suit in RED else ""
        return (
            f'<span class="card{red}" data-suit="{SUITS[suit]}" role="img" aria-label="{name}">'
            f"<b>{'10' if rank == 'T' else rank}</b><i>{SUITS[suit]}</i></span>"
        )

    def _tile(self, tile: str) -> str:
        larger, smaller = (int(half) for half in tile.split("-"))
        upper = [(x, y, larger in (1, 4) or (tile == "6-6" and x > TILE_WIDTH / 2)) for x, y in DOTS[larger]]
        lower = [
            (TILE_WIDTH - x, TILE_HEIGHT - y, smaller in (1, 4) or (tile == "6-6" and x < TILE_WIDTH / 2))
            for x, y in DOTS[smaller]
        ]
        name, width, height = self._say("tile", tile=tile), TILE_WIDTH - 1.5, TILE_HEIGHT - 1.5
        size = 5.5 if tile == "1-1" else 3.6
        dots = "".join(
            f'<circle class="dot{" red" if red else ""}" cx="{x}" cy="{y}" r="{size}"/>'
            for x, y, red in (*upper, *lower)
        )
        return (
            f'<svg class="tile" viewBox="0 0 {TILE_WIDTH} {TILE_HEIGHT}" role="img" aria-label="{name}">'
            f'<rect class="ground" x="0.75" y="0.75" width="{width}" height="{height}" rx="4"/>{dots}</svg>'
        )

    def _amount(self, minor: int) -> str:
        thousands, point = (mark for mark in self._say("language.number") if not mark.isdigit())
        exponent = self._bundle.exponent
        whole, fraction = divmod(abs(minor), 10**exponent)
        text = f"{whole:,}".replace(",", thousands) + (f"{point}{fraction:0{exponent}d}" if exponent else "")
        return f"−{text}" if minor < 0 else text

    def _signed(self, minor: int) -> str:
        return f"+{self._amount(minor)}" if minor > 0 else self._amount(minor)


def _handed(line: LineResult) -> str:
    return line.wager if line.hand is UNSET else f"{line.wager} {line.hand}"


def _at(to: str, seat: int) -> bool:
    """Whether a place is this seat or a hand of it after a split."""
    return to == f"seat {seat}" or to.startswith(f"seat {seat} ")

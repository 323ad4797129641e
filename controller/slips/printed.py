"""A payment slip as text for paper, in one language. No I/O here."""

import re
from collections.abc import Iterator
from textwrap import wrap
from unicodedata import east_asian_width

from controller.engine.languages import LANGUAGES, Said
from controller.slips.slip import Slip
from controller.slips.words import in_figures

WIDTH = 72  # columns: a receipt printer's 80 with a margin
LABEL_WIDTH = 18
SIGNATURE_WIDTH = 24
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}

TITLE: Said = ("JACKPOT PAYMENT SLIP", "TALÃO DE PAGAMENTO DO JACKPOT", "累積大獎派彩單")
SIMULATION: Said = (
    "SIMULATION: of no value, nothing was paid",
    "SIMULAÇÃO: sem valor, nada foi pago",
    "模擬：無效，並無派彩",
)
UNSYNCHRONISED: Said = ("clock not synchronised", "relógio não sincronizado", "時鐘未同步")
LABELS: dict[str, Said] = {
    "slip": ("Slip no.", "Talão n.º", "單號"),
    "paid": ("Paid at", "Pago em", "派彩時間"),
    "site": ("Casino", "Casino", "娛樂場"),
    "table": ("Table", "Mesa", "賭枱"),
    "game": ("Game", "Jogo", "遊戲"),
    "standing": ("Regulation", "Regulamento", "規例"),
    "authorised": ("Authorisation", "Autorização", "批准"),
    "round": ("Round", "Jogada", "局號"),
    "seat": ("Seat", "Lugar", "座位"),
    "cards": ("Cards", "Cartas", "牌"),
    "tier": ("Prize", "Prémio", "獎項"),
    "amount": ("Amount", "Valor", "金額"),
    "words": ("In words", "Por extenso", "大寫金額"),
    "from_pot": ("From the pot", "Do bolo", "由彩池支付"),
    "from_house": ("From the house", "Da casa", "由娛樂場支付"),
    "confirmed": ("Confirmed by", "Confirmado por", "確認人"),
    "won": ("Won at", "Ganho em", "中獎時間"),
    "journal": ("Journal", "Registo", "記錄"),
    "player": ("Player", "Jogador", "玩家"),
}
ROLES: dict[str, Said] = {"dealer": ("dealer", "pagador", "荷官"), "supervisor": ("supervisor", "fiscal-chefe", "主任")}
TIERS: dict[str, Said] = {
    "royal_flush": ("royal flush", "naipe real", "皇家同花順"),
    "straight_flush": ("straight flush", "sequência de naipe", "同花順"),
    "four_of_a_kind": ("four of a kind", "quatro cartas iguais", "四條"),
    "full_house": ("full house", "trio-par", "葫蘆"),
    "flush": ("flush", "naipe ou cor", "同花"),
    "four_aces_one_colour": ("four aces of one colour", "quatro ases da mesma cor", "四張同色A"),
    "three_aces_one_suit": ("three aces of one suit", "três ases do mesmo naipe", "三張同花A"),
    "three_aces": ("three aces", "três ases", "三張A"),
    "two_aces_one_suit": ("two aces of one suit", "dois ases do mesmo naipe", "兩張同花A"),
    "two_aces": ("two aces", "dois ases", "兩張A"),
}


def printed(slip: Slip, language: str) -> str:
    """The slip in one of LANGUAGES, lines of at most WIDTH columns, without a newline at the end."""
    return "\n".join(_lines(slip, LANGUAGES.index(language)))


def _lines(slip: Slip, at: int) -> Iterator[str]:
    def money(amount: int) -> str:
        return in_figures(amount, slip.currency, slip.exponent)

    yield TITLE[at]
    yield "=" * WIDTH
    if slip.mode != "live":
        yield SIMULATION[at]
        yield "-" * WIDTH
    words = slip.words[LANGUAGES[at]]
    fields = {
        "slip": str(slip.slip),
        "paid": time_shown(slip.paid_at) + ("" if slip.synchronised else f" ({UNSYNCHRONISED[at]})"),
        "site": slip.site,
        "table": slip.table,
        "game": slip.game,
        "standing": slip.standing[LANGUAGES[at]],
        "round": str(slip.round),
        "seat": str(slip.seat),
        **({"player": slip.player} if slip.player else {}),
        "cards": cards_shown(slip.cards),
        "tier": f"{TIERS[slip.tier][at]} ({slip.article})",
        "amount": slip.figures,
        "words": words[0].upper() + words[1:],
        "from_pot": money(slip.from_pot),
        "from_house": money(slip.from_house),
        "won": time_shown(slip.won_at),
        "journal": f"{slip.journal} / {slip.event}",
    }
    for name, text in fields.items():
        yield from field_lines(LABELS[name][at], text)
    for authorised in slip.authorisations:
        yield from field_lines(LABELS["authorised"][at], f"{authorised.reference}, {authorised.date}")
    for one in slip.confirmed:
        yield from field_lines(LABELS["confirmed"][at], f"{one.name}, {ROLES[one.role][at]}, {time_shown(one.at)}")
    yield "-" * WIDTH
    names = [*(one.name for one in slip.confirmed), LABELS["player"][at]]
    for name in names:
        yield ""
        yield _padded(name, LABEL_WIDTH) + "_" * SIGNATURE_WIDTH


def field_lines(label: str, text: str) -> Iterator[str]:
    """A label and its text, broken into lines of at most WIDTH columns."""
    room = WIDTH - LABEL_WIDTH
    # Chinese has no spaces to break at, and two columns a character.
    lines = wrap(text, room) if _columns(text) == len(text) else _pieces(text, room)
    for number, line in enumerate(lines):
        yield _padded("" if number else label, LABEL_WIDTH) + line


def _pieces(text: str, room: int) -> list[str]:
    pieces = [""]
    for word in re.findall(r"[!-~]{1,40} ?|.", text):
        if _columns(pieces[-1] + word) > room:
            pieces.append("")
        pieces[-1] += word
    return pieces


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def time_shown(time: str) -> str:
    """``2026-11-21T10:00:00.123Z`` as ``2026-11-21 10:00:00.123 UTC``."""
    return f"{time.removesuffix('Z').replace('T', ' ')} UTC"


def cards_shown(cards: str) -> str:
    """``As Td`` as ``A♠ 10♦``; an old hit without cards has a dash."""
    shown = (f"{'10' if card[0] == 'T' else card[0]}{SUITS[card[1]]}" for card in cards.split())
    return " ".join(shown) or "–"

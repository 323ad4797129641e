"""What the dealer does next, in plain words, English and Portuguese. No I/O here."""

from controller.engine.table import Table, next_step
from controller.rulebook.steps import seat_of

Words = dict[str, str]

_PLACES = {"bank": ("the bank", "a banca"), "community": ("the community cards", "as cartas comunitárias")}
_STEPS: dict[str, tuple[str, str]] = {
    "open": ("The table is closed. Open it to begin.", "A mesa está fechada. Abra-a para começar."),
    "begin": ("Begin the next round.", "Inicie a próxima jogada."),
    "wagers": (
        "Take the wagers, then press lock-in: no more bets.",
        "Aceite as apostas e prima o botão de fecho: não há mais apostas.",
    ),
    "confirm": (
        "Collect what is lost, pay what is won, then confirm the round.",
        "Recolha as apostas perdidas, pague as ganhas e confirme a jogada.",
    ),
}
_SHUFFLE = {
    "shuffler": ("The shuffler shuffles. Wait.", "O baralhador está a baralhar. Aguarde."),
    "shoe": (
        "Shuffle by hand, cut, put the cards into the shoe, then confirm.",
        "Baralhe, corte, coloque as cartas no shoe e confirme.",
    ),
}
_CLAIMS = {
    "shuffler": (
        "Round done. Put all cards into the shuffler when no complaint is open.",
        "Jogada terminada. Coloque as cartas no baralhador quando não houver reclamações.",
    ),
    "shoe": (
        "Round done. Gather the cards when no complaint is open, then confirm.",
        "Jogada terminada. Recolha as cartas quando não houver reclamações e confirme.",
    ),
}
_VOID = (
    "The round is void ({article}). Give all wagers back, then confirm.",
    "A jogada é inválida ({article}). Devolva todas as apostas e confirme.",
)


def prompt(table: Table) -> Words:
    """The prompt of the table's next step, by language."""
    english, portuguese = _words(table)
    return {"en": english, "pt": portuguese}


def _words(table: Table) -> tuple[str, str]:
    step = next_step(table)
    round = table.round
    if round is None:
        return _STEPS[step.kind]
    if step.kind == "shuffle":
        return _SHUFFLE[round.terms.source]
    if step.kind == "claims":
        return _CLAIMS[round.terms.source]
    if step.kind == "confirm" and round.void is not None:
        english, portuguese = _VOID
        return english.format(article=round.void.article), portuguese.format(article=round.void.article)
    if step.kind == "deal":
        return _deal(step.to, round.terms.source)
    if step.kind == "decisions":
        seats = ", ".join(map(str, step.waiting))
        return f"Play or fold? Waiting for seat {seats}.", f"Dobra ou desiste? Falta o lugar {seats}."
    if step.kind == "reveal":
        english, portuguese = _place(step.to[0])
        return f"Turn the cards of {english}.", f"Vire as cartas: {portuguese}."
    return _STEPS[step.kind]


def _deal(to: tuple[str, ...], source: str) -> tuple[str, str]:
    english, portuguese = _place(to[-1])
    if source == "shoe":
        return f"Draw a card for {english}, face down.", f"Tire uma carta, face para baixo: {portuguese}."
    if to[0] == "discard":
        return (
            "Take the packet: top card to the discard rack, the other two are the community cards.",
            "Retire o conjunto: a carta do topo vai para o descarte, as outras duas são as comunitárias.",
        )
    return f"Take the packet and deal it to {english}, face down.", f"Distribua, face para baixo: {portuguese}."


def _place(place: str) -> tuple[str, str]:
    seat = seat_of(place)
    return (f"seat {seat}", f"lugar {seat}") if seat is not None else _PLACES[place]


NOTICES: dict[str, tuple[str, str]] = {
    "late_chip": (
        "Seat {seat}: chip after lock-in. It does not count; give it back.",
        "Lugar {seat}: ficha após o fecho. Não conta; devolva-a.",
    ),
    "chip_without_basic_bet": (
        "Seat {seat}: chip without ante or Pair Plus (4.º 3). Give it back.",
        "Lugar {seat}: ficha sem aposta básica (4.º 3). Devolva-a.",
    ),
    "unswept_chip": (
        "Seat {seat}: the chip of an earlier round still lies in the slot. Collect it.",
        "Lugar {seat}: a ficha de uma jogada anterior continua na ranhura. Recolha-a.",
    ),
    "chip_not_taken_back": (
        "Seat {seat}: a chip that did not count still lies in the slot. Give it back.",
        "Lugar {seat}: uma ficha que não contou continua na ranhura. Devolva-a.",
    ),
    "slots_lost": (
        "Seat {seat}: the slots do not answer; no jackpot chip counts in this round.",
        "Lugar {seat}: as ranhuras não respondem; nenhuma ficha conta nesta jogada.",
    ),
    "card_not_due": (
        "A card came that was not due. Do not deal it.",
        "Saiu uma carta fora de tempo. Não a distribua.",
    ),
    "lock_in_refused": ("Lock-in refused: {text}", "Fecho recusado: {text}"),
}


def notices(table: Table) -> list[Words]:
    """What the dealer was told in this round, by language."""
    return [
        {
            "en": NOTICES[told.notice][0].format(seat=told.seat, text=told.text),
            "pt": NOTICES[told.notice][1].format(seat=told.seat, text=told.text),
        }
        for told in table.notices
    ]

"""What the dealer does next, in plain words, English and Portuguese. No I/O here."""

from controller.engine.due import has_failed, is_lost, trouble_now
from controller.engine.settings import Settings, game_at, source_of
from controller.engine.table import Table, next_step
from controller.rulebook.game import CARDS_OF_A_DECK, Game
from controller.rulebook.games import game_of
from controller.rulebook.round import Voided
from controller.rulebook.steps import Step, seat_of

Words = dict[str, str]

_PLACES = {"bank": ("the bank", "a banca"), "community": ("the community cards", "as cartas comunitárias")}
_STEPS: dict[str, tuple[str, str]] = {
    "open": ("The table is closed. Open it to begin.", "A mesa está fechada. Abra-a para começar."),
    "begin": ("Begin the next round.", "Inicie a próxima jogada."),
    "deck": (
        "The deck is not whole: 52 cards, each once. Put it right and put it back, then confirm.",
        "O baralho não está completo: 52 cartas, cada uma uma vez. Complete-o, reponha-o e confirme.",
    ),
    "load": (
        "Load the shuffler in two packets or more; the chief inspector confirms (54).",
        "Carregue o baralhador em dois pacotes ou mais; o fiscal-chefe confirma (54).",
    ),
    "extract": (
        "Take all cards out of the shuffler and count them by deck; the chief inspector confirms (55).",
        "Retire as cartas do baralhador e conte-as por baralho; o fiscal-chefe confirma (55).",
    ),
    "burn": (
        "Draw one card and lay it, unseen, on the discard rack.",
        "Tire uma carta e coloque-a, sem a mostrar, no canto de descarte.",
    ),
    "increment": (
        "Take the chips, leave a marker for each, and enter what you put on the display.",
        "Recolha as fichas, deixe uma marca por cada uma e introduza o incremento do display.",
    ),
    "cut": (
        "Let the deck be cut with the cut card, put it into the shoe, then confirm who cut.",
        "Mande cortar o baralho com a carta de corte, coloque-o no shoe e confirme quem cortou.",
    ),
    "wagers": (
        "Take the wagers, then press lock-in: no more bets.",
        "Aceite as apostas e prima o botão de fecho: não há mais apostas.",
    ),
    "announce": (
        "Announce the deal: a card to every space, or only to spaces with bets.",
        "Anuncie: uma carta em cada espaço, ou apenas nos espaços com apostas.",
    ),
    "confirm": (
        "Collect what is lost, pay what is won, then confirm the round.",
        "Recolha as apostas perdidas, pague as ganhas e confirme a jogada.",
    ),
}
_SHUFFLE = {
    "shuffler": ("The shuffler shuffles. Wait.", "O baralhador está a baralhar. Aguarde."),
    "shoe": (
        "Shuffle by hand, then confirm.",
        "Baralhe manualmente e confirme.",
    ),
}
_CLAIMS = {
    "shuffler": (
        "Round done. Put all cards into the shuffler when no complaint is open.",
        "Jogada terminada. Coloque as cartas no baralhador quando não houver reclamações.",
    ),
    "lid": (
        "Round done. If the lid has opened, put all cards in and close it; if not, hold them for the next round (61).",
        "Jogada terminada. Se a tampa abriu, introduza as cartas e feche-a; se não, guarde-as para a seguinte (61).",
    ),
    "kept": (
        "Round done. Put the cards on the discard rack when no complaint is open, then confirm.",
        "Jogada terminada. Coloque as cartas no descarte quando não houver reclamações e confirme.",
    ),
    "shoe": (
        "Round done. Gather the cards when no complaint is open, then confirm.",
        "Jogada terminada. Recolha as cartas quando não houver reclamações e confirme.",
    ),
}
_SHUFFLE_SHOE = (
    "Shuffle all {cards} cards, then confirm.",
    "Baralhe as {cards} cartas e confirme.",
)
_CUT_SHOE = (
    "Let the cards be cut, put the cut card before the last twelve, load the shoe, then confirm who cut.",
    "Mande cortar, coloque a carta de corte antes das últimas doze, carregue o shoe e confirme quem cortou.",
)
_CUT_WARNING = (
    "Let the cards be cut, put the warning card near the 50th from the end, load the shoe, then confirm who cut.",
    "Mande cortar, coloque a carta-aviso junto da 50.ª a contar do fim, carregue o sabot e confirme quem cortou.",
)
_BANK_CUTS = (
    "Cut the deck with the cut card, then confirm.",
    "Corte o baralho com a carta de corte e confirme.",
)
_WAGERS_ON_SCREEN = (
    "Take the bets, then lock in: no more bets.",
    "Aceite as apostas e feche: não há mais apostas.",
)
_VOID = (
    "The round is void ({article}). Give all wagers back{chips}, then confirm.",
    "A jogada é inválida ({article}). Devolva todas as apostas{chips} e confirme.",
)
_CHIPS_GO_ON = (
    "; the jackpot chips of seats {seats} go on to the next round (17.º 3)",
    "; as fichas do jackpot dos lugares {seats} passam para a jogada seguinte (17.º 3)",
)
_COUNT = (
    "Count the cards dealt in this round as they lie on the table: {cards} are due.",
    "Conte as cartas distribuídas nesta jogada que estão na mesa: devem ser {cards}.",
)
_GAP = (
    "A card may have left the shoe unheard. Stop, and count the cards dealt so far.",
    "Uma carta pode ter saído do shoe sem ser lida. Pare e conte as cartas já distribuídas.",
)
FAILED = (
    "The shuffler has failed: use the shoe, or have it replaced ({article}).",
    "O baralhador falhou: use o shoe ou substitua-o ({article}).",
)


def prompt(table: Table, settings: Settings) -> Words:
    """The prompt of the table's next step, by language, after it what a device that is away changes in it."""
    english, portuguese = _words(table, settings)
    game = game_at(table, settings)
    for device in sorted(table.devices):
        if is_lost(table, device):
            cell = trouble_now(table, game, device, "lost")
            if cell.en:
                english = f"{english} The {device} does not answer. {cell.en}"
                portuguese = f"{portuguese} O dispositivo {device} não responde. {cell.pt}"
    if "shuffler-jam" in table.troubles:
        jam = trouble_now(table, game, "shuffler", "jam")
        english, portuguese = f"{english} {jam.en}".rstrip(), f"{portuguese} {jam.pt}".rstrip()
    return {"en": english, "pt": portuguese}


def _words(table: Table, settings: Settings) -> tuple[str, str]:
    step = next_step(table)
    round = table.round
    if round is None and step.kind in ("load", "extract"):
        return _STEPS[step.kind]
    if round is None:
        game = game_at(table, settings)
        if step.kind == "begin" and has_failed(table, game) and source_of(table, settings) == "shuffler":
            english, portuguese = FAILED
            article = game.citations.shuffler_failed
            return english.format(article=article), portuguese.format(article=article)
        return _STEPS[step.kind]
    game = game_of(round)
    if step.kind == "ask":
        return asked(step)
    if step.kind == "claims" and game.asks and round.terms.source == "shuffler":
        return _CLAIMS["lid"]
    if step.kind == "cut" and game.asks:
        return _CUT_WARNING
    if step.kind == "shuffle" and game.keeps_shoe:
        cards = round.terms.decks * CARDS_OF_A_DECK
        return _SHUFFLE_SHOE[0].format(cards=cards), _SHUFFLE_SHOE[1].format(cards=cards)
    if step.kind == "shuffle":
        return _SHUFFLE[round.terms.source]
    if step.kind == "cut" and game.keeps_shoe:
        return _CUT_SHOE
    if step.kind == "cut" and not game.anybody_cuts:
        return _BANK_CUTS
    if step.kind == "wagers" and not round.terms.additional:
        return _WAGERS_ON_SCREEN
    if step.kind == "claims":
        return _CLAIMS["kept"] if game.keeps_shoe and round.terms.source == "shoe" else _CLAIMS[round.terms.source]
    if step.kind == "confirm" and round.void is not None:
        return _void(round.void)
    if step.kind == "count":
        english, portuguese = _GAP if step.cards is None else _COUNT
        return english.format(cards=step.cards), portuguese.format(cards=step.cards)
    if step.kind == "deal":
        if game.face_up and game.is_face_down(round):
            return "Draw the bank's second card, face down.", "Tire a segunda carta da banca, face para baixo."
        if game.face_up:
            english, portuguese = _place(step.to[0])
            return f"Draw a card, face up, for {english}.", f"Tire uma carta, face para cima: {portuguese}."
        return _deal(step.to, round.terms.source)
    if step.kind == "decisions":
        seats = ", ".join(map(str, step.waiting))
        return f"Play or fold? Waiting for seat {seats}.", f"Dobra ou desiste? Falta o lugar {seats}."
    if step.kind == "reveal":
        english, portuguese = _place(step.to[0])
        key_in = (" One was not read: key them in.", " Uma não foi lida: introduza-as.") if step.key_in else ("", "")
        return f"Turn the cards of {english}.{key_in[0]}", f"Vire as cartas: {portuguese}.{key_in[1]}"
    return _STEPS[step.kind]


def _void(void: Voided) -> tuple[str, str]:
    seats = ", ".join(map(str, void.carried))
    chips = tuple(words.format(seats=seats) for words in _CHIPS_GO_ON) if void.carried else ("", "")
    english, portuguese = _VOID
    return (
        english.format(article=void.article, chips=chips[0]),
        portuguese.format(article=void.article, chips=chips[1]),
    )


def _deal(to: tuple[str, ...], source: str) -> tuple[str, str]:
    english, portuguese = _place(next(place for place in to if place != "discard"))
    if to[-1] == "discard":
        wanted = sum(place != "discard" for place in to)
        return (
            f"Take the packet: the top {'card' if wanted == 1 else f'{wanted} cards'} to {english}, face down, "
            "the others to the discard rack.",
            f"Retire o conjunto: do topo, face para baixo ({wanted}): {portuguese}; as outras vão para o descarte.",
        )
    if source == "shoe":
        return f"Draw a card for {english}, face down.", f"Tire uma carta, face para baixo: {portuguese}."
    if to[0] == "discard":
        return (
            "Take the packet: top card to the discard rack, the other two are the community cards.",
            "Retire o conjunto: a carta do topo vai para o descarte, as outras duas são as comunitárias.",
        )
    return f"Take the packet and deal it to {english}, face down.", f"Distribua, face para baixo: {portuguese}."


_QUESTIONS = {
    "give_up": (
        "Seat {seat}: give up half the bet? Yes or no.",
        "Lugar {seat}: desiste de metade da aposta? Sim ou não.",
    ),
    "even_money": (
        "Seat {seat} has a black-jack: take the value of the bet now? Yes or no.",
        "Lugar {seat} tem black-jack: recebe já o valor da aposta? Sim ou não.",
    ),
    "insurance": (
        "Seat {seat}: insurance, up to {most}.",
        "Lugar {seat}: seguro, até {most}.",
    ),
    "follow": (
        "Seat {seat}, hand {hand}: do they follow? {backers}.",
        "Lugar {seat}, mão {hand}: acompanham? {backers}.",
    ),
    "decision": (
        "Seat {seat}, hand {hand}: {legal}?",
        "Lugar {seat}, mão {hand}: {legal}?",
    ),
}
_DECISIONS = {
    "hit": ("a card", "carta"),
    "stand": ("stand", "fica"),
    "double": ("double", "duplica"),
    "split": ("split", "desdobra"),
}


def asked(step: Step) -> tuple[str, str]:
    """A question of a hand or a seat, in words."""
    words = []
    for at, told in enumerate(_QUESTIONS[step.question]):
        legal = ", ".join(_DECISIONS[answer][at] for answer in step.legal if answer in _DECISIONS)
        most, backers = ", ".join(map(str, step.most)), ", ".join(step.backers)
        words.append(told.format(seat=step.seat, hand=step.hand, legal=legal, most=most, backers=backers))
    return words[0], words[1]


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
    "chip_beside_carried": (
        "Seat {seat}: its chip of the void round counts already. Give the new one back.",
        "Lugar {seat}: a ficha da jogada inválida já conta. Devolva a nova.",
    ),
    "carried_chip_back": (
        "Seat {seat}: no basic bet beside the chip that was carried here (4.º 3). Give the chip back.",
        "Lugar {seat}: sem aposta básica para a ficha transferida (4.º 3). Devolva a ficha.",
    ),
    "carried_chip_ends": (
        "Seat {seat}: there is no next round for the chip that was carried. Give it back.",
        "Lugar {seat}: não há jogada seguinte para a ficha transferida. Devolva-a.",
    ),
    "carried_chip_counts": (
        "Seat {seat}: the chip that was carried here counts after all (17.º 3). Take it back into the box.",
        "Lugar {seat}: a ficha transferida conta afinal (17.º 3). Recolha-a de novo.",
    ),
    "increment_changed": (
        "The chips that count are others than the display was raised for: put it right (41).",
        "Contam agora outras fichas: corrija o display (41).",
    ),
    "chip_gone": (
        "Seat {seat}: its chip was given back and does not count in this round.",
        "Lugar {seat}: a ficha foi devolvida e não conta nesta jogada.",
    ),
    "chip_came_and_went": (
        "Seat {seat}: a chip came and went. It does not count.",
        "Lugar {seat}: uma ficha foi colocada e retirada. Não conta.",
    ),
    "doubtful_sensor": (
        "Seat {seat}: its sensor is not believed; a chip there does not count. Give it back.",
        "Lugar {seat}: o sensor não é fiável; uma ficha ali não conta. Devolva-a.",
    ),
    "unreasonable_chips": (
        "{text} chips at once are more than is held reasonable: none counts. Give them back.",
        "{text} fichas de uma vez excedem o razoável: nenhuma conta. Devolva-as.",
    ),
    "sign_lost": (
        "Seat {seat}: the sign does not answer; no new jackpot chip counts in this round.",
        "Lugar {seat}: o expositor não responde; nenhuma ficha nova conta nesta jogada.",
    ),
    "card_unread": (
        "A card was not read. It is keyed in if it is turned.",
        "Uma carta não foi lida. Será introduzida se for virada.",
    ),
    "unasked_card": (
        "A card came that seat {seat} did not ask for. Say whether it was seen (18).",
        "Saiu uma carta que o lugar {seat} não pediu. Indique se foi vista (18).",
    ),
    "bank_card_too_many": (
        "The bank may not have this card: lay it on the discard rack (19).",
        "A banca não pode receber esta carta: coloque-a no canto de descarte (19).",
    ),
    "compare_cards": (
        "The shoe was not heard for a moment. Compare the cards on the table with the screen.",
        "O sabot não foi ouvido por um momento. Compare as cartas na mesa com o ecrã.",
    ),
    "early_card": (
        "A card came before it was called: it is valid. No more bets.",
        "Saiu uma carta antes de tempo: é válida. Não há mais apostas.",
    ),
    "cut_card": ("The cut card came out. Lay it aside.", "Saiu a carta de corte. Coloque-a de lado."),
    "damaged_card": (
        "The shuffler found a damaged card. Have it looked at after the round.",
        "O baralhador encontrou uma carta danificada. Mande verificá-la após a jogada.",
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


# The same at black-jack, by its own rules.
NOTICES_OF_HANDS: dict[str, tuple[str, str]] = {
    "chip_without_basic_bet": (
        "Seat {seat}: chip without a bet (45). Give it back.",
        "Lugar {seat}: ficha sem aposta (45). Devolva-a.",
    ),
    "cut_card": (
        "The warning card came out. Announce the last round of this shoe (11).",
        "Saiu a carta-aviso. Anuncie a última jogada deste sabot (11).",
    ),
    "damaged_card": (
        "A damaged card. The chief inspector replaces it, and says so (51).",
        "Uma carta danificada. O fiscal-chefe substitui-a e confirma (51).",
    ),
}


def notices(table: Table, game: Game) -> list[Words]:
    """What the dealer was told in this round, by language."""
    words = NOTICES | NOTICES_OF_HANDS if game.asks else NOTICES
    return [
        {
            "en": words[told.notice][0].format(seat=told.seat, text=told.text),
            "pt": words[told.notice][1].format(seat=told.seat, text=told.text),
        }
        for told in table.notices
    ]

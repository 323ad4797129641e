"""What the dealer does next, in plain words of every language. No I/O here."""

from collections.abc import Iterable
from itertools import pairwise

from controller.engine.device_words import NO_ANSWER
from controller.engine.due import has_failed, is_lost, trouble_now
from controller.engine.jackpot import Hit, in_order_of_payment
from controller.engine.languages import LANGUAGES, Said, Words, joined
from controller.engine.money import shown_amount
from controller.engine.prize_cards import taken_too_early, unpaid_hits
from controller.engine.prompts_places import said_at_places
from controller.engine.settings import Settings, game_at, source_of
from controller.engine.table import Table, next_step
from controller.rulebook.game import CARDS_OF_A_DECK, Game
from controller.rulebook.games import game_of
from controller.rulebook.house import BasicBets
from controller.rulebook.round import Round
from controller.rulebook.round_parts import Voided
from controller.rulebook.steps import Step, seat_of

_PLACES: dict[str, Said] = {
    "bank": ("the bank", "a banca", "莊家"),
    "community": ("the community cards", "as cartas comunitárias", "公共牌"),
}
_STEPS: dict[str, Said] = {
    "open": (
        "The table is closed. Open it to begin.",
        "A mesa está fechada. Abra-a para começar.",
        "賭枱未開，請開枱。",
    ),
    "begin": ("Begin the next round.", "Inicie a próxima jogada.", "請開始下一局。"),
    "deck": (
        "The deck is not whole: 52 cards, each once. Put it right and put it back, then confirm.",
        "O baralho não está completo: 52 cartas, cada uma uma vez. Complete-o, reponha-o e confirme.",
        "牌不齊：應有52張，每張一張。請補齊並放回，然後確認。",
    ),
    "load": (
        "Load the shuffler in two packets or more; the chief inspector confirms (54).",
        "Carregue o baralhador em dois pacotes ou mais; o fiscal-chefe confirma (54).",
        "請分兩疊或以上放入洗牌機，由主任稽查確認（54）。",
    ),
    "extract": (
        "Take all cards out of the shuffler and count them by deck; the chief inspector confirms (55).",
        "Retire as cartas do baralhador e conte-as por baralho; o fiscal-chefe confirma (55).",
        "請從洗牌機取出全部牌，逐副點算，由主任稽查確認（55）。",
    ),
    "burn": (
        "Draw one card and lay it, unseen, on the discard rack.",
        "Tire uma carta e coloque-a, sem a mostrar, no canto de descarte.",
        "抽出一張牌，不可看牌面，放入棄牌架。",
    ),
    "warning": (
        "Put the warning card near the 50th card from the end, or near the middle if one player alone is at the table, "
        "and the cards into the shoe; then confirm where it is (9).",
        "Coloque a carta-aviso junto da 50.ª carta a contar do fim, ou junto do meio se houver um só jogador, "
        "e as cartas no sabot; confirme onde está (9).",
        "把警示卡放在倒數約第五十張，只有一位玩家則放在約中間，裝入發牌靴，並確認位置（9）。",
    ),
    "increment": (
        "Take the chips, leave a marker for each, and enter what you put on the display.",
        "Recolha as fichas, deixe uma marca por cada uma e introduza o incremento do display.",
        "收取籌碼，每枚放一個標記，並輸入顯示牌所加金額。",
    ),
    "cut": (
        "Let the deck be cut with the cut card, put it into the shoe, then confirm who cut.",
        "Mande cortar o baralho com a carta de corte, coloque-o no shoe e confirme quem cortou.",
        "請以切牌卡切牌，放入發牌靴，並確認由誰切牌。",
    ),
    "wagers": (
        "Take the wagers, then press lock-in: no more bets.",
        "Aceite as apostas e prima o botão de fecho: não há mais apostas.",
        "接受投注，然後按截注掣：停止下注。",
    ),
    "announce": (
        "Announce the deal: a card to every space, or only to spaces with bets.",
        "Anuncie: uma carta em cada espaço, ou apenas nos espaços com apostas.",
        "宣布派牌方式：每格一張，或只派有投注的格。",
    ),
    "confirm": (
        "Collect what is lost, pay what is won, then confirm the round.",
        "Recolha as apostas perdidas, pague as ganhas e confirme a jogada.",
        "先收輸注，再賠贏注，然後確認本局。",
    ),
}
_SHUFFLE: dict[str, Said] = {
    "shuffler": ("The shuffler shuffles. Wait.", "O baralhador está a baralhar. Aguarde.", "洗牌機正在洗牌，請稍候。"),
    "shoe": (
        "Shuffle by hand, then confirm.",
        "Baralhe manualmente e confirme.",
        "請人手洗牌，然後確認。",
    ),
}
_CLAIMS: dict[str, Said] = {
    "shuffler": (
        "Round done. Put all cards into the shuffler when no complaint is open.",
        "Jogada terminada. Coloque as cartas no baralhador quando não houver reclamações.",
        "本局完結。沒有異議後，把所有牌放入洗牌機。",
    ),
    "lid": (
        "Round done. If the lid has opened, put all cards in and close it; if not, hold them for the next round (61).",
        "Jogada terminada. Se a tampa abriu, introduza as cartas e feche-a; se não, guarde-as para a seguinte (61).",
        "本局完結。蓋已打開便放入所有牌並關蓋；未開則留待下一局（61）。",
    ),
    "kept": (
        "Round done. Put the cards on the discard rack when no complaint is open, then confirm.",
        "Jogada terminada. Coloque as cartas no descarte quando não houver reclamações e confirme.",
        "本局完結。沒有異議後，把牌放入棄牌架，然後確認。",
    ),
    "shoe": (
        "Round done. Gather the cards when no complaint is open, then confirm.",
        "Jogada terminada. Recolha as cartas quando não houver reclamações e confirme.",
        "本局完結。沒有異議後收牌，然後確認。",
    ),
}
_PRIZE_CARDS_STAY = (
    "The cards of seat {seats} stay on the table, face up, until the prize is paid (49).",
    "As cartas do lugar {seats} ficam descobertas na mesa até ao pagamento do prémio (49).",
    "{seats}號位的牌須面向上留在枱面，直至派彩（49）。",
)
_PRIZE_CARDS_GONE = (
    "Cards of seat {seats} went into the shuffler before the prize was paid (49): call the chief inspector.",
    "Cartas do lugar {seats} entraram no baralhador antes do pagamento do prémio (49): chame o fiscal-chefe.",
    "派彩前已把{seats}號位的牌放入洗牌機（49）：請通知主任稽查。",
)
_COMPLAINT = (
    "Complaint at {seats}: a supervisor decides it. Nothing is cleared away until then.",
    "Reclamação do lugar {seats}: o fiscal-chefe decide. Até lá nada se recolhe.",
    "{seats}號位投訴：由主任處理，處理前枱面須保持原狀。",
)
_ORDER = (
    "Prizes in this order: {prizes} ({articles}).",
    "Prémios por esta ordem: {prizes} ({articles}).",
    "派彩次序：{prizes}（{articles}）。",
)
_IN_ORDER = (
    "{turn}. seat {seat}{whose}: {amount}",
    "{turn}. lugar {seat}{whose}: {amount}",
    "{turn}. {seat}號位{whose}：{amount}",
)
_PAY_PRIZE = (
    "Pay it: two persons confirm hit {hits}.",
    "Pague-o: duas pessoas confirmam o prémio {hits}.",
    "請派彩：獎項{hits}由兩人確認。",
)
_SHUFFLE_SHOE = (
    "Shuffle all {cards} cards, then confirm.",
    "Baralhe as {cards} cartas e confirme.",
    "請洗全部{cards}張牌，然後確認。",
)
_CUT_SHOE = (
    "Let the cards be cut, put the cut card before the last twelve, load the shoe, then confirm who cut.",
    "Mande cortar, coloque a carta de corte antes das últimas doze, carregue o shoe e confirme quem cortou.",
    "請切牌，把切牌卡放在最後十二張之前，裝入發牌靴，並確認由誰切牌。",
)
_CUT_IN_TURN = (
    "Seat {seat} cuts the cards, or passes it on (8).",
    "Corte pelo lugar {seat}, ou passa ao seguinte (8).",
    "由{seat}號位切牌，或讓給下一位（8）。",
)
_CUT_BY_INSPECTOR = (
    "No player cuts: the table inspector does (8). Confirm it.",
    "Nenhum jogador corta: corta o fiscal de banca (8). Confirme.",
    "沒有玩家切牌，由枱面稽查切牌（8），請確認。",
)
_BANK_CUTS = (
    "Cut the deck with the cut card, then confirm.",
    "Corte o baralho com a carta de corte e confirme.",
    "請以切牌卡切牌，然後確認。",
)
_WAGERS_ON_SCREEN = (
    "Take the bets, then lock in: no more bets.",
    "Aceite as apostas e feche: não há mais apostas.",
    "接受投注，然後截注：停止下注。",
)
_BASIC_BETS: dict[BasicBets, Said] = {
    "either": ("", "", ""),
    "separate": (
        "Ante or Pair Plus, not both (4.º 1): tell the players.",
        "Ante ou Pair Plus, não ambas (4.º 1): informe os jogadores.",
        "原注或Pair Plus只可選其一（4.º 1），請告知玩家。",
    ),
    "combined": (
        "Ante and Pair Plus together only (4.º 1): tell the players.",
        "Ante e Pair Plus só em conjunto (4.º 1): informe os jogadores.",
        "原注與Pair Plus須一併下注（4.º 1），請告知玩家。",
    ),
}
_VOID = (
    "The round is void ({article}). Give all wagers back{chips}, then confirm.",
    "A jogada é inválida ({article}). Devolva todas as apostas{chips} e confirme.",
    "本局作廢（{article}）。請退回所有投注{chips}，然後確認。",
)
_VOID_BUT_DECIDED = (
    "The round is void ({article}), but what is decided stands. Give the other bets back, then confirm.",
    "A jogada é inválida ({article}), mas o que está decidido mantém-se. Devolva as outras apostas e confirme.",
    "本局作廢（{article}），但已定的結果有效。其他投注退回，然後確認。",
)
_CHIPS_GO_ON = (
    "; the jackpot chips of seats {seats} go on to the next round (17.º 3)",
    "; as fichas do jackpot dos lugares {seats} passam para a jogada seguinte (17.º 3)",
    "；{seats}號位的彩池籌碼轉入下一局（17.º 3）",
)
_COUNT = (
    "Count the cards dealt in this round as they lie on the table: {cards} are due.",
    "Conte as cartas distribuídas nesta jogada que estão na mesa: devem ser {cards}.",
    "請點算本局已派在枱面的牌：應為{cards}張。",
)
_GAP = (
    "A card may have left the shoe unheard. Stop, and count the cards dealt so far.",
    "Uma carta pode ter saído do shoe sem ser lida. Pare e conte as cartas já distribuídas.",
    "可能有牌離開發牌靴而未被讀取。請停止並點算已派的牌。",
)
FAILED = (
    "The shuffler has failed: use the shoe, or have it replaced ({article}).",
    "O baralhador falhou: use o shoe ou substitua-o ({article}).",
    "洗牌機故障：請改用發牌靴，或更換洗牌機（{article}）。",
)


_BANK_SECOND = (
    "Draw the bank's second card, face down.",
    "Tire a segunda carta da banca, face para baixo.",
    "抽出莊家第二張牌，牌面向下。",
)
_FACE_UP = (
    "Draw a card, face up, for {place}.",
    "Tire uma carta, face para cima: {place}.",
    "抽一張牌，牌面向上，派給{place}。",
)
_FACE_DOWN = (
    "Draw a card for {place}, face down.",
    "Tire uma carta, face para baixo: {place}.",
    "抽一張牌，牌面向下，派給{place}。",
)
_PACKET = (
    "Take the packet and deal it to {place}, face down.",
    "Distribua, face para baixo: {place}.",
    "取出一疊牌，牌面向下，派給{place}。",
)
_PACKET_TOP = (
    "Take the packet: the top {cards} to {place}, face down, the others to the discard rack.",
    "Retire o conjunto: do topo, face para baixo ({wanted}): {place}; as outras vão para o descarte.",
    "取出一疊牌：最上面{wanted}張牌面向下派給{place}，其餘放入棄牌架。",
)
_PACKET_COMMUNITY = (
    "Take the packet: top card to the discard rack, the other two are the community cards.",
    "Retire o conjunto: a carta do topo vai para o descarte, as outras duas são as comunitárias.",
    "取出一疊牌：最上面一張放入棄牌架，其餘兩張為公共牌。",
)
_DECIDE = (
    "Play or fold? Waiting for seat {seats}.",
    "Dobra ou desiste? Falta o lugar {seats}.",
    "加注或放棄？等待{seats}號位。",
)
_TURN = ("Turn the cards of {place}.", "Vire as cartas: {place}.", "翻開{place}的牌。")
_KEY_IN = (" One was not read: key them in.", " Uma não foi lida: introduza-as.", "有一張未能讀取，請輸入。")


def prompt(table: Table, settings: Settings) -> Words:
    """The prompt of the table's next step, by language, with complaints, and what a device that is away changes."""
    said, game = [_said(table, settings)], game_at(table, settings)
    if table.complaints:
        seats = _listed(one.seat for one in table.complaints)
        complaint = _filled(_COMPLAINT, seats=seats)
        # What clears the cards away is not the next thing to do.
        said = [complaint] if next_step(table).kind == "claims" and not unpaid_hits(table) else [*said, complaint]
    if next_step(table).kind in ("confirm", "claims", "begin"):
        said += [_order(hits, game, settings.exponent) for hits in in_order_of_payment(table.meter)]
    for device in sorted(table.devices):
        if is_lost(table, device):
            cell = trouble_now(table, game, device, "lost")
            if cell.en:
                english, portuguese, chinese = NO_ANSWER[device]
                said += [(f"{english}.", f"{portuguese}.", f"{chinese}。"), (cell.en, cell.pt, cell.zh)]
    if "shuffler-jam" in table.troubles:
        jam = trouble_now(table, game, "shuffler", "jam")
        said.append((jam.en, jam.pt, jam.zh))
    return dict(zip(LANGUAGES, joined(*said), strict=True))


def _said(table: Table, settings: Settings) -> Said:
    step = next_step(table)
    round = table.round
    if round is None and step.kind in ("load", "extract"):
        return _STEPS[step.kind]
    if round is None:
        game = game_at(table, settings)
        if step.kind == "begin" and has_failed(table, game) and source_of(table, settings) == "shuffler":
            return _filled(FAILED, article=game.citations.shuffler_failed)
        return _STEPS[step.kind]
    game = game_of(round)
    at_places = said_at_places(round, step, game.pieces(round.terms), settings.exponent)
    if at_places is not None:
        return at_places
    if step.kind == "ask":
        return asked(step, settings.exponent)
    if step.kind == "claims" and unpaid_hits(table):
        return _prize_unpaid(table, round)
    if step.kind == "claims" and game.asks and round.terms.source == "shuffler":
        return _CLAIMS["lid"]
    if step.kind == "cut" and game.asks:
        return _CUT_BY_INSPECTOR if step.seat is None else _filled(_CUT_IN_TURN, seat=step.seat)
    if step.kind == "shuffle" and game.keeps_shoe:
        return _filled(_SHUFFLE_SHOE, cards=round.terms.decks * CARDS_OF_A_DECK)
    if step.kind == "shuffle":
        return _SHUFFLE[round.terms.source]
    if step.kind == "cut" and game.keeps_shoe:
        return _CUT_SHOE
    if step.kind == "cut" and not game.anybody_cuts:
        return _BANK_CUTS
    if step.kind == "wagers":
        taken = _STEPS["wagers"] if round.terms.additional else _WAGERS_ON_SCREEN
        return joined(taken, _BASIC_BETS[round.terms.posted.basic_bets])
    if step.kind == "claims":
        return _CLAIMS["kept"] if game.keeps_shoe and round.terms.source == "shoe" else _CLAIMS[round.terms.source]
    if step.kind == "confirm" and round.void is not None:
        return _void(round, round.void)
    if step.kind == "confirm" and (hits := unpaid_hits(table)):
        return joined(_STEPS["confirm"], _filled(_PRIZE_CARDS_STAY, seats=_listed(hit.seat for hit in hits)))
    if step.kind == "count":
        return _filled(_GAP if step.cards is None else _COUNT, cards=step.cards)
    if step.kind == "deal":
        if game.face_up:
            return _BANK_SECOND if game.is_face_down(round) else _placed(_FACE_UP, step.to[0])
        return _deal(step.to, round.terms.source)
    if step.kind == "decisions":
        return _filled(_DECIDE, seats=", ".join(map(str, step.waiting)))
    if step.kind == "reveal":
        english, portuguese, chinese = _placed(_TURN, step.to[0])
        if not step.key_in:
            return english, portuguese, chinese
        return english + _KEY_IN[0], portuguese + _KEY_IN[1], chinese + _KEY_IN[2]
    return _STEPS[step.kind]


def _prize_unpaid(table: Table, round: Round) -> Said:
    hits = unpaid_hits(table)
    numbers, seats = _listed(hit.hit for hit in hits), _listed(hit.seat for hit in hits)
    pay = _filled(_PAY_PRIZE, hits=numbers)
    if taken_too_early(table, round.inserted):
        return joined(_filled(_PRIZE_CARDS_GONE, seats=seats), pay)
    return joined(_filled(_PRIZE_CARDS_STAY, seats=seats), pay)


def _order(hits: tuple[Hit, ...], game: Game, exponent: int) -> Said:
    articles = dict.fromkeys(game.paid_after(one.tier, other.tier) for one, other in pairwise(hits))
    english, portuguese, chinese = (
        said.format(
            prizes="; ".join(
                one.format(
                    turn=turn,
                    seat=hit.seat,
                    whose=f" {hit.player}" if hit.player else "",
                    amount=shown_amount(hit.amount, exponent),
                )
                for turn, hit in enumerate(hits, start=1)
            ),
            articles=", ".join(articles),
        )
        for said, one in zip(_ORDER, _IN_ORDER, strict=True)
    )
    return english, portuguese, chinese


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, dict.fromkeys(numbers)))


def _filled(said: Said, **values: object) -> Said:
    english, portuguese, chinese = said
    return english.format(**values), portuguese.format(**values), chinese.format(**values)


def _placed(said: Said, place: str, **values: object) -> Said:
    """A sentence with a place in it, named in its own language."""
    names = _place(place)
    english, portuguese, chinese = (
        text.format(place=name, **values) for text, name in zip(said, names, strict=True)
    )  # fmt: skip
    return english, portuguese, chinese


def _void(round: Round, void: Voided) -> Said:
    seats = ", ".join(map(str, void.carried))
    settled = round.settlement.seats.values() if round.settlement is not None else ()
    if any(line.outcome != "void" for seat in settled for line in seat.lines):
        return _filled(_VOID_BUT_DECIDED, article=void.article)
    chips = _filled(_CHIPS_GO_ON, seats=seats) if void.carried else ("", "", "")
    english, portuguese, chinese = (
        text.format(article=void.article, chips=chip) for text, chip in zip(_VOID, chips, strict=True)
    )
    return english, portuguese, chinese


def _deal(to: tuple[str, ...], source: str) -> Said:
    place = next(place for place in to if place != "discard")
    if to[-1] == "discard":
        wanted = sum(place != "discard" for place in to)
        return _placed(_PACKET_TOP, place, wanted=wanted, cards="card" if wanted == 1 else f"{wanted} cards")
    if source == "shoe":
        return _placed(_FACE_DOWN, place)
    return _PACKET_COMMUNITY if to[0] == "discard" else _placed(_PACKET, place)


_QUESTIONS: dict[str, Said] = {
    "give_up": (
        "Seat {seat}: give up half the bet? Yes or no.",
        "Lugar {seat}: desiste de metade da aposta? Sim ou não.",
        "{seat}號位：放棄一半投注？是或否。",
    ),
    "even_money": (
        "Seat {seat} has a black-jack: take the value of the bet now? Yes or no.",
        "Lugar {seat} tem black-jack: recebe já o valor da aposta? Sim ou não.",
        "{seat}號位得黑傑克：現在按投注額收取一賠一？是或否。",
    ),
    "insurance": (
        "Seat {seat}: insurance, up to {most}.",
        "Lugar {seat}: seguro, até {most}.",
        "{seat}號位：買保險，上限 {most}。",
    ),
    "follow": (
        "Seat {seat}, hand {hand}: do they follow? {backers}.",
        "Lugar {seat}, mão {hand}: acompanham? {backers}.",
        "{seat}號位第{hand}手：是否跟隨？{backers}。",
    ),
    "decision": (
        "Seat {seat}, hand {hand}: {legal}?",
        "Lugar {seat}, mão {hand}: {legal}?",
        "{seat}號位第{hand}手：{legal}？",
    ),
}
_DECISIONS: dict[str, Said] = {
    "hit": ("a card", "carta", "要牌"),
    "stand": ("stand", "fica", "停牌"),
    "double": ("double", "duplica", "加倍"),
    "split": ("split", "desdobra", "分牌"),
}


def asked(step: Step, exponent: int) -> Said:
    """A question of a hand or a seat, in words; a unit of the currency has 10^exponent minor units."""
    said = []
    for at, told in enumerate(_QUESTIONS[step.question]):
        legal = ", ".join(_DECISIONS[answer][at] for answer in step.legal if answer in _DECISIONS)
        most = ", ".join(shown_amount(amount, exponent) for amount in step.most)
        backers = ", ".join(step.backers)
        said.append(told.format(seat=step.seat, hand=step.hand, legal=legal, most=most, backers=backers))
    english, portuguese, chinese = said
    return english, portuguese, chinese


def _place(place: str) -> Said:
    seat = seat_of(place)
    return (f"seat {seat}", f"lugar {seat}", f"{seat}號位") if seat is not None else _PLACES[place]

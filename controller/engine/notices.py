"""What the dealer is told beside the prompt, in every language. No I/O here."""

from controller.engine.languages import Said, Words, words
from controller.engine.table import Table
from controller.engine.table_parts import Notice
from controller.rulebook.game import Game
from controller.rulebook.games import packet_game_of
from controller.rulebook.packets import packets_of

NOTICES: dict[str, Said] = {
    "late_chip": (
        "Seat {seat}: chip after lock-in. It does not count; give it back.",
        "Lugar {seat}: ficha após o fecho. Não conta; devolva-a.",
        "{seat}號位：截注後放入的籌碼無效，請退回。",
    ),
    "chip_without_basic_bet": (
        "Seat {seat}: chip without ante or Pair Plus (4.º 3). Give it back.",
        "Lugar {seat}: ficha sem aposta básica (4.º 3). Devolva-a.",
        "{seat}號位：沒有原注或Pair Plus，籌碼無效（4.º 3），請退回。",
    ),
    "unswept_chip": (
        "Seat {seat}: the chip of an earlier round still lies in the slot. Collect it.",
        "Lugar {seat}: a ficha de uma jogada anterior continua na ranhura. Recolha-a.",
        "{seat}號位：之前一局的籌碼仍在投幣槽內，請收走。",
    ),
    "chip_not_taken_back": (
        "Seat {seat}: a chip that did not count still lies in the slot. Give it back.",
        "Lugar {seat}: uma ficha que não contou continua na ranhura. Devolva-a.",
        "{seat}號位：無效的籌碼仍在投幣槽內，請退回。",
    ),
    "chip_beside_carried": (
        "Seat {seat}: its chip of the void round counts already. Give the new one back.",
        "Lugar {seat}: a ficha da jogada inválida já conta. Devolva a nova.",
        "{seat}號位：作廢一局的籌碼已計入本局，請退回新放的籌碼。",
    ),
    "carried_chip_back": (
        "Seat {seat}: no basic bet beside the chip that was carried here (4.º 3). Give the chip back.",
        "Lugar {seat}: sem aposta básica para a ficha transferida (4.º 3). Devolva a ficha.",
        "{seat}號位：轉入本局的籌碼旁沒有基本投注（4.º 3），請退回籌碼。",
    ),
    "carried_chip_ends": (
        "Seat {seat}: there is no next round for the chip that was carried. Give it back.",
        "Lugar {seat}: não há jogada seguinte para a ficha transferida. Devolva-a.",
        "{seat}號位：不再有下一局，請退回轉入的籌碼。",
    ),
    "carried_chip_counts": (
        "Seat {seat}: the chip that was carried here counts after all (17.º 3). Take it back into the box.",
        "Lugar {seat}: a ficha transferida conta afinal (17.º 3). Recolha-a de novo.",
        "{seat}號位：轉入本局的籌碼仍然有效（17.º 3），請重新收回。",
    ),
    "increment_changed": (
        "The chips that count are others than the display was raised for: put it right (41).",
        "Contam agora outras fichas: corrija o display (41).",
        "有效的籌碼與顯示牌已加的金額不符，請更正顯示牌（41）。",
    ),
    "chip_gone": (
        "Seat {seat}: its chip was given back and does not count in this round.",
        "Lugar {seat}: a ficha foi devolvida e não conta nesta jogada.",
        "{seat}號位：籌碼已退回，本局無效。",
    ),
    "chip_came_and_went": (
        "Seat {seat}: a chip came and went. It does not count.",
        "Lugar {seat}: uma ficha foi colocada e retirada. Não conta.",
        "{seat}號位：籌碼放入後又取走，無效。",
    ),
    "doubtful_sensor": (
        "Seat {seat}: its sensor is not believed; a chip there does not count. Give it back.",
        "Lugar {seat}: o sensor não é fiável; uma ficha ali não conta. Devolva-a.",
        "{seat}號位：感應器不可信，該處籌碼無效，請退回。",
    ),
    "unreasonable_chips": (
        "{text} chips at once are more than is held reasonable: none counts. Give them back "
        "(policy: unreasonable contribution).",
        "{text} fichas de uma vez excedem o razoável: nenhuma conta. Devolva-as "
        "(regra da casa: unreasonable contribution).",
        "同時出現{text}枚籌碼，超出合理數目，全部無效，請退回（內部規則：unreasonable contribution）。",
    ),
    "sign_lost": (
        "Seat {seat}: the sign does not answer; no new jackpot chip counts in this round (2.º 2).",
        "Lugar {seat}: o expositor não responde; nenhuma ficha nova conta nesta jogada (2.º 2).",
        "{seat}號位：顯示牌沒有回應，本局不接受新的彩池籌碼（2.º 2）。",
    ),
    "card_unread": (
        "A card was not read. It is keyed in if it is turned.",
        "Uma carta não foi lida. Será introduzida se for virada.",
        "有一張牌未能讀取，翻開時請輸入。",
    ),
    "unasked_card": (
        "A card came that seat {seat} did not ask for. Say whether it was seen (18).",
        "Saiu uma carta que o lugar {seat} não pediu. Indique se foi vista (18).",
        "發出了一張{seat}號位沒有要求的牌，請說明牌面是否已被看見（18）。",
    ),
    "bank_card_too_many": (
        "The bank may not have this card: lay it on the discard rack (19).",
        "A banca não pode receber esta carta: coloque-a no canto de descarte (19).",
        "莊家不可取這張牌，請放入棄牌架（19）。",
    ),
    "compare_cards": (
        "The shoe was not heard for a moment. Compare the cards on the table with the screen.",
        "O sabot não foi ouvido por um momento. Compare as cartas na mesa com o ecrã.",
        "發牌靴曾短暫中斷，請核對枱面的牌與畫面。",
    ),
    "early_card": (
        "A card came before it was called: it is valid. No more bets.",
        "Saiu uma carta antes de tempo: é válida. Não há mais apostas.",
        "有一張牌提早發出，仍然有效。停止下注。",
    ),
    "cut_card": (
        "The cut card came out. Lay it aside.",
        "Saiu a carta de corte. Coloque-a de lado.",
        "切牌卡已出現，請放在一旁。",
    ),
    "complaint_cards_inserted": (
        "Seat {seat}: cards went into the shuffler while a complaint is open. Call the supervisor.",
        "Lugar {seat}: entraram cartas no baralhador com uma reclamação pendente. Chame o fiscal-chefe.",
        "{seat}號位：投訴未處理，牌已放入洗牌機，請通知主任。",
    ),
    "damaged_card": (
        "The shuffler found a damaged card. Have it looked at after the round.",
        "O baralhador encontrou uma carta danificada. Mande verificá-la após a jogada.",
        "洗牌機發現損壞的牌，請於本局後檢查。",
    ),
    "slots_lost": (
        "Seat {seat}: the slots do not answer; no jackpot chip counts in this round.",
        "Lugar {seat}: as ranhuras não respondem; nenhuma ficha conta nesta jogada.",
        "{seat}號位：投幣槽沒有回應，本局不計彩池籌碼。",
    ),
    "card_not_due": (
        "A card came that was not due. Do not deal it.",
        "Saiu uma carta fora de tempo. Não a distribua.",
        "發出了一張不應發出的牌，請勿派發。",
    ),
    "rearranged": (
        "Place {seat}: put the pairs right; the rear must be the highest possible (6.º b)).",
        "Lugar {seat}: reorganize os pares; o de trás deve ser o mais alto possível (6.º b)).",
        "{seat}號位：請重新配牌，後對須為最大組合（6.º b)）。",
    ),
    "folded_collect": (
        "Seat {seat} gives up: collect its cards at once ({text}).",
        "O lugar {seat} desiste: recolha já as suas cartas ({text}).",
        "{seat}號位放棄：請立即收回該位的牌（{text}）。",
    ),
    "folded_stay": (
        "Seat {seat} gives up: its cards stay for its other bets ({text}).",
        "O lugar {seat} desiste: as suas cartas ficam para as outras apostas ({text}).",
        "{seat}號位放棄：因有其他投注，該位的牌留在枱上（{text}）。",
    ),
    "lock_in_refused": ("Lock-in refused: {text}", "Fecho recusado: {text}", "截注被拒：{text}"),
}


# The same at black-jack, by its own rules.
NOTICES_OF_HANDS: dict[str, Said] = {
    "chip_without_basic_bet": (
        "Seat {seat}: chip without a bet (45). Give it back.",
        "Lugar {seat}: ficha sem aposta (45). Devolva-a.",
        "{seat}號位：沒有投注，籌碼無效（45），請退回。",
    ),
    "sign_lost": (
        "Seat {seat}: the sign does not answer; no new jackpot chip counts in this round (41).",
        "Lugar {seat}: o expositor não responde; nenhuma ficha nova conta nesta jogada (41).",
        "{seat}號位：顯示牌沒有回應，本局不接受新的彩池籌碼（41）。",
    ),
    "cut_card": (
        "The warning card came out. Announce the last round of this shoe (11).",
        "Saiu a carta-aviso. Anuncie a última jogada deste sabot (11).",
        "警示卡已出現，請宣布本靴最後一局（11）。",
    ),
    "compare_cards": (
        "The shoe was not heard for a moment. Compare the cards with the screen; say so if the warning card is out.",
        "O sabot não foi ouvido por um momento. Compare as cartas com o ecrã; indique se saiu a carta-aviso.",
        "發牌靴曾短暫中斷，請核對枱面的牌與畫面；如警示卡已出現請輸入。",
    ),
    "warning_card_misplaced": (
        "The warning card lay {text} cards from the end: put it nearer to its place next time (9).",
        "A carta-aviso estava a {text} cartas do fim: coloque-a mais perto do seu lugar (9).",
        "警示卡在倒數第{text}張，下次請放近規定位置（9）。",
    ),
    "prize_cards_inserted": (
        "Seat {seat}: cards that won the prize went into the shuffler unpaid (49). Call the chief inspector.",
        "Lugar {seat}: cartas premiadas entraram no baralhador antes do pagamento (49). Chame o fiscal-chefe.",
        "{seat}號位：派彩前已把中獎的牌放入洗牌機（49），請通知主任稽查。",
    ),
    "damaged_card": (
        "A damaged card. The chief inspector replaces it, and says so (51).",
        "Uma carta danificada. O fiscal-chefe substitui-a e confirma (51).",
        "有損壞的牌，由主任稽查更換並確認（51）。",
    ),
}


def notices_of(game: Game) -> dict[str, Said]:
    """Every notice of a game, in its own words."""
    return NOTICES | NOTICES_OF_HANDS if game.asks else NOTICES


def notices(table: Table, game: Game) -> list[Words]:
    """What the dealer was told in this round, by language."""
    said = notices_of(game)
    return [
        words(said[told.notice], seat=told.seat, text=told.text) for told in table.notices if not _is_over(told, table)
    ]


def _is_over(told: Notice, table: Table) -> bool:
    """Whether a decision or a wager was corrected since: the cards of the seat are wanted otherwise now."""
    round, seat = table.round, told.seat
    if told.notice not in ("folded_collect", "folded_stay") or round is None or seat is None:
        return False
    stays = packet_game_of(round).cards_stay(round, seat)
    return packets_of(round).decisions.get(seat) != "fold" or stays != (told.notice == "folded_stay")

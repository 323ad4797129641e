"""What the register says of each kind of entry, in every language. No I/O here."""

from collections.abc import Mapping
from typing import Any

from controller.engine.languages import LANGUAGES, Said, Words
from controller.rulebook.steps import seat_of
from controller.slips.words import in_figures

KINDS: dict[str, Said] = {
    "cards_exposed": (
        "Cards seen while they were dealt: {to}, {count}",
        "Cartas vistas durante a distribuição: {to}, {count}",
        "派牌時牌面外露：{to}，{count}張",
    ),
    "cards_set_aside": (
        "Cards that were seen are left out: {to}",
        "Cartas vistas postas de lado: {to}",
        "外露的牌放在一旁：{to}",
    ),
    "error_put_right": (
        "Error in the deal put right: {what}, {to}",
        "Erro na distribuição corrigido: {what}, {to}",
        "派牌錯誤已即時更正：{what}，{to}",
    ),
    "cards_nulled": (
        "Cards at a place without a bet are null: {seat}",
        "Cartas num lugar sem aposta, nulas: {seat}",
        "牌派往沒有投注的位置，作廢：{seat}",
    ),
    "card_uncalled": (
        "A card came that was not asked for: {to}",
        "Saiu uma carta não pedida: {to}",
        "發出沒有要求的牌：{to}",
    ),
    "card_came_early": (
        "A card came before it was called",
        "Saiu uma carta antes de tempo",
        "有牌提早發出",
    ),
    "cards_shown": (
        "Cards keyed in, as not all were read: {to}",
        "Cartas introduzidas à mão, por não terem sido todas lidas: {to}",
        "有牌未能讀取，由人手輸入：{to}",
    ),
    "tiles_moved": (
        "The order of the tiles was changed: {by}",
        "A ordem das pedras foi alterada: {by}",
        "牌的次序被更改：{by}",
    ),
    "dice_annulled": ("The dice were null: {by}", "Lançamento de dados nulo: {by}", "擲骰無效：{by}"),
    "deck_faulted": (
        "The deck was not whole: {found} cards",
        "O baralho não estava completo: {found} cartas",
        "牌不齊：{found}張",
    ),
    "deck_doubted": (
        "Between two deals the deck was not whole: {found} cards",
        "Entre duas distribuições o baralho não estava completo: {found} cartas",
        "兩次派牌之間發現牌不齊：{found}張",
    ),
    "count_doubted": (
        "The count of the cards did not agree: {count}",
        "A contagem das cartas não estava certa: {count}",
        "點算的牌數不符：{count}張",
    ),
    "shuffler_exchanged": ("The shuffler was replaced", "O baralhador foi substituído", "已更換洗牌機"),
    "round_voided": (
        "Round void ({article}): {reason}",
        "Jogada inválida ({article}): {reason}",
        "本局作廢（{article}）：{reason}",
    ),
    "input_corrected": (
        "Correction, {at}, {corrected}: {before} → {after}. {reason}",
        "Correção, {at}, {corrected}: {before} → {after}. {reason}",
        "更正，{at}，{corrected}：{before} → {after}。{reason}",
    ),
    "round_adjusted": (
        "Adjustment, {seat}: {amount}. {reason}",
        "Ajuste, {seat}: {amount}. {reason}",
        "調整，{seat}：{amount}。{reason}",
    ),
    "round_adjusted_late": (
        "Adjustment after the cards had gone in, {seat}: {amount}. {reason}",
        "Ajuste depois de introduzidas as cartas, {seat}: {amount}. {reason}",
        "收牌後調整，{seat}：{amount}。{reason}",
    ),
    "meter_adjusted": (
        "Adjustment of the meter, {part}: {amount}. {reason}",
        "Ajuste do contador, {part}: {amount}. {reason}",
        "調整彩池，{part}：{amount}。{reason}",
    ),
    "hit_withdrawn": ("Prize {hit} withdrawn: {amount}", "Prémio {hit} retirado: {amount}", "獎項{hit}撤回：{amount}"),
    "damaged_card": (
        "A damaged card was found: {text}",
        "Foi encontrada uma carta danificada: {text}",
        "發現損壞的牌：{text}",
    ),
    "damaged_card_reported": (
        "A person says that a card is damaged: {to}",
        "Indicada uma carta danificada: {to}",
        "有人指出牌損壞：{to}",
    ),
    "inspection_informed": (
        "The inspection was told of the damaged card. {reason}",
        "O serviço de inspeção foi informado da carta danificada. {reason}",
        "已通知監察部門有牌損壞。{reason}",
    ),
    "acts_done": ("Ticked: {acts}", "Assinalado: {acts}", "已剔選：{acts}"),
    "nobody_bet": (
        "Interrupted, since nobody bets",
        "Interrupção: ninguém aposta",
        "無人投注，牌局中斷",
    ),
    "card_replaced": (
        "A damaged card was replaced. {reason}",
        "Uma carta danificada foi substituída. {reason}",
        "損壞的牌已更換。{reason}",
    ),
    "cards_extracted": (
        "{cards} cards were taken out of the shuffler, {missing} missing",
        "Foram retiradas {cards} cartas do baralhador, faltam {missing}",
        "從洗牌機取出{cards}張牌，欠{missing}張",
    ),
    "complaint_opened": (
        "Complaint {complaint}, {seat}, {complains}: {of}",
        "Reclamação {complaint}, {seat}, {complains}: {of}",
        "投訴{complaint}，{seat}，{complains}：{of}",
    ),
    "complaint_decided": (
        "Complaint {complaint} decided, {outcome}. {reason}",
        "Reclamação {complaint} decidida, {outcome}. {reason}",
        "投訴{complaint}已決定，{outcome}。{reason}",
    ),
    "parameters_proposed": (
        "Other parameters of the jackpot are asked for: proposal {number}",
        "Pedem-se outros parâmetros do jackpot: proposta {number}",
        "要求更改彩池參數：提案{number}",
    ),
    "parameters_approved": ("Proposal {number} approved", "Proposta {number} aprovada", "提案{number}獲批准"),
    "parameters_withdrawn": (
        "Proposal {number} refused: the configuration was put back",
        "Proposta {number} recusada: a configuração foi reposta",
        "提案{number}被拒：設定已還原",
    ),
    "parameters_scheduled": (
        "Parameters agreed on for after the running pot",
        "Parâmetros acordados para depois do bolo em curso",
        "已同意在現時彩池之後採用新參數",
    ),
    "alarm_acknowledged": ("Alarm acknowledged: {text}", "Alarme reconhecido: {text}", "警報已確認：{text}"),
}
"""Every kind of entry."""

_PLACES: dict[str, Said] = {
    "seat": ("seat {number}", "lugar {number}", "{number}號位"),
    "bank": ("bank", "banca", "莊家"),
    "community": ("community cards", "cartas comunitárias", "公共牌"),
    "discard": ("discard rack", "descarte", "棄牌架"),
}
_NAMED: dict[str, Said] = {
    "place": ("place", "lugar", "位置"),
    "order": ("order", "ordem", "次序"),
    "number": ("number", "número", "數目"),
    "wager": ("bet", "aposta", "投注"),
    "seat": ("seat", "lugar", "座位"),
    "decision": ("decision", "decisão", "決定"),
    "cards": ("cards", "cartas", "牌"),
    "dice": ("dice", "dados", "骰子"),
    "pot": ("pot", "bolo", "彩池"),
    "reserve": ("reserve", "reserva", "儲備"),
    "overflow": ("overflow", "excedente", "溢額"),
    "play": ("play", "dobra", "加注"),
    "fold": ("fold", "desiste", "放棄"),
    "hit": ("a card", "carta", "要牌"),
    "stand": ("stand", "fica", "停牌"),
    "double": ("double", "duplica", "加倍"),
    "split": ("split", "desdobra", "分牌"),
    "give_up": ("gives up", "desiste de metade", "放棄一半"),
    "even_money": ("even money", "recebe o valor", "一賠一"),
    "no": ("no", "não", "否"),
    "insure": ("insures", "segura", "買保險"),
    "follow": ("follows", "acompanha", "跟隨"),
    "stands": ("the result stands", "o resultado mantém-se", "結果維持"),
    "adjusted": ("it was adjusted", "foi ajustado", "已作調整"),
}
_ACTS: dict[str, Said] = {
    "cards_shown": ("cards shown", "cartas exibidas", "展示牌面"),
    "cards_mixed": ("cards mixed by hand", "cartas misturadas à mão", "人手混洗"),
    "deck_replaced": ("deck replaced", "baralho substituído", "更換整副牌"),
    "cards_laid_aside": ("cards laid aside at once", "cartas logo no descarte", "牌即時放入棄牌角"),
    "cards_ordered": ("cards put in order", "cartas ordenadas por baralho", "逐副整理牌"),
}
_NOTHING = "–"


def entry_words(kind: str, fields: Mapping[str, Any], currency: str, exponent: int) -> Words:
    """The sentence of an entry by language; `fields` are those of its event, a text by language among them."""
    return {
        language: KINDS[kind][at].format_map(
            {name: _in(at, name, value, fields, currency, exponent) for name, value in fields.items()}
        )
        for at, language in enumerate(LANGUAGES)
    }


def _in(at: int, name: str, value: Any, fields: Mapping[str, Any], currency: str, exponent: int) -> str:
    if name == "acts":
        return ", ".join(_ACTS[act][at] for act in value)
    if isinstance(value, dict):
        return str(value.get(LANGUAGES[at], _NOTHING))
    if value is None or value == "":
        return _NOTHING
    if name == "amount" or (name in ("before", "after") and fields.get("corrected") == "wager"):
        return in_figures(int(value), currency, exponent)
    if name == "corrected" and value == "wager":
        return f"{_NAMED['wager'][at]} {fields['wager']}"
    if name in ("before", "after") and fields.get("corrected") == "decision":
        word, _, rest = str(value).partition(" ")
        return f"{_NAMED[word][at]} {rest}".rstrip() if word in _NAMED else str(value)
    if name == "seat" or (name == "by" and isinstance(value, int)):
        return _PLACES["seat"][at].format(number=value)
    if name in ("to", "at", "by", "before", "after") and (place := _place(str(value), at)) is not None:
        return place
    if name in ("what", "corrected", "part", "outcome") and value in _NAMED:
        return _NAMED[value][at]
    return str(value)


def _place(name: str, at: int) -> str | None:
    seat = seat_of(name)
    if seat is not None:
        return _PLACES["seat"][at].format(number=seat)
    said = _PLACES.get(name)
    return None if said is None else said[at]

"""What is wrong at the table: what stands, what is on record until somebody acknowledges it. No I/O here.

An alarm is listed from when it is raised until it is over and a person has acknowledged it, in either order. What
stands follows from the table alone; what is on record is folded from events, and so outlives its cause and a restart.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from controller.engine.decision import Course
from controller.engine.device_faults import SOURCES, STANDING
from controller.engine.device_words import DEVICES, NO_ANSWER
from controller.engine.due import has_failed
from controller.engine.events import (
    AlarmAcknowledged,
    AlarmCleared,
    AlarmRaised,
    DeviceLost,
)
from controller.engine.inputs import Acknowledge
from controller.engine.languages import Said, Words, words
from controller.engine.prize_cards import taken_too_early, unpaid_hits
from controller.engine.prompts import FAILED
from controller.engine.reasons import TableReason
from controller.engine.table import (
    DAMAGED_CARD,
    DECK_COUNT,
    DECK_TROUBLE,
    INSPECTION_UNTOLD,
    SHUFFLER_LID,
    WARNING_CARD,
    Table,
)
from controller.engine.table_parts import RecordedAlarm, is_overdue
from controller.rulebook.game import Game
from controller.rulebook.refusal import Refusal

JOURNAL, DEFECT = "journal", "defect"  # of the station itself; nothing at the table
PRIZE_CARDS = "prize-cards"
ACKNOWLEDGED = "policy: alarms stay until they are acknowledged"
ALARMS = (
    *(f"{link}-{trouble}" for link in SOURCES for trouble, _, _ in STANDING),
    *(DECK_TROUBLE, DAMAGED_CARD, INSPECTION_UNTOLD, DECK_COUNT, "shuffler-failed", WARNING_CARD),
    PRIZE_CARDS,
)
"""Every alarm of the table but a device's absence and the seats' sensors."""


class StandingAlarm(msgspec.Struct, frozen=True):
    """An alarm that stands: its name on the floor's topics and its text by language, as of now."""

    name: str
    text: Words


class PublicAlarm(msgspec.Struct, frozen=True):
    """An alarm that is listed: it stands, or it is `over` and nobody has acknowledged it.

    `since` is when it was raised, UTC. One that is acknowledged and not over names who did it.
    """

    name: str
    text: Words
    since: str
    over: bool = False
    acknowledged_by: str | None = None


_DOUBTFUL = (
    "The sensor of seat {seat} is not believed",
    "O sensor do lugar {seat} não é fiável",
    "{seat}號位的感應器不可信",
)
_UNWRITABLE = (
    "The journal cannot be written: {reason}",
    "Não é possível gravar o registo: {reason}",
    "無法寫入記錄：{reason}",
)
_HELD_BACK = (
    "Another program has had the journal open for long, and its log grows ({size} MB): end that program",
    "Há muito que outro programa tem o registo aberto, e o ficheiro cresce ({size} MB): termine esse programa",
    "另一程式長時間開啟記錄，檔案不斷增大（{size} MB）：請結束該程式",
)
_CHANGED = (
    "The journal is not as it was written: {reason}",
    "O registo não está como foi gravado: {reason}",
    "記錄與當初寫入的不符：{reason}",
)
_DEFECTIVE = (
    "A defect of the station: {input} was not taken ({where})",
    "Defeito da estação: {input} não foi aceite ({where})",
    "系統故障：未能接受 {input}（{where}）",
)
_TROUBLES = {
    "jam": ("encravado", "卡牌"),
    "lid": ("a tampa está aberta", "蓋已打開"),
    "error": ("erro", "錯誤"),
    "machine": ("não é o baralhador deste jogo", "不是這種遊戲的洗牌機"),
    "card": ("uma carta está danificada: o fiscal-chefe substitui-a (51)", "有損壞的牌，由主任稽查更換（51）"),
    "count": ("a contagem das cartas não está certa (55)", "牌的數目不符（55）"),
    "deck": ("o baralho não está completo", "牌不齊"),
}


_PRIZE_CARDS = (
    "Seat {seat}: winning cards went into the shuffler and hit {hit} is not paid (49)",
    "Lugar {seat}: entraram cartas premiadas no baralhador e o prémio {hit} não está pago (49)",
    "{seat}號位：獎項{hit}未派彩，中獎的牌已放入洗牌機（49）",
)
_UNTOLD = (
    "A damaged card was replaced ({reason}): tell the inspection service, and say so (51)",
    "Foi substituída uma carta danificada ({reason}): comunique ao serviço de inspecção e indique-o (51)",
    "已更換損壞的牌（{reason}）：請通報監察部門並輸入（51）",
)
_OVERDUE = (
    "The warning card was not heard, {left} cards are left: if it is out, say so; else announce the last round (11)",
    "A carta-aviso não foi ouvida e restam {left} cartas: se saiu, indique-o; senão, anuncie a última jogada (11)",
    "未收到警示卡信號，只剩{left}張牌：如已出現請輸入，否則請宣布最後一局（11）",
)
_CUT_CARD_OVERDUE = (
    "The cut card was not heard, {left} cards are left: no round begins before they are shuffled ({article})",
    "A carta de corte não foi ouvida e restam {left} cartas: baralhe-as antes da próxima jogada ({article})",
    "未收到切牌卡信號，只剩{left}張牌：洗牌後才可開始下一局（{article}）",
)


def alarms(table: Table, game: Game) -> list[StandingAlarm]:
    """The alarms that stand: links, troubles, doubtful sensors; a defect and the journal's until acknowledged."""
    away = [
        StandingAlarm(
            name=f"device-{name}",
            text=_because(NO_ANSWER[name], state.reason),
        )
        for name, state in sorted(table.devices.items())
        if isinstance(state, DeviceLost)
    ]
    troubles = [
        StandingAlarm(
            name=name, text=words(_UNTOLD, reason=text) if name == INSPECTION_UNTOLD else _trouble(name, text)
        )
        for name, text in sorted(table.troubles.items())
        if name != SHUFFLER_LID or table.load is None  # a session's shuffler opens its lid by itself (60)
    ]
    sensors = [
        StandingAlarm(
            name=f"slots-seat-{seat}",
            text=words(_DOUBTFUL, seat=seat),
        )
        for seat, chip in sorted(table.slots.items())
        if chip.state == "doubtful"
    ]
    if has_failed(table, game):
        article = game.citations.shuffler_failed
        troubles.append(StandingAlarm(name="shuffler-failed", text=words(FAILED, article=article)))
    hits = unpaid_hits(table)
    if hits and table.round is not None and taken_too_early(table, table.round.inserted):
        troubles.append(StandingAlarm(name=PRIZE_CARDS, text=words(_PRIZE_CARDS, seat=hits[0].seat, hit=hits[0].hit)))
    if is_overdue(table.shoe, game):
        said = words(_OVERDUE if game.asks else _CUT_CARD_OVERDUE, left=table.shoe.left, article=game.citations.cut)
        troubles.append(StandingAlarm(name=WARNING_CARD, text=said))
    own = [
        StandingAlarm(name=name, text=kept.text)
        for name, kept in sorted(table.alarms.items())
        if name in (DEFECT, JOURNAL) and not kept.over and kept.acknowledged_by is None
    ]
    return [*away, *troubles, *sensors, *own]


def alarm_events(
    recorded: Mapping[str, RecordedAlarm], standing: Sequence[StandingAlarm], at: str
) -> Iterator[AlarmRaised | AlarmCleared]:
    """What brings the record to what stands at `at`. Another text of an alarm that stands is nothing new."""
    stands = {one.name for one in standing}
    for name, kept in recorded.items():
        if name not in stands and not kept.over:
            yield AlarmCleared(alarm=name, at=at)
    for one in standing:
        kept_one = recorded.get(one.name)
        if kept_one is None or kept_one.over:
            yield AlarmRaised(alarm=one.name, text=one.text, at=at)


def acknowledge(course: Course, input: Acknowledge) -> None:
    """A person has taken note of an alarm, of the one raised at `since` where that is said.

    Raises Refusal where it is not listed, is acknowledged already, or has come again meanwhile.
    """
    alarms, name = course.table.alarms, input.alarm
    kept = alarms.get(name)
    if kept is None:
        listed = ", ".join(alarms) or "none"
        raise Refusal("alarm", TableReason.NOT_LISTED, ACKNOWLEDGED, alarm=name, listed=listed)
    if kept.acknowledged_by is not None:
        raise Refusal("alarm", TableReason.ACKNOWLEDGED_ALREADY, ACKNOWLEDGED, person=kept.acknowledged_by, alarm=name)
    if input.since not in (None, kept.since):
        raise Refusal("alarm", TableReason.COME_AGAIN, ACKNOWLEDGED, alarm=name)
    course.record(AlarmAcknowledged(alarm=name, actor=input.actor))


def public_alarms(table: Table, game: Game) -> list[PublicAlarm]:
    """The alarms on record: those that stand with what they say now, then those that are over with what they said."""
    texts = {one.name: one.text for one in alarms(table, game)}
    standing = [name for name in texts if name in table.alarms]
    return [
        PublicAlarm(
            name=name,
            text=texts.get(name, table.alarms[name].text),
            since=table.alarms[name].since,
            over=table.alarms[name].over,
            acknowledged_by=table.alarms[name].acknowledged_by,
        )
        for name in [*standing, *(name for name in table.alarms if name not in texts)]
    ]


def unwritable(reason: str) -> Words:
    """What is said while the journal takes nothing, and afterwards of that time."""
    return words(_UNWRITABLE, reason=reason)


def held_back(size: int) -> Words:
    """What is said while a reader lets the journal's log grow, to so many megabytes."""
    return words(_HELD_BACK, size=size)


def changed(reason: str) -> Words:
    """What is said once an old part of the journal has shown not to be as it was written."""
    return words(_CHANGED, reason=reason)


def defective(input: str, where: str) -> Words:
    """What is said of an input that the station could not decide, because of a defect at a line of its own."""
    return words(_DEFECTIVE, input=input, where=where)


def _because(said: Said, reason: str) -> Words:
    english, portuguese, chinese = said
    return {"en": f"{english}: {reason}", "pt": f"{portuguese}: {reason}", "zh": f"{chinese}：{reason}"}


def _trouble(name: str, text: str) -> Words:
    device, _, trouble = name.partition("-")
    english, portuguese, chinese = DEVICES.get(device, (device, device, ""))
    in_portuguese, in_chinese = _TROUBLES.get(trouble, (text, text))
    return {
        "en": f"{english}: {text}",
        "pt": f"{portuguese}: {in_portuguese}",
        "zh": f"{chinese}：{in_chinese}" if chinese else in_chinese,
    }

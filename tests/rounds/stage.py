"""A round of a file, played: placed and dealt at the table, settled from its file, and judged by the referee."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_origin

import msgspec

from controller.engine.decisions.cards import ReportsMissed
from controller.engine.decisions.decision import DeviceInput
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.state.persons import PersonInput
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.words import sentence
from tests.disputes.rounds import bundles
from tests.engine.playing import Play
from tests.referee.bundle.verify import verify
from tests.rounds.form import Round
from tests.rounds.script import Bet, Script
from tests.rounds.scripts import SCRIPTS
from tests.rounds.seen import OF_A_RESULT, OF_A_TABLE, paid

PERSONS = {"dealer": "ana", "supervisor": "rui", "technician": "mei"}
ACT = re.compile(r"(?P<who>\w+) (?P<kind>\w+)(?P<fields>(?:, [^:]*)?)(?P<answer>: .*)?")
REFUSED = re.compile(r": refused(?: by (?P<article>.+?))?(?: because (?P<words>.+))?")


def kinds(root: type[Any]) -> dict[str, type[Any]]:
    """Every kind of input below a class, by its name in the journal."""
    found = {}
    for kind in root.__subclasses__():
        found[str(kind.__struct_config__.tag)] = kind
        found |= kinds(kind)
    return found


def parts(text: str) -> list[str]:
    """The lines of a text; a semicolon parts them too."""
    return [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]


def differ(wanted: Iterable[str], found: Iterable[str], what: str) -> None:
    """Raises AssertionError, in words, where two lists are not the same."""
    wanted, found = list(wanted), list(found)
    if wanted != found:
        shown = ["\n".join(f"  {line}" for line in lines) or "  nothing" for lines in (wanted, found)]
        raise AssertionError(f"{what}: wanted is\n{shown[0]}\nand there is\n{shown[1]}")


def shows(what: str, shown: Any, words: str) -> None:
    """The words are in one language of what the screen shows."""
    assert words in str(shown), f"the {what} is {shown}"


class Stage:
    """One round at its table."""

    def __init__(self, game: str, round: Round) -> None:
        self.round = round
        self.script: Script = SCRIPTS[game]
        self.bets = [bet for line in parts(round.bets) for bet in read_bets(line)]
        self.decisions = dict(read_place(line) for line in parts(round.decisions))
        self.play: Play = self.script.table(round.table, round.cards, self.bets)
        self.events: Sequence[Any] = ()

    def run(self) -> None:
        """From the first bet to the end that is wanted."""
        lines = parts(f"{self.round.before}\n{self.round.course}")
        if self.bets:
            self.until("wagers")
            self.script.place_bet(self.play, self.bets)
            if "lock" not in lines:
                self.script.lock(self.play)
        for line in lines:
            try:
                self.act(line)
            except Refusal as refusal:
                raise AssertionError(f"{line!r} was refused: {sentence(refusal)}") from None
            except AssertionError as wrong:
                raise AssertionError(f"{line!r}: {wrong}") from wrong
        self.end()

    # ---- the course

    def act(self, line: str) -> None:
        """One line of the course."""
        word, _, rest = line.partition(" ")
        verbs: dict[str, Callable[[str], Any]] = {
            "until": lambda text: self.until(*text.split(" or ")),
            "deal": lambda text: self.times(text, lambda: self.next("deal")),
            "turn": lambda text: self.times(text, lambda: self.next("reveal")),
            "count": lambda text: self.play.report_count(int(text)),
            "bets": lambda text: self.script.place_bet(self.play, read_bets(text)),
            "lock": lambda _: self.script.lock(self.play),
            "packet": lambda text: self.play.deal_one(count=int(text)),
            "unreported": lambda text: self.times(text, self.play.draw_unreported),
            "lost": lambda text: self.play.receive(ReportsMissed(int(text) if text else None, "reports_lost")),
            "sweep": lambda _: self.play.sweep(),
            "on": lambda text: self.times(text, self.play.proceed),
            "preparations": lambda text: differ(text.split(), self.play.preparations(), "before the next bets"),
            "then": self.then,
            "settled": lambda _: self.ended("settled"),
            "void": lambda _: self.ended(line),
            "device": lambda _: self.device(line),
            "prompt": lambda text: shows("prompt", self.play.public()["step"]["prompt"], text),
            "notice": lambda text: shows("notice", self.play.public()["notices"], text),
            "sign": lambda text: shows("sign", self.play.public()["sign"], text),
            **dict.fromkeys(PERSONS, lambda _: self.person(line)),
            **self.script.verbs(self.play),
        }
        if word not in verbs:
            raise AssertionError(f"no line begins with {word!r}; there are {', '.join(sorted(verbs))}")
        verbs[word](rest)

    def times(self, text: str, act: Callable[[], Any]) -> None:
        """So many times, once where no number is given."""
        for _ in range(int(text or 1)):
            act()

    def next(self, kind: str) -> None:
        """What is next must be this step."""
        assert self.play.step.kind == kind, f"the table waits for {self.play.step.kind}"
        self.proceed()

    def proceed(self) -> None:
        """What people and devices do next; the decisions are the round's own."""
        step = self.play.step
        if step.kind == "decisions" and f"seat {step.waiting[0]}" in self.decisions:
            seat = step.waiting[0]
            self.play.say(Decide, seat=seat, decision=self.decisions[f"seat {seat}"])
        else:
            self.play.proceed()

    def until(self, *steps: str) -> None:
        """To the first of these steps, at least to the one the table is at."""
        for _ in range(1000):
            if self.play.step.kind in steps:
                return
            self.proceed()
        raise AssertionError(f"the table does not come to {' or '.join(steps)}")

    def then(self, text: str) -> None:
        """A demand in the course: ``waits: deal bank``; a stroke parts its lines."""
        what, _, wanted = text.partition(":")
        self.demand(what, wanted.replace(" / ", "\n"))

    def device(self, line: str) -> None:
        """Something that a device reports: ``device reports_missed, count 1, gap_cause reports_lost``."""
        kind, fields, _ = read_act(line, DeviceInput)
        self.events = self.play.receive(kind(**fields))

    def person(self, line: str) -> None:
        """Something that a person enters, what is informed with a supervisor's approval; or its refusal."""
        kind, fields, answer = read_act(line, PersonInput)
        actor = PERSONS[line.partition(" ")[0]]
        if answer in (": waits", ": at once"):
            waits = self.play.would_wait(kind, **fields)
            assert waits == (answer == ": waits"), f"it {'waits' if waits else 'does not wait'} for a supervisor"
        elif refused := REFUSED.fullmatch(answer):
            refusal = self.play.refused(kind, actor, **fields)
            words = refused["words"] or ""
            if (refusal.article, words in sentence(refusal)) != (refused["article"], True):
                raise AssertionError(f"it was refused so: {sentence(refusal)}")
            if kind is Reveal and refusal.article:  # the others show how cards are written
                secret = self.script.hidden(self.play, fields["to"]) - set((fields["cards"] or "").split())
                assert not any(card in sentence(refusal) for card in secret), f"it names a card: {sentence(refusal)}"
        elif answer:
            raise AssertionError(f"{answer!r} is none of ': waits', ': at once', ': refused by …'")
        else:
            self.events = self.script.say(self.play, kind, actor, fields)

    # ---- what came of it

    def demand(self, what: str, wanted: str) -> None:
        """Something is seen at the table, line by line; words after it choose the lines that have them."""
        what, _, words = what.partition(" ")
        if what == "events":
            found: Iterable[Any] = map(tag, self.events)
        elif what == "recorded":
            found = map(recorded, self.events)
        elif what in OF_A_RESULT:
            found = OF_A_RESULT[what](self.play.report)
        elif what in (of_a_table := OF_A_TABLE | dict(self.script.seen)):
            found = of_a_table[what](self.play)
        else:
            raise AssertionError(
                f"nothing is called {what!r}: {', '.join(('events', 'recorded', *OF_A_RESULT, *of_a_table))}"
            )
        lines = [line for line in map(str, found) if f" {words} " in f" {line} " or not words]
        differ(parts(wanted), lines, f"{what} {words}".strip())

    def end(self) -> None:
        """The end that is wanted, and what is demanded of it; the file and the referee come to the same."""
        if self.round.ends != "open":
            self.ended(self.round.ends)
        for what, wanted in self.round.then.items():
            self.demand(what, wanted)
        if self.play.table.notices:
            words = str([notice.values() for notice in self.play.public()["notices"]])
            assert "{" not in words, f"a notice has no value: {words}"
        if self.play.table.round is not None:
            beyond = [draw for draw in self.play.vault if not 1 <= draw <= self.play.round.draws]
            assert not beyond, f"cards are known that were not drawn: {beyond}"
        if self.round.ends != "open":
            self.until("claims")
            self.judged()

    def ended(self, wanted: str) -> None:
        """The round comes to this end, ``settled`` or ``void 17.º 1 1)``; its file comes to the same.

        A void one is void at once.
        """
        if wanted == "settled":
            self.until("confirm")
        assert self.play.at("confirm"), f"the round has not ended: it waits for {self.play.step.kind}"
        void = self.play.round.void
        ended = "settled" if void is None else f"void {void.article}"
        assert ended == wanted, f"the round ended {ended}, not {wanted}"
        if void is None:
            self.script.settled(self.play)
            self.as_a_file()
        else:
            self.script.voided(self.play)

    def as_a_file(self) -> None:
        """`dealer-station settle` answers the round's file with the lines of the table."""
        file = self.script.file(self.play)
        if file is not None:
            text = settle_text(msgspec.json.encode(file))
            answer = self.script.answer(text)
            assert msgspec.json.encode(answer) == text, "the answer of the file is read otherwise than it is written"
            differ(paid(self.play.report), paid(self.script.result(answer)), "by the table, and by the round's file")

    def judged(self) -> None:
        """The referee, who shares nothing with the table, finds the same from the events alone."""
        for bundle in bundles(self.play.events):
            found = verify(bundle)
            assert found["verdict"] == "agrees", f"the referee: {'; '.join(found['wrong'])}"


def tag(event: Any) -> str:
    """The name of an event."""
    return str(event.__struct_config__.tag)


def recorded(event: Any) -> str:
    """What an event says: ``deck_faulted found 51 missing 1``, without what is 0, empty or no."""
    words = [tag(event)]
    for name, value in msgspec.to_builtins(event).items():
        if name != "type" and value:
            words.append(name)
            if value is not True:
                words.append(" ".join(map(str, value)) if isinstance(value, tuple) else str(value))
    return " ".join(words)


def read_place(line: str) -> tuple[str, str]:
    """A place, and the words after it: ``seat 1 fold``."""
    found = re.fullmatch(r"(seat \d+|bank|community|discard|then) ?(.*)", line)
    assert found, f"{line!r} does not begin with a place"
    return found[1], found[2]


def read_bets(line: str) -> list[Bet]:
    """The bets of a seat: ``seat 3 ante 100, pair_plus 50, chip`` or ``seat 3 eight 500 of Inês, low 100``."""
    place, rest = read_place(line)
    found = []
    for part in rest.split(", "):
        bet = re.fullmatch(r"(\w+)(?: (\d+))?(?: of (.+))?", part)
        assert bet, f"{part!r} is no bet"
        found.append(Bet(int(place.removeprefix("seat ")), bet[1], int(bet[2] or 0), bet[3]))
    return found


def read_act(line: str, root: type[Any]) -> tuple[type[Any], dict[str, Any], str]:
    """The kind of an input, its fields, and the answer that is expected."""
    act = ACT.fullmatch(line)
    assert act, "not of the form “dealer exposed, to seat 1, count 2: refused by 17.º 1”"
    known = kinds(root)
    assert act["kind"] in known, f"no input is called {act['kind']!r}"
    kind = known[act["kind"]]
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    own = {"input_id": "", "step_id": "", "actor": ""} if issubclass(kind, PersonInput) else {}
    texts: dict[str, Any] = {}
    for part in filter(None, act["fields"].split(", ")):
        name, _, value = part.partition(" ")
        assert name in types, f"{act['kind']} has no {name!r}"
        texts[name] = value.split() if get_origin(types[name]) is tuple else value
    read = msgspec.convert({"kind": act["kind"], **own, **texts}, kind, strict=False)
    return kind, {name: getattr(read, name) for name in types if name not in own}, act["answer"] or ""


def play_round(game: str, round: Round) -> None:
    """Play a round of a file. Raises AssertionError, in words, where it comes to something else than it demands."""
    try:
        stage = Stage(game, round)
    except msgspec.ValidationError as mistake:
        raise AssertionError(f"the round cannot be read: {mistake}") from None
    stage.run()

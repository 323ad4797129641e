"""A witness: it cosigns each checkpoint of a table that continues from its last cosigned one, and no other. No I/O."""

from collections.abc import Iterable
from enum import Enum, auto

import msgspec

from controller.tlog.merkle import extends
from controller.tlog.notes import BadNote, Checkpoint, Note, Signer, VerifierKey, read_addition

REFUSED = "refused"


class WitnessVerdict(Enum):
    """The outcome for a checkpoint; `WAITS` if its proof does not continue from the last cosigned one."""

    COSIGNED = auto()
    WAITS = auto()
    REFUSED = auto()


class Seen(msgspec.Struct, frozen=True):
    """The state of a table that a witness keeps: the last note it has cosigned, and a refusal that is not lifted."""

    note: str | None = None
    refusal: str | None = None


class Witness:
    """`seen` is by table, and must be on the disk before a cosignature is published. `within` is in seconds."""

    def __init__(self, signer: Signer, tables: Iterable[VerifierKey], seen: dict[str, Seen], within: float) -> None:
        self.tables = {table.name: table for table in tables}
        self.seen = {name: seen.get(name, Seen()) for name in self.tables}
        self._signer = signer
        self._within = within
        self._waits: dict[str, float] = {}  # since when a table shows what it does not prove

    @property
    def name(self) -> str:
        """The name under which it signs."""
        return self._signer.name

    @property
    def verifier(self) -> VerifierKey:
        """The key that verifies its refusals."""
        return self._signer.verifier

    def judge(self, table: str, note: str, addition: str | None, time: int, now: float) -> WitnessVerdict:
        """Cosign a checkpoint at a `time` in seconds since 1970, or refuse it; `now` is monotonic seconds."""
        try:
            note_read = Note.read(note.encode())
            self.tables[table].signed(note_read)
            wrong = self._why_not(table, Checkpoint.read(note_read.text), addition)
        except BadNote as bad:
            wrong = f"what it shows is no checkpoint of the table: {bad}"
        if wrong is None:
            self._waits.pop(table, None)
            cosigned = str(self._signer.cosign(note_read, time))
            self.seen[table] = msgspec.structs.replace(self.seen[table], note=cosigned)
            return WitnessVerdict.COSIGNED
        if not wrong:
            self._waits.setdefault(table, now)
            return WitnessVerdict.WAITS
        self._refuse(table, wrong)
        return WitnessVerdict.REFUSED

    def _why_not(self, table: str, new: Checkpoint, addition: str | None) -> str | None:
        """The reason of a refusal; empty if the proof is from another size."""
        last = self.last(table)
        if not new.origin.startswith(f"{table}/"):
            return f"its checkpoint is of {new.origin}"
        if last is None:
            return None
        if new.origin != last.origin:
            return f"it has another journal, {new.origin} instead of {last.origin}"
        if new.size < last.size:
            return f"it was rewound from {last.size} events to {new.size}"
        if new.size == last.size:
            return None if new.root == last.root else f"it was forked: {new.size} events are others than they were"
        if addition is None:
            return ""
        old, path, _ = read_addition(addition.encode())
        if old != last.size:
            return ""
        if not extends(old, last.root, new.size, new.root, path):
            return f"it was forked: its {new.size} events do not begin with the {old} that were there"
        return None

    def last(self, table: str) -> Checkpoint | None:
        """The last checkpoint that was cosigned."""
        note = self.seen[table].note
        return None if note is None else Checkpoint.read(Note.read(note.encode()).text)

    def overdue(self, now: float) -> list[str]:
        """The tables that for too long have shown a state without a proof; they are refused."""
        found = [table for table, since in self._waits.items() if now - since > self._within]
        for table in found:
            del self._waits[table]
            self._refuse(table, "it does not prove that its record continues the one that was there")
        return found

    def _refuse(self, table: str, reason: str) -> None:
        refusal = str(self._signer.sign(f"{REFUSED}\n{table}\n{reason}\n"))
        self.seen[table] = msgspec.structs.replace(self.seen[table], refusal=refusal)

    def accept(self, table: str) -> None:
        """A person has decided to cosign the next checkpoint of the table."""
        self.seen[table] = Seen()

    def reason(self, table: str) -> str | None:
        """The reason why a table is refused, until a person decides."""
        refusal = self.seen[table].refusal
        return None if refusal is None else refusal.split("\n")[2]


def refusal_of(witness: VerifierKey, note: str) -> tuple[str, str]:
    """The table that a witness has refused, and why. Raises BadNote."""
    note_read = Note.read(note.encode())
    witness.signed(note_read)
    word, table, reason, *_ = [*note_read.text.split("\n"), "", ""]
    if word != REFUSED:
        raise BadNote("it is no refusal")
    return table, reason

"""The content of the sign's memory, and the one command that brings it nearest to a wanted face. No I/O here."""

from drivers.alpha.codec import (
    AMOUNT_LABEL,
    PAGE_LABELS,
    configure_memory,
    page_room,
    run_sequence,
    write_string,
    write_text,
)


class SignMemory:
    """The memory of a sign: unknown at first; the first command, the memory configuration, clears it."""

    def __init__(self) -> None:
        self._rooms: tuple[int, ...] | None = None
        self._amount: bytes | None = None
        self._pages: list[bytes | None] = []
        self._running: int | None = None

    def next_command(self, pages: tuple[bytes, ...], amount: bytes) -> bytes | None:
        """Give the next command and take it as written; None when the sign shows the face.

        The configuration erases everything, so it comes only when the number of pages or a page's room has to change.

        >>> memory = SignMemory()
        >>> memory.next_command((b"JACKPOT",), b"600.00")
        b'E$AAU0100FF00JBL007D0000'
        >>> memory.next_command((b"JACKPOT",), b"600.00")
        b'GJ600.00'
        """
        needed = tuple(page_room(page) for page in pages)
        if self._rooms is None or len(needed) != len(self._rooms) or any(map(int.__gt__, needed, self._rooms)):
            self._rooms, self._pages = needed, [None] * len(pages)
            self._amount = self._running = None
            return configure_memory(needed)
        if self._amount is None:
            return self._write_amount(amount)
        # Pages before the next amount: a meter that runs without a pause must not hold back a win or a fault.
        for n, page in enumerate(pages):
            if page != self._pages[n]:
                self._pages[n] = page
                return write_text(PAGE_LABELS[n], page)
        if self._running != len(pages):
            self._running = len(pages)
            return run_sequence(len(pages))
        return self._write_amount(amount) if amount != self._amount else None

    def _write_amount(self, amount: bytes) -> bytes:
        self._amount = amount
        return write_string(AMOUNT_LABEL, amount)

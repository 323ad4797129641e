"""The common part of the two threads that work on a journal while its station runs."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable


class Background(ABC):
    """A thread that works in slices and returns between two of them once `_stopping` is set.

    An unexpected error ends it, and `on_defect` is called, in the thread.
    """

    def __init__(self, name: str, on_defect: Callable[[Exception], None]) -> None:
        self._on_defect = on_defect
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, within a slice."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        try:
            self._run()
        except Exception as defect:
            self._on_defect(defect)

    @abstractmethod
    def _run(self) -> None: ...

"""What both threads have that work on a journal beside its station."""

import threading
from abc import ABC, abstractmethod


class Background(ABC):
    """A thread whose work has slices: where `_stopping` is set between two of them, it returns."""

    def __init__(self, name: str) -> None:
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, within a slice."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    @abstractmethod
    def _run(self) -> None: ...

"""A TCP relay to a broker that falls silent: its connections stay open, and nothing comes through them any more."""

import asyncio
import threading
from typing import Self


class SilentProxy:
    """Relays to `target` on the loopback interface from a thread of its own, so that processes can use it too."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._silent: asyncio.Event | None = None  # of the connections there are
        self._lets_in = True
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self.port: int = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def silence(self, lets_in: bool = True) -> None:
        """Drop what comes through the present connections, and close none; `lets_in` whether new ones are relayed."""
        asyncio.run_coroutine_threadsafe(self._fall_silent(lets_in), self._loop).result()

    async def _fall_silent(self, lets_in: bool) -> None:
        assert self._silent is not None
        self._silent.set()
        self._silent, self._lets_in = asyncio.Event(), lets_in

    async def _listen(self) -> int:
        self._silent = asyncio.Event()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _close(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        silent = self._silent
        assert silent is not None
        if not self._lets_in:
            silent.set()
        to_read, to_write = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers.add(to_write)
        for source, sink in ((reader, to_write), (to_read, writer)):
            task = asyncio.create_task(_relay(source, sink, silent))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


async def _relay(source: asyncio.StreamReader, sink: asyncio.StreamWriter, silent: asyncio.Event) -> None:
    try:
        while octets := await source.read(65_536):
            if not silent.is_set():
                sink.write(octets)
                await sink.drain()
    except ConnectionError:
        pass
    if not silent.is_set():
        sink.close()

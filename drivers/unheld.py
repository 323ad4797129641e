"""A blocking call in a thread of its own that delays neither a cancelled task nor the end of the process.

A process waits at its end for the threads of asyncio's own executor, and a resolver without an answer blocks for long.
"""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

_Result = TypeVar("_Result")


async def unheld(call: Callable[[], _Result], late: Callable[[_Result], None], name: str) -> _Result:
    """Runs `call`. If no one waits for its result any more, `late` gets it, in that thread."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[_Result] = loop.create_future()
    turn = threading.Lock()
    abandoned = False

    def give(result: _Result | None, failure: BaseException | None) -> None:
        if answer.done():  # cancelled in this very turn of the loop
            if failure is None:
                late(result)  # type: ignore[arg-type]
        elif failure is not None:
            answer.set_exception(failure)
        else:
            answer.set_result(result)  # type: ignore[arg-type]

    def work() -> None:
        result, failure = None, None
        try:
            result = call()
        except BaseException as error:
            failure = error
        with turn:
            if not abandoned:
                try:
                    loop.call_soon_threadsafe(give, result, failure)
                    return
                except RuntimeError:  # the loop has closed
                    pass
        if failure is None:
            late(result)  # type: ignore[arg-type]

    threading.Thread(target=work, name=name, daemon=True).start()
    try:
        return await answer
    except asyncio.CancelledError:
        with turn:
            abandoned = True
        if answer.done() and not answer.cancelled() and answer.exception() is None:
            late(answer.result())  # it came together with the cancellation
        raise

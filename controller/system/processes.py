"""Runs the parts of a long job in several processes; results come in any order."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

Part = TypeVar("Part")
Done = TypeVar("Done")


def spread(work: Callable[[Part], Done], parts: Sequence[Part], processes: int) -> Iterator[tuple[Part, Done]]:
    """Each part with its result of `work`, as they finish; with one process, in this process and in order.

    `work` is a function of a module; parts and results can be pickled. Anyone who stops early, by an
    exception or Ctrl-C, stops the processes too. Raises BrokenProcessPool where one of them dies.
    """
    if processes == 1 or len(parts) < 2:
        for part in parts:
            yield part, work(part)
        return
    with _processes(min(processes, len(parts))) as pool:
        part_of = {pool.submit(work, part): part for part in parts}
        for done in as_completed(part_of):
            yield part_of[done], done.result()


def beside(
    work: Callable[[Part], Done], first: Part, others: Sequence[Part], here: Callable[[Part], Done]
) -> list[Done]:
    """The result of `work` for each part, in their order: the first `here` in the calling process, the others each in
    its own process.

    Otherwise as `spread`.
    """
    if not others:
        return [here(first)]
    with _processes(len(others)) as pool:
        waiting = [pool.submit(work, part) for part in others]
        return [here(first), *(future.result() for future in waiting)]


@contextmanager
def _processes(count: int) -> Iterator[ProcessPoolExecutor]:
    others = set(multiprocessing.active_children())
    # A fresh interpreter for each: a fork would copy the threads of a progress bar in whatever state they are.
    fresh = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, fresh, _leave_ctrl_c_to_the_caller)
    try:
        yield pool
    except BaseException as error:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise BrokenProcessPool("a process of this run died, probably out of memory") from None
        raise
    pool.shutdown()


def _leave_ctrl_c_to_the_caller() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

"""Runs named tests in forks of one interpreter that has pytest loaded, each time with another rule broken.

`python -m tests.law.broken_run` in a copy of the tree. It reads one JSON object a line, `{"file", "old", "new",
"tests"}`, changes the file so, runs the tests, puts it back, and answers one line; a `file` of null breaks nothing.
The answer: `{"verdicts": {test: verdict}, "output": text}`; a verdict is "passed", "failed", or what else happened.
"""

import importlib
import io
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

import hypothesis
import pytest

LONGEST_RUN_SECONDS = 1800.0
MOST_PROCESSOR_SECONDS = 240  # of a run; a busy machine is no broken rule
# What may be raised where a rule is broken: anything else is a program that is broken, not its rule.
NOTICED = (AssertionError, pytest.fail.Exception)

SAME, SEEDED = "law", "law-seeded"  # profiles: each test draws the same each time, or with the seed of the options
for name, same in ((SAME, True), (SEEDED, False)):
    hypothesis.settings.register_profile(
        name,
        max_examples=150,
        derandomize=same,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    )


class Verdicts:
    """A pytest plugin: what became of each test, its parameters taken together; the first failure decides."""

    def __init__(self) -> None:
        self.of: dict[str, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self.of.get(_test_of(item.nodeid), "passed") != "passed":
            pytest.skip("the test has failed with other parameters")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        report = yield
        verdict = "passed" if report.when == "call" and report.passed else None
        if report.failed:
            verdict = "failed" if report.when == "call" and call.excinfo and _noticed(call.excinfo.value) else None
            verdict = verdict or f"broke in its {report.when}: {call.excinfo and call.excinfo.exconly()}"[:400]
        elif report.skipped:
            verdict = "skipped"
        if verdict and self.of.get(_test_of(item.nodeid), "passed") == "passed":
            self.of[_test_of(item.nodeid)] = verdict
        return report


def _test_of(nodeid: str) -> str:
    return nodeid.partition("[")[0]


def _noticed(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(map(_noticed, error.exceptions))
    if str(error).startswith("Timeout "):  # pytest-timeout fails a test as the test itself would
        return False
    return isinstance(error, NOTICED) or type(error).__module__.startswith("controller.")


def run(copy: Path, file: str | None, tests: list[str]) -> dict[str, Any]:
    """Runs the tests in this process, which must not have loaded anything of the tree; answers as the module says."""
    loaded = sorted(name for name in sys.modules if name.split(".")[0] in ("controller", "drivers", "simulators"))
    assert not loaded, f"loaded before the rule was broken: {loaded}"
    hypothesis.settings.load_profile(SAME)
    verdicts = Verdicts()
    # pytest would rewrite the assertions of its plugins, which are loaded already.
    quiet = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    arguments = ["-q", "-p", "no:cacheprovider", "--timeout", "900", *quiet, *tests]
    with redirect_stdout(io.StringIO()) as output, redirect_stderr(output):
        pytest.main(arguments, plugins=[verdicts])
    found = {test: verdicts.of.get(test, "was not run") for test in tests}
    foreign = [name for name, path in _sources("controller") if not path.is_relative_to(copy)]
    assert not foreign, f"not of the copy: {foreign}"
    if file and not any(path == copy / file for _, path in _sources("controller", "drivers", "simulators", "tests")):
        found = {test: f"{verdict}, and never loaded {file}" for test, verdict in found.items()}
    return {"verdicts": found, "output": output.getvalue()[-4000:]}


def _sources(*packages: str) -> list[tuple[str, Path]]:
    files = ((name, getattr(module, "__file__", None)) for name, module in list(sys.modules.items()))
    return [(name, Path(file)) for name, file in files if file and name.split(".")[0] in packages]


def in_a_fork(copy: Path, file: str | None, tests: list[str]) -> dict[str, Any]:
    """What `run` answers in a child of this process; a child that dies or hangs is every test's verdict."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_PROCESSOR_SECONDS, MOST_PROCESSOR_SECONDS))
        try:
            own = run(copy, file, tests) | {"modules": list(sys.modules)}
        except BaseException:
            own = _nothing_but("could not be run", tests, traceback.format_exc())
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(own).encode())
        os._exit(0)
    os.close(writing)
    output = _read_until(reading, time.monotonic() + LONGEST_RUN_SECONDS)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if not output:
        return _nothing_but("died or took too long", tests)
    answer: dict[str, Any] = json.loads(output)
    return answer


def _nothing_but(verdict: str, tests: list[str], output: str = "") -> dict[str, Any]:
    return {"verdicts": dict.fromkeys(tests, verdict), "output": output, "modules": []}


def _read_until(reading: int, until: float) -> bytes:
    output = b""
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
            more = pipe.read(1 << 16)
            if not more:
                return output
            output += more
    return b""


class Copy:
    """A copy of the tree in which rules are broken; each broken file is newer than any before it.

    The time of a file is in the name of its compiled form alone up to a second, so that two rules broken in one second
    could be taken for one another.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._broken = 0

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Breaks what is asked, runs the tests, and puts the file back as it was."""
        if asked["file"] is None:
            return in_a_fork(self.root, None, asked["tests"])
        path = self.root / asked["file"]
        before, times = path.read_bytes(), path.stat()
        self._broken += 1
        try:
            path.write_bytes(before.replace(asked["old"].encode(), asked["new"].encode()))
            os.utime(path, (times.st_atime, times.st_mtime + 10 * self._broken))
            return in_a_fork(self.root, asked["file"], asked["tests"])
        finally:
            path.write_bytes(before)
            os.utime(path, (times.st_atime, times.st_mtime))


def load_what_the_tests_load(modules: list[str], root: Path) -> None:
    """Loads everything foreign among these modules, so that no later fork has to, in the order in which a test did.

    `_asyncio` loaded before `asyncio` leaves an interpreter in which no task is the current one.
    """
    for name in modules:
        if name.split(".")[0] not in ("controller", "drivers", "simulators", "tests", "__main__"):
            with suppress(Exception):
                module = importlib.import_module(name)
                path = getattr(module, "__file__", None)
                if path and Path(path).is_relative_to(root):
                    del sys.modules[name]


def main() -> None:
    """Answers line by line until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    copy = Copy(Path.cwd())
    for line in sys.stdin:
        answer = copy.answer(json.loads(line))
        load_what_the_tests_load(answer.pop("modules", []), copy.root)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python
"""Coverage-guided fuzzing of the target that the variable FUZZ_TARGET names; the arguments are libFuzzer's.

It is a script because libFuzzer starts its program again, without our arguments, to merge a corpus. It needs atheris,
which `make fuzz` brings; the tests play the kept corpus without it.
"""

import logging
import os
import sys
import warnings

import atheris

warnings.simplefilter("ignore")
logging.disable()  # the console says in the log what was wrong with a request

with atheris.instrument_imports(include=["controller", "drivers", "h11", "uvicorn", "starlette"]):
    from tests.fuzz.targets import TARGETS

atheris.Setup(sys.argv, TARGETS[os.environ["FUZZ_TARGET"]])
atheris.Fuzz()

"""`dealer-station` whose drivers wait longer for a device: on a busy computer a played recording answers late."""

import os
import sys
from functools import partial

from drivers.adu218 import slots
from drivers.adu218.wire import AduTiming
from drivers.angel_eye import shoe
from drivers.angel_eye.dialogue import ShoeTiming
from drivers.shuffler_link import shuffler

slots.Slots = partial(slots.Slots, timing=AduTiming(answer=5.0, silence=5.0))  # type: ignore[misc, assignment]
shoe.AngelEye = partial(shoe.AngelEye, timing=ShoeTiming(answer=float(os.environ.get("SHOE_ANSWER_SECONDS", 4.0))))  # type: ignore[misc, assignment]
shuffler.Shuffler = partial(shuffler.Shuffler, hello_wait_seconds=8.0)  # type: ignore[misc, assignment]

if __name__ == "__main__":
    from controller.__main__ import main

    sys.exit(main())

"""Each assertion is true of a sound device, and false for a defect that no other assertion notices."""

from collections.abc import Callable
from typing import Any

import pytest

from drivers.device import DeviceName
from drivers.kit.assertion import Assertion
from drivers.kit.proof import ASSERTIONS
from tests.kit.matrix import KINDS, killed, proved

ALL = [(kind, assertion) for kind in KINDS for assertion in ASSERTIONS[kind]]


@pytest.mark.parametrize(("kind", "assertion"), ALL, ids=lambda it: getattr(it, "id", it))
def test_it_is_true_of_a_sound_device(kind: DeviceName, assertion: Assertion) -> None:
    assert proved(kind, assertion).reason == ""


@pytest.mark.parametrize(
    ("kind", "assertion", "defect"),
    [(kind, *pair) for kind in KINDS for pair in zip(ASSERTIONS[kind], KINDS[kind].defects, strict=True)],
    ids=lambda it: getattr(it, "id", getattr(it, "__name__", it)),
)
def test_it_is_false_for_its_defect(kind: DeviceName, assertion: Assertion, defect: Callable[[Any], None]) -> None:
    assert proved(kind, assertion, defect).reason


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_no_other_assertion_notices_its_defect(kind: DeviceName) -> None:
    noticed = killed(kind)
    assert {defect: by for defect, by in noticed.items() if len(by) != 1} == {}
    assert [by[0] for by in noticed.values()] == [assertion.id for assertion in ASSERTIONS[kind]]

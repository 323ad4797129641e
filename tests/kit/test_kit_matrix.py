"""Each assertion is true of a sound device, and false for a defect that no other assertion notices."""

import pytest

from drivers.device import DeviceName
from drivers.kit.assertion import Assertion
from drivers.kit.proof import ASSERTIONS
from tests.kit.matrix import KINDS, killed, proved

ALL = [(kind, assertion) for kind in KINDS for assertion in ASSERTIONS[kind]]


@pytest.mark.parametrize(("kind", "assertion"), ALL, ids=lambda it: getattr(it, "id", it))
def test_it_is_true_of_a_sound_device(kind: DeviceName, assertion: Assertion) -> None:
    assert proved(kind, assertion).reason == ""


@pytest.mark.parametrize("kind", KINDS)
def test_each_defect_is_noticed_by_one_assertion_alone(kind: DeviceName) -> None:
    noticed = killed(kind)
    assert {defect: by for defect, by in noticed.items() if len(by) != 1} == {}
    assert sorted(by[0] for by in noticed.values()) == sorted(assertion.id for assertion in ASSERTIONS[kind])

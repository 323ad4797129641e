"""The devices of a running table: their reports, and the state that each should have."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

from controller.engine.decisions.betting import LockIn
from controller.engine.outcomes import OutcomeOfAll
from controller.engine.state.persons import PersonInput
from controller.journal.records import DeviceMark
from controller.rulebook.parts.faults import DeviceName
from controller.runtime.bus import Bus, Committed, FromWire
from controller.runtime.clock import Clock
from controller.runtime.loop import TableLoop
from controller.runtime.translation import Translator
from controller.runtime.view import View
from controller.runtime.workbench import Trials, Workbench
from controller.telemetry.metrics import Metrics
from drivers.device import Device, DeviceMessage, Mark
from drivers.messages import LinkLost, LinkUp, NoiseReceived


class Devices:
    """Brings each device to the state that the table requires, or that a test on the workbench requires meanwhile."""

    def __init__(
        self,
        devices: Mapping[DeviceName, Device],
        translator: Translator,
        table: TableLoop,
        view: View,
        clock: Clock,
        metrics: Metrics,
        bus: Bus,
    ) -> None:
        self.by_name = dict(devices)
        self._translator, self._table, self._view = translator, table, view
        self._metrics, self._bus = metrics, bus
        self.workbench = Workbench(
            now=lambda: clock.stamp().time,
            is_closed=lambda: not table.table.open,
            trials=self._trials,
            order=self.order,
            later=lambda seconds, then: asyncio.get_running_loop().call_later(seconds, then),
        )

    def tasks(self, group: asyncio.TaskGroup) -> Iterator["asyncio.Task[None]"]:
        """A task for each device, which owns its link."""
        for name, device in self.by_name.items():
            yield group.create_task(device.run(self.receive), name=name)

    def receive(self, message: DeviceMessage) -> None:
        """Count what a device reports, and give it to the table."""
        match message.message:
            case LinkUp() | LinkLost():
                self._metrics.device_up.labels(message.device).set(isinstance(message.message, LinkUp))
            case NoiseReceived(count=count):
                self._metrics.noise.labels(message.device).inc(count)
        self.workbench.receive(message.device, message.message)
        mark = message.mark
        kept = DeviceMark(device=message.device, boot=mark.boot, sequence=mark.sequence) if mark else None
        self._bus.publish(FromWire(message.device, message.message, kept))

    def order(self) -> None:
        """Orders each device to show its present state."""
        orders = self._translator.orders(self._view.effects)
        wanted = {name: order for name, order in orders.items() if name in self.by_name}
        for name, order in self.workbench.orders(wanted).items():
            self.by_name[name].order(order)

    def committed(self, committed: Committed) -> None:
        """The messages up to the marks are durable, and the table may need other device states."""
        for mark in committed.marks:
            self.by_name[mark.device].durable(Mark(boot=mark.boot, sequence=mark.sequence))
        if committed.events:
            self.order()

    async def answer(self, inputs: list[PersonInput]) -> OutcomeOfAll:
        """Decides a person's inputs. Before the betting closes, it reads the chips in the slots."""
        if any(isinstance(input, LockIn) for input in inputs):
            for device in self.by_name.values():
                await device.read_again()
        return await self._table.answer(inputs)

    def _trials(self) -> Trials:
        found: dict[str, tuple[DeviceName, Any]] = self._translator.trials(self._view.effects)
        return {what: trial for what, trial in found.items() if trial[0] in self.by_name}

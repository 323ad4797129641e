"""A station of the bare minimum: enough HTTP and wire for the robot dealer to play against."""

import asyncio
import binascii
import json
import os
import re
import struct
import threading
import tomllib
from pathlib import Path
from typing import Any

import usb.core
from cobs import cobs

from simulators.usb_backend import open_backend
from tests.simulators.fake_other_games import FakeFortune8, FakeTable2008
from tests.simulators.fake_pai_kao import FakePaiKao
from tests.simulators.fake_table import FakeTable, Refused


def shuffler_frame(kind: int, payload: bytes) -> bytes:
    """A frame to the shuffler, made without the simulator's codec."""
    body = bytes([1, kind, 0, 0]) + payload
    encoded: bytes = cobs.encode(body + struct.pack(">H", binascii.crc_hqx(body, 0xFFFF)))
    return encoded + b"\0"


def shuffler_messages(pieces: list[bytes]) -> list[tuple[int, int, bytes]]:
    """Kind, sequence and payload of each COBS piece; every piece must be good."""
    messages = []
    for piece in filter(None, pieces):
        body = cobs.decode(piece)
        assert body[0] == 1 and binascii.crc_hqx(body[:-2], 0xFFFF) == int.from_bytes(body[-2:], "big")
        messages.append((body[1], int.from_bytes(body[2:4], "big"), body[4:-2]))
    return messages


def shoe_command(letters: bytes) -> bytes:
    """`LK01` and the like, made without the simulator's codec."""
    body = b"\x02OP" + letters + b"\x03"
    check = 0
    for byte in body:
        check ^= byte
    return body + b"%02X" % check


def table_of(setting: dict[str, Any], devices: dict[str, Any]) -> FakeTable:
    """The table of the game that a station.toml has in [table]."""
    seats, source = setting["seats"], setting["card_source"]
    match setting["game"]:
        case "taiwan-pai-kao":
            return FakePaiKao(seats, "shoe" in devices)
        case "fortune-8":
            return FakeFortune8(seats, source, setting["decks"], setting["deal"])
        case "fortune-3-card-poker-2008":
            return FakeTable2008(seats, source)
    return FakeTable(seats, source)


class FakeStation:
    """Its table is durable: `kill` and `start` lose only connections."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        setting = tomllib.loads((directory / "station.toml").read_text())
        host, _, port = setting["console"]["listen"].rpartition(":")
        self.address = (host, int(port))
        self.table = table_of(setting["table"], setting["devices"])
        self.has_slots = "slots" in setting["devices"]
        self.sources = [name for name in ("shuffler", "shoe") if name in setting["devices"]]
        self.version = 1
        self.answers: dict[str, Any] = {}
        self.refuse_once: set[str] = set()
        self.deaf_shuffler = False  # orders are no longer given: a machine that does not answer
        self.posts = 0
        self.by_person = True  # every post came from the person of a test
        self.mark = (0, 0)
        self.last_report = b""
        self.server: asyncio.Server | None = None
        self.serving: dict[asyncio.Task[Any], asyncio.StreamWriter] = {}
        self.changed = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    # life and death

    async def start(self) -> None:
        self.server = await asyncio.start_server(self._serve, *self.address)
        self.ports = {name: os.open(self.directory / name, os.O_RDWR | os.O_NONBLOCK) for name in self.sources}
        self.rest = {"shuffler": b"", "shoe": b""}
        loop = asyncio.get_running_loop()
        if "shoe" in self.ports:
            loop.add_reader(self.ports["shoe"], self._shoe_readable)
        if "shuffler" in self.ports:
            loop.add_reader(self.ports["shuffler"], self._shuffler_readable)
            os.write(self.ports["shuffler"], shuffler_frame(0x82, struct.pack(">IH", *self.mark)))
        self.stopping = threading.Event()
        self.tasks = [
            asyncio.create_task(self._repeat_orders()),
            *([asyncio.create_task(asyncio.to_thread(self._slots, loop))] if self.has_slots else []),
        ]

    async def kill(self) -> None:
        assert self.server
        self.server.close()
        self.changed.set()
        for writer in self.serving.values():
            writer.transport.abort()
        if self.serving:
            await asyncio.wait(self.serving, timeout=1)
        loop = asyncio.get_running_loop()
        for port in self.ports.values():
            loop.remove_reader(port)
            os.close(port)
        self.stopping.set()
        self.tasks[0].cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def commit(self) -> None:
        """The table has changed: everybody sees it, the machines get their orders."""
        self.version += 1
        self.changed.set()
        self._send_order()

    # wires

    def _send_order(self) -> None:
        step = self.table.step
        if self.table.source == "shuffler" and "order" in step and not self.deaf_shuffler:
            order = struct.pack(">I", step["order"])
            shuffle = step["kind"] == "shuffle"
            frame = shuffler_frame(0x83, order) if shuffle else shuffler_frame(0x84, order + b"\3")
            os.write(self.ports["shuffler"], frame)
        if self.table.source == "shoe" and "shoe" in self.ports:
            os.write(self.ports["shoe"], shoe_command(b"LK01" if step["kind"] == "deal" else b"LK02"))

    async def _repeat_orders(self) -> None:
        while True:
            self._send_order()
            await asyncio.sleep(0.1)

    def _shuffler_readable(self) -> None:
        *pieces, self.rest["shuffler"] = (self.rest["shuffler"] + os.read(self.ports["shuffler"], 65536)).split(b"\0")
        for kind, sequence, payload in shuffler_messages(pieces):
            if kind == 0x01:
                boot = int.from_bytes(payload[:4], "big")
                if boot != self.mark[0]:
                    self.mark = (boot, 1)
                continue
            if sequence == self.mark[1]:
                self.mark = (self.mark[0], (sequence + 1) % 65536)
                self._shuffler_said(kind, payload)
                self.commit()
            os.write(self.ports["shuffler"], shuffler_frame(0x81, struct.pack(">H", (self.mark[1] - 1) % 65536)))

    def _shuffler_said(self, kind: int, payload: bytes) -> None:
        if kind == 0x04:
            self.table.shuffle_heard(int.from_bytes(payload[4:6], "big"))
        elif kind == 0x05:
            self.table.cards_heard(int.from_bytes(payload[:4], "big"), payload[4])
        elif kind == 0x06:
            self.table.cards_heard(None, 1) if payload != b"\xff" else self.table.card_unread()
        elif kind == 0x07:
            self.table.inserted()
        elif kind == 0x0B:
            self.table.jam_heard()

    def _shoe_readable(self) -> None:
        self.rest["shoe"] += os.read(self.ports["shoe"], 65536)
        while match := re.search(rb"\x05.([A-Za-z])[\x80-\xff]*\x03..", self.rest["shoe"], re.DOTALL):
            frame, self.rest["shoe"] = match[0], self.rest["shoe"][match.end() :]
            if frame[2:3] in b"DEdC" and frame != self.last_report:
                self.last_report = frame
                self._shoe_said(frame[2:3])
                self.commit()

    def _shoe_said(self, code: bytes) -> None:
        if code == b"E":
            self.table.card_unread()
            os.write(self.ports["shoe"], shoe_command(b"EC01"))
        elif code == b"C":
            self.table.cut_card_heard()
        else:
            self.table.cards_heard(None, 1)

    def _slots(self, loop: asyncio.AbstractEventLoop) -> None:
        """Poll the ADU218 with pyusb, as the real driver must."""
        device = usb.core.find(
            backend=open_backend(str(self.directory / "usb.sock")), idVendor=0x0A07, idProduct=0x00DA
        )
        if device.is_kernel_driver_active(0):
            device.detach_kernel_driver(0)
        device.set_configuration()
        before: int | None = None
        lit: bool | None = None
        while not self.stopping.wait(0.002):
            device.write(0x01, b"\x01PI".ljust(8, b"\0"))
            levels = int(bytes(device.read(0x81, 8, 200))[1:4])
            if levels != before:
                loop.call_soon_threadsafe(self._levels, levels, before)
            before = levels
            wanted = self.table.locked and not self.table.confirmed
            if lit != wanted:
                lit = wanted
                device.write(0x01, (b"\x01SK7" if lit else b"\x01RK7").ljust(8, b"\0"))
        usb.util.dispose_resources(device)

    def _levels(self, levels: int, before: int | None) -> None:
        for number in range(self.table.seats):
            if before is None or (levels ^ before) >> number & 1:
                self.table.chip(number + 1, bool(levels >> number & 1))
        if before is not None and levels & 128 and not before & 128:
            self.table.lock()
        self.commit()

    # HTTP

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self.serving[task] = writer
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                if head.startswith("GET /stream"):
                    await self._stream(writer)
                if head.startswith("GET /table"):
                    self._answer(writer, 200, self._projection())
                    continue
                length = int(head.lower().split("content-length:")[1].split("\r\n")[0])
                status, body = self._post(json.loads(await reader.readexactly(length)))
                self._answer(writer, status, body)
        except (OSError, EOFError):
            pass
        finally:
            writer.close()
            del self.serving[task]

    def _answer(self, writer: asyncio.StreamWriter, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content)

    def _projection(self) -> dict[str, Any]:
        about = {"schema": 1, "mode": "simulation", "journal": "j", "version": self.version, "as_of": self.version}
        return about | self.table.projection()

    def _post(self, items: list[dict[str, Any]]) -> tuple[int, dict[str, Any]]:
        self.posts += 1
        self.by_person &= items[0]["input_id"].startswith("person-")
        if items[0]["input_id"] in self.answers:
            return 200, self.answers[items[0]["input_id"]]
        if items[0]["kind"] in self.refuse_once:
            self.refuse_once.remove(items[0]["kind"])
            return 422, {"error": "refused", "who": "seat 1", "reason": "as told", "article": "4.º 3"}
        first_step = self.table.step["id"]
        for item in items:
            if item["step_id"] == first_step:
                item["step_id"] = self.table.step["id"]
            try:
                if stale := self.table.take(item):
                    return 409, {"error": "stale_step", "step_id": stale}
            except Refused as refused:
                return 422, {"error": "refused", "who": "", "reason": refused.reason, "article": refused.article}
        as_of = self.version + 1
        answer = {"answers": [{"input_id": item["input_id"], "accepted": True, "as_of": as_of} for item in items]}
        # Kept with what was taken: a kill breaks the commit off at its orders.
        self.answers[items[0]["input_id"]] = answer
        self.commit()
        return 200, answer

    async def _stream(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        sent = 0
        while not writer.is_closing():
            if sent != self.version:
                sent = self.version
                event = b"data: " + json.dumps(self._projection()).encode() + b"\n\n"
                writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
                await writer.drain()
            self.changed.clear()
            await self.changed.wait()
        raise EOFError

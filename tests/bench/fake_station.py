"""A station of the bare minimum: enough HTTP and wire for the robot dealer to play against."""

import asyncio
import binascii
import json
import os
import struct
import threading
import tomllib
from pathlib import Path
from typing import Any

import usb.core
from cobs import cobs

from simulators.usb_backend import open_backend


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


class FakeStation:
    """Its state is durable: `kill` and `start` lose only connections. Every bet is a push."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        setting = tomllib.loads((directory / "station.toml").read_text())
        host, _, port = setting["console"]["listen"].rpartition(":")
        self.address = (host, int(port))
        self.seats = setting["table"]["seats"]
        self.from_shoe = setting["table"]["card_source"] == "shoe"
        self.version = 1
        self.open = False
        self.round_id = 0
        self.order = 100
        self.plan: list[tuple[str, Any]] = [("open", None)]
        self.wagers: dict[str, dict[str, int]] = {}
        self.dealt: list[dict[str, Any]] = []
        self.decisions: dict[str, str] = {}
        self.shown: list[str] = []
        self.hits: list[dict[str, Any]] = []
        self.hit_in_round: int | None = None
        self.answers: dict[str, Any] = {}
        self.refuse_once: set[str] = set()
        self.posts = 0
        self.mark = (0, 0)
        self.lamp_wanted = False
        self.server: asyncio.Server | None = None
        self.serving: dict[asyncio.Task[Any], asyncio.StreamWriter] = {}
        self.changed = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    # life and death

    async def start(self) -> None:
        self.server = await asyncio.start_server(self._serve, *self.address)
        self.ports = {name: os.open(self.directory / name, os.O_RDWR | os.O_NONBLOCK) for name in ("shuffler", "shoe")}
        self.rest = {"shuffler": b"", "shoe": b""}
        loop = asyncio.get_running_loop()
        loop.add_reader(self.ports["shuffler"], self._shuffler_readable)
        loop.add_reader(self.ports["shoe"], self._shoe_readable)
        os.write(self.ports["shuffler"], shuffler_frame(0x82, struct.pack(">IH", *self.mark)))
        self.stopping = threading.Event()
        self.tasks = [
            asyncio.create_task(self._repeat_orders()),
            asyncio.create_task(asyncio.to_thread(self._slots, loop)),
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

    # the round

    @property
    def step(self) -> dict[str, Any]:
        kind, what = self.plan[0]
        step: dict[str, Any] = {"id": f"{self.round_id}/{kind}/{len(self.plan)}", "kind": kind, "prompt": {"en": kind}}
        if kind in ("deal", "reveal"):
            step["to"] = what if isinstance(what, list) else [what]
        if kind in ("deal", "shuffle") and not self.from_shoe:
            step["order"] = self.order
        if kind == "decisions":
            step["waiting"] = what
        return step

    def _advance(self) -> None:
        self.plan.pop(0)
        if not self.plan:
            self.plan = [("begin", None)]
            self.lamp_wanted = False
        if self.plan[0][0] in ("shuffle", "deal"):
            self.order += 1
            self._send_order()
        self._commit()

    def _commit(self) -> None:
        self.version += 1
        self.changed.set()

    def _lock(self) -> None:
        """Betting is closed: what is to come is known."""
        if self.plan[0][0] != "wagers" or not self.wagers:
            return
        places = [f"seat {seat}" for seat in sorted(self.wagers)]
        if self.from_shoe:
            deals = [("deal", [place]) for place in places * 3 + ["bank"] * 3 + ["community"] * 2]
        else:
            deals = [("deal", [place] * 3) for place in [*places, "bank"]] + [
                ("deal", ["discard", "community", "community"])
            ]
        asked = [int(seat) for seat, wagers in self.wagers.items() if "ante" in wagers]
        decisions: list[tuple[str, Any]] = [("decisions", asked)] if asked else []
        rest: list[tuple[str, Any]] = [("reveal", "bank"), ("reveal", "community"), ("confirm", None), ("claims", None)]
        self.plan = [("wagers", None), *deals, *decisions, *rest]
        self.lamp_wanted = True
        self._advance()

    def _heard_packet(self, order: int) -> None:
        if self.plan[0][0] == "deal" and order == self.order:
            self.dealt.append({"order": order, "to": self.plan[0][1]})
            self._advance()

    def _settlement(self) -> dict[str, Any]:
        lines = {}
        for seat, wagers in self.wagers.items():
            laid = dict(wagers)
            if self.decisions.get(seat) == "play":
                laid["play"] = wagers["ante"]
            lines[seat] = {
                "lines": [
                    {"wager": wager, "stake": stake, "outcome": "push", "net": 0} for wager, stake in laid.items()
                ]
            }
        return {"outcome": "settled", "seats": lines}

    def take(self, item: dict[str, Any]) -> dict[str, Any] | None:
        """Apply an input; the refusal, if any."""
        kind, step = item["kind"], self.step
        expected = f"hit/{item['hit']}" if kind == "confirm_hit" else step["id"]
        if item["step_id"] != expected:
            return {"error": "stale_step", "step_id": step["id"]}
        match kind:
            case "open_table" | "confirm" | "close_claims" | "reveal" | "shuffled":
                if kind == "reveal":
                    assert [item["to"]] == step["to"]
                    self.shown.append(item["to"])
                if kind == "confirm" and self.hit_in_round == self.round_id:
                    self.hits = [{"hit": 1, "seat": int(min(self.wagers)), "amount": 777, "state": "payable"}]
                    self.hits[0]["confirmed_by"] = []
                self.open = True
                self._advance()
            case "close_table":
                self.open = False
                self.plan = [("open", None)]
                self._commit()
            case "begin_round":
                self.round_id += 1
                self.wagers, self.dealt, self.decisions, self.shown = {}, [], {}, []
                self.plan = [("begin", None), ("shuffle", None), ("wagers", None)]
                self._advance()
            case "wager":
                self.wagers.setdefault(str(item["seat"]), {})[item["wager"]] = item["amount"]
                self._commit()
            case "decide":
                self.decisions[str(item["seat"])] = item["decision"]
                if len(self.decisions) == len(self.plan[0][1]):
                    self._advance()
            case "confirm_hit":
                self.hits[0]["confirmed_by"].append(item["actor"])
                if len(self.hits[0]["confirmed_by"]) == 2:
                    self.hits[0]["state"] = "paid"
                self._commit()
            case other:
                raise AssertionError(other)
        return None

    def projection(self) -> dict[str, Any]:
        return {
            "schema": 1, "mode": "simulation", "journal": "j", "version": self.version, "as_of": self.version,
            "open": self.open, "step": self.step, "jackpot": {"hits": self.hits},
            "round": {
                "id": self.round_id, "phase": self.step["kind"], "dealt": self.dealt, "wagers": self.wagers,
                "settlement": self._settlement() if self.step["kind"] == "confirm" else None,
            } if self.step["kind"] not in ("open", "begin") else None,
        }  # fmt: skip

    # wires

    def _send_order(self) -> None:
        kind = self.plan[0][0]
        if not self.from_shoe and kind in ("shuffle", "deal"):
            order = struct.pack(">I", self.order)
            os.write(
                self.ports["shuffler"],
                shuffler_frame(0x83, order) if kind == "shuffle" else shuffler_frame(0x84, order + b"\3"),
            )

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
                if kind == 0x04 and self.plan[0][0] == "shuffle":
                    self._advance()
                elif kind == 0x05:
                    self._heard_packet(int.from_bytes(payload[:4], "big"))
                elif kind == 0x07 and self.plan[0][0] == "claims":
                    self._advance()
            os.write(self.ports["shuffler"], shuffler_frame(0x81, struct.pack(">H", (self.mark[1] - 1) % 65536)))

    def _shoe_readable(self) -> None:
        self.rest["shoe"] += os.read(self.ports["shoe"], 65536)
        while (start := self.rest["shoe"].find(b"\x05")) >= 0 and len(self.rest["shoe"]) >= start + 8:
            frame, self.rest["shoe"] = self.rest["shoe"][start : start + 8], self.rest["shoe"][start + 8 :]
            if frame[2:3] == b"D" and frame != getattr(self, "last_report", b"") and self.plan[0][0] == "deal":
                self.last_report = frame
                self._advance()

    def _slots(self, loop: asyncio.AbstractEventLoop) -> None:
        """Poll the ADU218 with pyusb, as the real driver must."""
        device = usb.core.find(
            backend=open_backend(str(self.directory / "usb.sock")), idVendor=0x0A07, idProduct=0x00DA
        )
        if device.is_kernel_driver_active(0):
            device.detach_kernel_driver(0)
        device.set_configuration()
        pressed = lit = None
        while not self.stopping.wait(0.002):
            device.write(0x01, b"\x01PI".ljust(8, b"\0"))
            levels = int(bytes(device.read(0x81, 8, 200))[1:4])
            if pressed is not None and levels & 128 and not pressed:
                loop.call_soon_threadsafe(self._lock)
            pressed = bool(levels & 128)
            if lit != self.lamp_wanted:
                lit = self.lamp_wanted
                device.write(0x01, (b"\x01SK7" if lit else b"\x01RK7").ljust(8, b"\0"))
        usb.util.dispose_resources(device)

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
                length = int(head.lower().split("content-length:")[1].split("\r\n")[0])
                status, body = self._post(json.loads(await reader.readexactly(length)))
                content = json.dumps(body).encode()
                writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content)
        except (OSError, EOFError):
            pass
        finally:
            writer.close()
            del self.serving[task]

    def _post(self, items: list[dict[str, Any]]) -> tuple[int, dict[str, Any]]:
        self.posts += 1
        if items[0]["input_id"] in self.answers:
            return 200, self.answers[items[0]["input_id"]]
        if items[0]["kind"] in self.refuse_once:
            self.refuse_once.remove(items[0]["kind"])
            return 422, {"error": "refused", "who": "seat 1", "reason": "as told", "article": "4.º 3"}
        first_step = self.step["id"]
        for item in items:
            if item["step_id"] == first_step:
                item["step_id"] = self.step["id"]
            if refusal := self.take(item):
                return 409, refusal
        answer = {"answers": [{"input_id": i["input_id"], "accepted": True, "as_of": self.version} for i in items]}
        self.answers[items[0]["input_id"]] = answer
        return 200, answer

    async def _stream(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        sent = 0
        while not writer.is_closing():
            if sent != self.version:
                sent = self.version
                event = b"data: " + json.dumps(self.projection()).encode() + b"\n\n"
                writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
                await writer.drain()
            self.changed.clear()
            await self.changed.wait()
        raise EOFError

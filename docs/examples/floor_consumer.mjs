// Keeps every confirmed round of every table in a file, once, a JSON line each: `node floor_consumer.mjs HOST PORT FILE`.
// It needs mqtt.js (`npm install mqtt`). A message is acknowledged when its line is on the disk, and never before. What
// comes again is known by source and sequence. What a broker has lost leaves a hole in the numbers, which is listed.

import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import mqtt from "mqtt";

const [host, port, file] = process.argv.slice(2);
const heard = new Map(); // the numbers of each journal

function note(source, sequence) {
  const known = heard.get(source) ?? new Set();
  heard.set(source, known.add(sequence));
}

function restore() {
  if (!existsSync(file)) return;
  const text = readFileSync(file, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1); // a line that was cut off was not acknowledged
  truncateSync(file, Buffer.byteLength(whole));
  for (const line of whole.split("\n").filter(Boolean)) {
    const { source, sequence } = JSON.parse(line);
    note(source, sequence);
  }
}

function holes() {
  return [...heard].flatMap(([source, known]) => {
    const last = Math.max(...known);
    const missing = Array.from({ length: last }, (_, at) => at + 1).filter((number) => !known.has(number));
    return missing.length ? [`${source}: ${missing.join(" ")}`] : [];
  });
}

restore();
const kept = openSync(file, "a");

// One line for every message, and the round in those that have one; on the disk when this returns.
function keep(payload) {
  const { source, type, data } = JSON.parse(payload);
  if (heard.get(source)?.has(data.sequence)) return;
  const round = type === "dealer.station.round" ? { round: data } : {};
  writeSync(kept, JSON.stringify({ source, sequence: data.sequence, ...round }) + "\n");
  fdatasyncSync(kept);
  note(source, data.sequence);
}

const client = mqtt.connect({
  host,
  port: Number(port),
  protocol: "mqtt",
  protocolVersion: 5,
  clientId: "rounds-js",
  clean: false, // the broker keeps what comes while nobody listens, for ever
  properties: { sessionExpiryInterval: 0xffffffff },
  reconnectPeriod: 1000,
});
client.on("connect", () => client.subscribe(["dealer/+/+/rounds", "dealer/+/+/events/#"], { qos: 1 }));
client.on("error", (error) => console.error(error.message));
client.on("close", () => holes().forEach((hole) => console.error(`missing: ${hole}`)));

// mqtt.js sends the PUBACK when `done` is called.
client.handleMessage = (packet, done) => {
  try {
    keep(packet.payload.toString());
    done();
  } catch (error) {
    console.error(error);
    process.exit(1); // not acknowledged: it comes again
  }
};
process.on("SIGTERM", () => client.end(false, () => (closeSync(kept), process.exit(0))));

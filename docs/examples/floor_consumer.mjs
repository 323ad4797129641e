// Keeps every confirmed round of every table in a file, once, a JSON line each: `node floor_consumer.mjs HOST PORT FILE`.
// It needs mqtt.js (`npm install mqtt`). A message is acknowledged when its line is on the disk, and never before. What
// comes again is known by source and sequence. What a broker has lost leaves a hole in the numbers of its journal, which
// the table is asked for.

import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import mqtt from "mqtt";

const NAME = "rounds-js"; // of the session, and of the topic on which tables answer
const LOOK_MS = 5_000;
const AGAIN_MS = 60_000;
const [host, port, file] = process.argv.slice(2);
const heard = new Map(); // of each journal: up to which number there is every message, and those beyond a hole
const asked = new Map(); // until when a hole is not asked for again

function isKnown(source, sequence) {
  const { through, beyond } = heard.get(source) ?? { through: 0, beyond: new Set() };
  return sequence <= through || beyond.has(sequence);
}

function note(source, sequence) {
  const journal = heard.get(source) ?? { through: 0, beyond: new Set() };
  journal.beyond.add(sequence);
  while (journal.beyond.delete(journal.through + 1)) journal.through += 1;
  heard.set(source, journal);
}

function holes() {
  return [...heard].flatMap(([source, { through, beyond }]) => {
    const numbers = [through, ...[...beyond].sort((one, other) => one - other)];
    const pairs = numbers.slice(1).map((number, at) => ({ source, first: numbers[at] + 1, last: number - 1 }));
    return pairs.filter(({ first, last }) => first <= last);
  });
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

restore();
const kept = openSync(file, "a");

// One line for every message, and the round in those that have one; on the disk when this returns.
function keep(payload) {
  const { source, type, title, data } = JSON.parse(payload);
  if (!data?.sequence) {
    if (title) console.error(title); // how a question ended: a problem (RFC 9457), or that all was said
    return;
  }
  if (isKnown(source, data.sequence)) return;
  const round = type === "dealer.station.round" ? { round: data } : {};
  writeSync(kept, JSON.stringify({ source, sequence: data.sequence, ...round }) + "\n");
  fdatasyncSync(kept);
  note(source, data.sequence);
}

// Have the tables say once more what is missing; what does not come is asked for again.
function ask() {
  if (!client.connected) return;
  for (const { source, first, last } of holes()) {
    const hole = `${source} ${first} ${last}`;
    if (Date.now() < (asked.get(hole) ?? 0)) continue;
    asked.set(hole, Date.now() + AGAIN_MS);
    const [, , site, table, journal] = source.split("/");
    const responseTopic = `dealer/${site}/${table}/answers/${NAME}`;
    const request = JSON.stringify({ journal, first, last });
    client.publish(`dealer/${site}/${table}/requests/replay`, request, { qos: 1, properties: { responseTopic } });
  }
}

const client = mqtt.connect({
  host,
  port: Number(port),
  protocol: "mqtt",
  protocolVersion: 5,
  clientId: NAME,
  clean: false, // the broker keeps what comes while nobody listens, for ever
  properties: { sessionExpiryInterval: 0xffffffff },
  reconnectPeriod: 1000,
});
const topics = ["rounds", "events/#", `answers/${NAME}`].map((topic) => `dealer/+/+/${topic}`);
client.on("connect", () => client.subscribe(topics, { qos: 1 }));
client.on("error", (error) => console.error(error.message));
setInterval(ask, LOOK_MS);

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

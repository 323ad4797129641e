// Keeps every confirmed round of every table in a file, once, a JSON line each: `node floor_consumer.mjs BROKER FILE`.
// It needs mqtt.js (`npm install mqtt`). BROKER is such as mqtts://rounds-js@broker.example:8883; the password is in the
// environment, MQTT_PASSWORD. A message is acknowledged when its line is on the disk, and never before. What comes again
// is known by source and sequence. What a broker has lost leaves a hole in the numbers of its journal, which the table
// is asked for; what it does not have either is closed by its answer. What cannot be read is put aside, in FILE.aside.
//
// However much is published, it keeps few messages in memory, and none that is too long: a broker of MQTT 5 sends no
// more. What is far ahead of a hole, or of too many journals, is not kept.

import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import mqtt from "mqtt";

const NAME = "rounds-js"; // of the session, and of the topic on which tables answer
const LOOK_MS = 5_000;
const AGAIN_MS = 60_000;
const LONGEST = 65_536; // octets of a message and its topic; a table's longest have about 11 000
const AT_ONCE = 64; // messages that the broker sends before the first of them is acknowledged
const AHEAD = 10_000; // messages of a journal that are kept behind a hole: the others are asked for with it
const MOST_JOURNALS = 10_000;
const MOST_ASIDE = 1_000;
const [broker, file] = process.argv.slice(2);
const received = new Map(); // of each journal: up to which number there is every message, and those beyond a hole
const ends = new Map(); // of each journal: up to which number its state says that there are messages
const present = new Map(); // of each table: its journal; it publishes no other again
let asked = new Map(); // until when a hole is not asked for again
const came = new Map(); // of each request: the number and the count of what has come so far

function isKnown(source, sequence) {
  const { through, beyond } = received.get(source) ?? { through: 0, beyond: new Set() };
  return sequence <= through || beyond.has(sequence);
}

function note(source, sequence) {
  const journal = received.get(source) ?? { through: 0, beyond: new Set() };
  journal.beyond.add(sequence);
  while (journal.beyond.delete(journal.through + 1)) journal.through += 1;
  received.set(source, journal);
}

// A hole that the table cannot fill.
function pass(source, first, last) {
  const journal = received.get(source) ?? { through: 0, beyond: new Set() };
  if (first <= journal.through + 1) {
    journal.through = Math.max(journal.through, last);
    for (const sequence of journal.beyond) if (sequence <= journal.through) journal.beyond.delete(sequence);
  } else for (let sequence = first; sequence <= last; sequence += 1) journal.beyond.add(sequence);
  while (journal.beyond.delete(journal.through + 1)) journal.through += 1;
  received.set(source, journal);
}

// A journal has as many messages.
function expect(source, last) {
  if (!received.has(source)) received.set(source, { through: 0, beyond: new Set() });
  ends.set(source, last);
}

function holes() {
  return [...new Set([...received.keys(), ...ends.keys()])].flatMap((source) => {
    const { through, beyond } = received.get(source) ?? { through: 0, beyond: new Set() };
    const numbers = [through, ...[...beyond].sort((one, other) => one - other)];
    if ((ends.get(source) ?? 0) > numbers.at(-1)) numbers.push(ends.get(source) + 1);
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
    const { source, sequence, first } = JSON.parse(line);
    if (first === undefined) note(source, sequence);
    else pass(source, first, sequence);
  }
}

restore();
const kept = openSync(file, "a");
const aside = openSync(`${file}.aside`, "a");
let leftAside = MOST_ASIDE;

function write(descriptor, line) {
  writeSync(descriptor, JSON.stringify(line) + "\n");
  fdatasyncSync(descriptor);
}

function number(value) {
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${value} is no number of a message`);
  return value;
}

// What is to be kept of a message, if anything. Throws where it is none, or is not what it should be.
function read(topic, payload) {
  const [, site, table, kind] = topic.split("/");
  const message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  if (kind === "answers" && !("specversion" in message)) {
    console.error(topic, JSON.stringify(message.title)); // a problem (RFC 9457): how a question ended
    return null;
  }
  const { source, type, data } = message;
  encodeURIComponent(source); // half a pair of surrogates is no text
  if (typeof type !== "string") throw new TypeError("it has no type");
  const within = source.slice(0, source.lastIndexOf("/") + 1);
  if (within !== `/dealer/${site}/${table}/` || source === within) {
    console.error("dropped:", topic, "has a message of", JSON.stringify(source));
    return null;
  }
  if (!received.has(source) && received.size >= MOST_JOURNALS) throw new RangeError("it is of one journal too many");
  if (kind === "state") {
    expect(source, number(data.as_of));
    present.set(within, source);
    return null;
  }
  if (type === "dealer.station.answer") return null; // the end of an answer
  const round = type === "dealer.station.round" ? { round: { ...data, round: number(data.round) } } : {};
  return { source, sequence: number(data.sequence), ...round };
}

// One line for every message, and the round in those that have one; on the disk when this returns.
function keep(topic, payload) {
  if (payload.length === 0) return; // a retained message that was removed
  let line;
  try {
    if (payload.length > LONGEST) throw new RangeError("it is too long"); // a broker that ignores what it was asked for
    line = read(topic, payload);
  } catch (error) {
    console.error("put aside:", topic, String(error));
    const octets = payload.subarray(0, LONGEST).toString("base64");
    if (leftAside-- > 0) write(aside, { topic, payload: octets, reason: String(error) });
    return;
  }
  if (line === null || isKnown(line.source, line.sequence)) return;
  if (line.sequence > (received.get(line.source)?.through ?? 0) + AHEAD) {
    expect(line.source, Math.max(line.sequence, ends.get(line.source) ?? 0));
    return;
  }
  write(kept, line);
  note(line.source, line.sequence);
}

// An answer to a request, which comes with it: after the last, what the table does not have is no hole any more. That
// was put aside, is kept no longer, or has another source: a journal continues from a copy of another one. Where some was
// lost, it is asked for again.
function close(topic, payload, question) {
  let first, last, source;
  try {
    const message = JSON.parse(payload);
    const soFar = came.get(question);
    const [, site, table] = topic.split("/");
    let journal;
    ({ journal, first, last } = JSON.parse(question));
    source = `/dealer/${site}/${table}/${journal}`;
    if (!("specversion" in message)) last = Math.min(last, number(message.oldest) - 1);
    else if (message.type !== "dealer.station.answer") {
      const sequence = number(message.data.sequence);
      if (sequence > soFar.last) came.set(question, { last: sequence, count: soFar.count + 1 });
      return;
    } else if (soFar.count < number(message.data.count)) return;
  } catch {
    return; // of no use for a hole; `keep` looks at it too
  }
  if (!came.delete(question)) return;
  for (const hole of holes().filter((one) => one.source === source && one.first <= last && one.last >= first)) {
    const closed = { source, first: Math.max(hole.first, first), sequence: Math.min(hole.last, last) };
    write(kept, closed);
    pass(source, closed.first, closed.sequence);
  }
}

// Have the tables say once more what is missing; what does not come is asked for again. A hole that is there at two
// looks is none that messages under way are about to fill.
function ask() {
  if (!client.connected) return;
  const before = asked;
  asked = new Map();
  if (holes().length === 0) came.clear();
  for (const { source, first, last } of holes()) {
    const within = source.slice(0, source.lastIndexOf("/") + 1);
    if ((present.get(within) ?? source) !== source) continue;
    const hole = `${source} ${first} ${last}`;
    asked.set(hole, before.get(hole) ?? Date.now());
    if (!before.has(hole) || Date.now() < before.get(hole)) continue;
    asked.set(hole, Date.now() + AGAIN_MS);
    const [, , site, table, journal] = source.split("/");
    const responseTopic = `dealer/${site}/${table}/answers/${NAME}`;
    const request = JSON.stringify({ journal, first, last });
    came.set(request, { last: 0, count: 0 });
    const properties = { responseTopic, correlationData: Buffer.from(request) };
    client.publish(`dealer/${site}/${table}/requests/replay`, request, { qos: 1, properties });
  }
}

const client = mqtt.connect(broker, {
  password: process.env.MQTT_PASSWORD,
  protocolVersion: 5,
  clientId: NAME,
  clean: false, // the broker keeps what comes while no one listens, for ever
  properties: { sessionExpiryInterval: 0xffffffff, maximumPacketSize: LONGEST, receiveMaximum: AT_ONCE },
  reconnectPeriod: 1000,
});
const topics = ["rounds", "events/+", "state", `answers/${NAME}`].map((topic) => `dealer/+/+/${topic}`);
client.on("connect", () => client.subscribe(topics, { qos: 1 }));
client.on("error", (error) => console.error(error.message));
setInterval(ask, LOOK_MS);

// mqtt.js sends the PUBACK when `done` is called.
client.handleMessage = (packet, done) => {
  try {
    keep(packet.topic, packet.payload);
    const question = packet.properties?.correlationData;
    if (question !== undefined) close(packet.topic, packet.payload, question.toString());
    done();
  } catch (error) {
    console.error(error);
    process.exit(1); // not acknowledged: it comes again
  }
};
process.on("SIGTERM", () => client.end(false, () => (closeSync(kept), closeSync(aside), process.exit(0))));

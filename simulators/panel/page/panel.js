// The panel: drawn from the bench's stream, and what is tapped posted to it.

import { Sign } from "./sign.js";
import { follow, read } from "./stream.js";
import { Wanted, write } from "./wanted.js";
import { has, LANGUAGES, language, learn, loadWords, say, speak, told } from "./words.js";

const SPEEDS = ["human", "5", "20", "100", "device", "max"];
const SECONDS = ["", "3", "10", "60"];
const SHOWN_MS = 1000; // later than any look of the bench at itself
const WIDE = matchMedia("(min-width: 1000px)");

const one = (selector) => document.querySelector(selector);
let furnishing = null;
let now = null;
let sign = null;
let wanted = null;
let refusal = null; // the key of why the last wish was refused, and its values
let away = false;
const chosen = {}; // actor and speed as they were just chosen here, until the bench shows them

async function post(path, wish) {
  refusal = null;
  try {
    const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wish) });
    if (!answer.ok) {
      const { error, refusal: key } = await answer.json();
      refusal = key ? [`refusal.${key}`, {}] : ["refusal.other", { reason: error }];
    }
  } catch {
    refusal = ["away", {}];
  }
  tell();
}

// What was chosen stays chosen while the bench does not know of it yet, though it tells of other things.
async function choose(path, key, value) {
  chosen[key] = value;
  await post(path, { [key]: value });
  setTimeout(() => {
    delete chosen[key];
    draw();
  }, refusal ? 0 : SHOWN_MS);
}

function shown(key) {
  if (chosen[key] === now[key]) delete chosen[key];
  return chosen[key] ?? now[key];
}

function tell() {
  write(one("#refusal"), refusal ? say(...refusal) : "");
  write(one("#away"), say("away"));
  one("#away").hidden = !away;
}

function button(tapped) {
  const made = document.createElement("button");
  made.type = "button";
  made.addEventListener("click", tapped);
  return made;
}

// The key of a fault's words: its own, or those of what goes wrong on any wire.
function faultKey(named) {
  const [device, kind] = named.split(":");
  return has(`fault.${device}.${kind}`) ? `${device}.${kind}` : `wire.${kind}`;
}

function deviceName(device) {
  return say(`device.${furnishing.device_names[device] ?? device}`);
}

function valueName(value) {
  if (!value) return say("any");
  const key = [`seen.${value}`, `spread.${value}`].find(has);
  return key ? say(key) : wanted.place(value);
}

// What happened: "slots:stuck", or the name of something that people did.
function happenedName(what) {
  if (!what.includes(":")) return say(`odd.${what}`);
  return `${deviceName(what.split(":")[0])}: ${say(`fault.${faultKey(what)}`)}`;
}

function faultOf(kind) {
  const named = `${kind.device}:${kind.kind}`;
  const made = document.createElement("div");
  made.className = "fault";
  made.dataset.fault = named;
  made.dataset.ends = kind.ends;
  const value = document.createElement("select");
  for (const said of kind.values) value.add(new Option(said, said));
  const strike = button(() => {
    const lasts = kind.lasts && one("#for").value ? `@for=${one("#for").value}` : "";
    post("/fault", { fault: `${named}${value.value ? `=${value.value}` : ""}${lasts}` });
  });
  const row = document.createElement("span");
  row.className = "together";
  row.append(strike);
  if (kind.values.length) row.append(value);
  if (kind.can_be_ended) {
    const end = button(() => post("/fault", { fault: `${named}=off` }));
    end.className = "end";
    end.hidden = true;
    row.append(end);
  }
  const means = document.createElement("span");
  means.className = "quiet";
  means.id = `means-${kind.device}-${kind.kind}`;
  strike.setAttribute("aria-describedby", means.id);
  made.append(row, means);
  return made;
}

function furnish() {
  for (const device of new Set(furnishing.faults.map((kind) => kind.device))) {
    const group = document.createElement("details");
    group.open = WIDE.matches;
    const title = document.createElement("summary");
    title.dataset.device = device;
    group.append(title, ...furnishing.faults.filter((kind) => kind.device === device).map(faultOf));
    one("#faults").append(group);
  }
  one("#slots").hidden = !furnishing.slots.length;
  for (const seat of furnishing.slots) {
    const chip = button(() => post("/chip", { seat }));
    chip.dataset.seat = seat;
    one("#chips").append(chip);
  }
  one("#lock-in").hidden = !furnishing.lock_in;
  one("#sign").hidden = !furnishing.sign;
  if (furnishing.sign) sign = new Sign(one("canvas"), furnishing.sign);
  for (const speed of SPEEDS) one("#speed").add(new Option("", speed));
  for (const seconds of SECONDS) one("#for").add(new Option("", seconds));
  for (const [code, name] of Object.entries(LANGUAGES)) {
    const choice = button(() => {
      speak(code);
      sayAll();
    });
    choice.textContent = name;
    choice.lang = code === "zh" ? "zh-Hant" : code;
    choice.dataset.language = code;
    one("#languages").append(choice);
  }
  wanted = new Wanted(one("#wanted"), furnishing, (number) => post("/leave-out", { number }));
}

// All that is said but not drawn with every change.
function sayAll() {
  document.title = `${say("title")} · ${furnishing.game}`;
  one("#languages").setAttribute("aria-label", say("language"));
  for (const choice of document.querySelectorAll("#languages button")) choice.setAttribute("aria-pressed", choice.dataset.language === language());
  for (const title of document.querySelectorAll("summary")) write(title, deviceName(title.dataset.device));
  for (const fault of document.querySelectorAll(".fault")) {
    const key = faultKey(fault.dataset.fault);
    const name = say(`fault.${key}`);
    const [strike, value, end] = [fault.querySelector("button"), fault.querySelector("select"), fault.querySelector(".end")];
    write(strike, name);
    write(fault.lastChild, `${say(`means.${key}`)} ${say(`ends.${fault.dataset.ends}`)}`);
    value?.setAttribute("aria-label", say("of", { fault: name }));
    for (const option of value?.options ?? []) write(option, valueName(option.value));
    if (!end) continue;
    write(end, say("end"));
    end.setAttribute("aria-label", say("end.named", { fault: name }));
  }
  for (const chip of document.querySelectorAll("#chips button")) write(chip, say("chip", { seat: chip.dataset.seat }));
  for (const option of one("#for").options) write(option, option.value ? say("lasts.seconds", { seconds: option.value }) : say("lasts.usual"));
  for (const option of one("#speed").options) sayOfSpeed(option);
  tell();
  if (now) draw();
}

function sayOfSpeed(option) {
  write(option, has(`speed.${option.value}`) ? say(`speed.${option.value}`) : say("speed.times", { times: option.value }));
}

function draw() {
  const at = say("at", { round: now.round, phase: say(`phase.${now.phase}`) });
  write(one("#prompt"), `${at} · ${now.prompt ? told(now.prompt) : say("station.away")}`);
  document.body.dataset.round = now.round;
  for (const choice of document.querySelectorAll("[name=actor]")) choice.checked = choice.value === shown("actor");
  one("#take-over").hidden = now.actor !== "you";
  one("#none").hidden = now.wanted.length > 0;
  wanted.show(now.wanted);
  one("#pause").setAttribute("aria-pressed", now.paused);
  write(one("#rest"), now.at_rest ? say("rest") : "");
  const speed = one("#speed");
  if (![...speed.options].some((option) => option.value === now.speed)) {
    speed.add(new Option("", now.speed));
    sayOfSpeed(speed.lastChild);
  }
  speed.value = shown("speed");
  for (const chip of document.querySelectorAll("#chips button")) chip.classList.toggle("on", now.chips.includes(Number(chip.dataset.seat)));
  for (const fault of document.querySelectorAll(".fault")) {
    const stands = now.standing.includes(fault.dataset.fault);
    fault.querySelector("button").classList.toggle("on", stands);
    const end = fault.querySelector(".end");
    if (!end || end.hidden === !stands) continue;
    // Whoever is at the button that goes away goes back to the one before it.
    if (!stands && document.activeElement === end) fault.querySelector("button").focus();
    end.hidden = !stands;
  }
  one("#happened").replaceChildren(
    ...[...now.happened].reverse().map((happened) => {
      const line = document.createElement("li");
      line.value = happened.number;
      line.dataset.what = happened.what;
      line.textContent = say(happened.on ? "happened.line" : "happened.over", { round: happened.round, what: happenedName(happened.what) });
      return line;
    }),
  );
  if (!now.sign) return;
  sign.show(now.sign.frames);
  write(one("#readable"), now.sign.text);
  one("canvas").setAttribute("aria-label", now.sign.text);
}

one("#pause").addEventListener("click", () => post("/robot", { paused: !now.paused }));
one("#lock-in").addEventListener("click", () => post("/lock-in", { pressed: true }));
one("#actor").addEventListener("change", (event) => choose("/actor", "actor", event.target.value));
one("#speed").addEventListener("change", (event) => choose("/speed", "speed", event.target.value));
await loadWords();
furnishing = await read("/furnishing");
learn(furnishing.words);
furnish();
sayAll();
follow(
  "/stream",
  (shownNow) => {
    now = shownNow;
    draw();
  },
  (gone) => {
    away = gone;
    tell();
  },
);

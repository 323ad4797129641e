// The panel: drawn from the bench's stream, and what is tapped posted to it.

import { Bench } from "./bench.js";
import { button, el, find, write } from "./elements.js";
import { Sign } from "./sign.js";
import { group, GROUPS } from "./stops.js";
import { follow, post, read } from "./stream.js";
import { Tour } from "./tour.js";
import { Wanted } from "./wanted.js";
import { has, LANGUAGES, language, learn, loadWords, say, speak, textOf } from "./words.js";

const SPEEDS = ["human", "5", "20", "100", "device", "max"];
const SECONDS = ["", "3", "10", "60"];
const SHOWN_MS = 1000; // later than any look of the bench at itself
const WIDE = matchMedia("(min-width: 1000px)");
const STORMY = "slots:storm";

let furnishing = null;
let now = null;
let sign = null;
let wanted = null;
let bench = null;
let tour = null;
let faults = []; // their elements, in the order of the furnishing
let arranged = null; // the source of the cards for which they are in their groups
let refusal = null; // the key of why the last wish was refused, and its values
let away = false;
const chosen = {}; // actor and speed as they were just chosen here, until the bench shows them

async function ask(path, wish) {
  refusal = null;
  try {
    const answer = await post(path, wish);
    if (!answer.ok) {
      const { error, refusal: key } = await answer.json();
      refusal = key ? [`refusal.${key}`, {}] : ["refusal.other", { reason: error }];
    }
  } catch {
    refusal = ["away", {}];
  }
  showTrouble();
}

// What was chosen stays chosen while the bench does not know of it yet, though it sends other things.
async function choose(path, key, value) {
  chosen[key] = value;
  await ask(path, { [key]: value });
  setTimeout(() => {
    delete chosen[key];
    draw();
  }, refusal ? 0 : SHOWN_MS);
}

function shown(key) {
  if (chosen[key] === now[key]) delete chosen[key];
  return chosen[key] ?? now[key];
}

function showTrouble() {
  write(find("#refusal"), refusal ? say(...refusal) : "");
  write(find("#away"), say("away"));
  find("#away").hidden = !away;
}

// The key of a fault's words: its own, or those of what goes wrong on any wire.
function faultKey(named) {
  const [device, kind] = named.split(":");
  return has(`fault.${device}.${kind}`) ? `${device}.${kind}` : `wire.${kind}`;
}

function deviceName(device) {
  return say(`device.${furnishing.device_names[device] ?? device}`);
}

function faultName(named) {
  return `${deviceName(named.split(":")[0])}: ${say(`fault.${faultKey(named)}`)}`;
}

function valueName(value) {
  if (!value) return say("any");
  const key = [`seen.${value}`, `spread.${value}`].find(has);
  return key ? say(key) : wanted.place(value);
}

// What happened: "slots:stuck", or the name of something that people did.
function happenedName(what) {
  if (!what.includes(":")) return say(`odd.${what}`);
  return faultName(what);
}

function faultOf(kind) {
  const named = `${kind.device}:${kind.kind}`;
  const made = el("div", { class: "fault", "data-fault": named, "data-ends": kind.ends });
  const value = el("select");
  for (const choice of kind.values) value.add(new Option(choice, choice));
  made.append(button([el("b"), el("small")], () => {
    const lasts = kind.lasts && find("#for").value ? `@for=${find("#for").value}` : "";
    ask("/fault", { fault: `${named}${value.value ? `=${value.value}` : ""}${lasts}` });
  }));
  if (kind.values.length) made.append(value);
  if (kind.can_be_ended) made.append(button([], () => ask("/fault", { fault: `${named}=off` }), { class: "end", hidden: "" }));
  return made;
}

// A fault of the tour; where it needs a seat it is the first.
function strikeOnTour(named) {
  ask("/fault", { fault: named === STORMY ? `${named}=${furnishing.slots[0]}` : named });
}

// Only the faults of one device, or all.
function lookAt(device) {
  find("#of").value = device;
  showFaults();
  find("#wrong").scrollIntoView({ block: "start" });
  find("#of").focus({ preventScroll: true });
}

function showFaults() {
  const device = find("#of").value;
  for (const fault of document.querySelectorAll(".fault")) fault.hidden = device !== "" && !fault.dataset.fault.startsWith(`${device}:`);
  for (const stops of document.querySelectorAll("#faults details")) stops.hidden = !stops.querySelector(".fault:not([hidden])");
}

// Each below what it stops while the cards come from this source.
function arrange(source) {
  if (source === arranged) return;
  arranged = source;
  for (const stops of GROUPS) find(`[data-cards=${stops}]`).replaceChildren(...faults.filter((_, at) => group(furnishing.faults[at], source) === stops));
  showFaults();
}

function furnish() {
  for (const stops of GROUPS) {
    const title = el("summary", { "data-stops": stops });
    find("#faults").append(el("details", { open: WIDE.matches }, title, el("div", { class: "cards", "data-cards": stops })));
  }
  faults = furnishing.faults.map(faultOf);
  find("#of").add(new Option("", ""));
  for (const device of new Set(furnishing.faults.map((kind) => kind.device))) find("#of").add(new Option("", device));
  find("#of").addEventListener("change", showFaults);
  for (const preset of [...(furnishing.hit ? ["hit"] : []), ...furnishing.presets]) {
    const begin = () => (preset === "hit" ? ask("/hit", { wanted: true }) : ask("/preset", { preset }));
    find("#presets").append(button([el("b"), el("small")], begin, { "data-preset": preset }));
  }
  bench = new Bench(furnishing, { device: deviceName, place: (named) => wanted.place(named) }, { fault: (fault) => ask("/fault", { fault }), chip: (seat) => ask("/chip", { seat }), lookAt });
  find("#lock-in").hidden = !furnishing.lock_in;
  if (furnishing.sign) sign = new Sign(find("canvas"), furnishing.sign);
  for (const speed of SPEEDS) find("#speed").add(new Option("", speed));
  for (const seconds of SECONDS) find("#for").add(new Option("", seconds));
  for (const [code, name] of Object.entries(LANGUAGES)) {
    const spoken = () => {
      speak(code);
      sayAll();
    };
    find("#languages").append(button(name, spoken, { lang: code === "zh" ? "zh-Hant" : code, "data-language": code }));
  }
  wanted = new Wanted(find("#wanted"), furnishing, (number) => ask("/leave-out", { number }));
  tour = new Tour(furnishing.faults, faultName, strikeOnTour);
}

// The texts that are not drawn with every change.
function sayAll() {
  document.title = `${say("title")} · ${furnishing.game}`;
  find("#languages").setAttribute("aria-label", say("language"));
  for (const choice of document.querySelectorAll("#languages button")) choice.setAttribute("aria-pressed", choice.dataset.language === language());
  for (const title of document.querySelectorAll("summary")) write(title, say(`stops.${title.dataset.stops}`));
  for (const option of find("#of").options) write(option, option.value ? deviceName(option.value) : say("faults.all"));
  for (const preset of document.querySelectorAll("#presets button")) {
    write(preset.firstChild, say(`preset.${preset.dataset.preset}`));
    write(preset.lastChild, say(`preset.${preset.dataset.preset}.means`));
  }
  bench.say();
  tour.say();
  for (const fault of faults) {
    const key = faultKey(fault.dataset.fault);
    const name = faultName(fault.dataset.fault);
    const [strike, value, end] = [fault.querySelector("button"), fault.querySelector("select"), fault.querySelector(".end")];
    write(strike.firstChild, name);
    write(strike.lastChild, `${say(`means.${key}`)} ${say(`ends.${fault.dataset.ends}`)}`);
    value?.setAttribute("aria-label", say("of", { fault: name }));
    for (const option of value?.options ?? []) write(option, valueName(option.value));
    if (!end) continue;
    write(end, say("end"));
    end.setAttribute("aria-label", say("end.named", { fault: name }));
  }
  for (const option of find("#for").options) write(option, option.value ? say("lasts.seconds", { seconds: option.value }) : say("lasts.usual"));
  for (const option of find("#speed").options) sayOfSpeed(option);
  showTrouble();
  if (now) draw();
}

function sayOfSpeed(option) {
  write(option, has(`speed.${option.value}`) ? say(`speed.${option.value}`) : say("speed.times", { times: option.value }));
}

function draw() {
  const at = say("at", { round: now.round, phase: say(`phase.${now.phase}`) });
  arrange(now.source);
  write(find("#prompt"), `${at} · ${now.prompt ? textOf(now.prompt) : say("station.away")}`);
  document.body.dataset.round = now.round;
  for (const choice of document.querySelectorAll("[name=actor]")) choice.checked = choice.value === shown("actor");
  find("#take-over").hidden = now.actor !== "you";
  find("#none").hidden = now.wanted.length > 0;
  write(find("#none"), wanted.nothing(now.asked));
  wanted.show(now.wanted);
  find("#pause").setAttribute("aria-pressed", now.paused);
  write(find("#rest"), now.at_rest ? say("rest") : "");
  const speed = find("#speed");
  if (![...speed.options].some((option) => option.value === now.speed)) {
    speed.add(new Option("", now.speed));
    sayOfSpeed(speed.lastChild);
  }
  speed.value = shown("speed");
  bench.show(now);
  tour.show(now);
  const hit = find("[data-preset=hit]");
  hit?.classList.toggle("waits", now.hit);
  if (hit) write(hit.lastChild, say(now.hit ? "preset.hit.waits" : "preset.hit.means"));
  for (const fault of document.querySelectorAll(".fault")) {
    const lasts = now.lasting.includes(fault.dataset.fault);
    fault.querySelector("button").classList.toggle("on", lasts);
    const end = fault.querySelector(".end");
    if (!end || end.hidden === !lasts) continue;
    // The focus of the button that goes away moves to the one before it.
    if (!lasts && document.activeElement === end) fault.querySelector("button").focus();
    end.hidden = !lasts;
  }
  find("#happened").replaceChildren(
    ...[...now.happened].reverse().map((happened) => {
      const text = say(happened.on ? "happened.line" : "happened.over", { round: happened.round, what: happenedName(happened.what) });
      return el("li", { value: happened.number, "data-what": happened.what }, text);
    }),
  );
  if (!now.sign) return;
  sign.show(now.sign.frames);
  write(find("#readable"), now.sign.text);
  find("canvas").setAttribute("aria-label", now.sign.text);
}

find("#pause").addEventListener("click", () => ask("/robot", { paused: !now.paused }));
find("#lock-in").addEventListener("click", () => ask("/lock-in", { pressed: true }));
find("#actor").addEventListener("change", (event) => choose("/actor", "actor", event.target.value));
find("#speed").addEventListener("change", (event) => choose("/speed", "speed", event.target.value));
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
    showTrouble();
  },
);

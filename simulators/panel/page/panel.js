// The panel: drawn from the bench's stream, and what is tapped posted to it.

import { Sign } from "./sign.js";

const one = (selector) => document.querySelector(selector);
let now = null;
let sign = null;

async function post(path, wish) {
  let refusal = "";
  try {
    const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wish) });
    if (!answer.ok) refusal = (await answer.json()).error;
  } catch {
    refusal = "The bench does not answer.";
  }
  one("#refusal").textContent = refusal;
}

function button(text, tapped) {
  const made = document.createElement("button");
  made.textContent = text;
  made.addEventListener("click", tapped);
  return made;
}

function faultOf(kind) {
  const named = `${kind.device}:${kind.kind}`;
  const made = document.createElement("span");
  made.className = "fault";
  made.dataset.fault = named;
  const value = document.createElement("select");
  value.setAttribute("aria-label", `of ${named}`);
  for (const said of kind.values) value.add(new Option(said || "any", said));
  const strike = button(kind.kind.replaceAll("_", " "), () => {
    const lasts = kind.lasts && one("#for").value ? `@for=${one("#for").value}` : "";
    post("/fault", { fault: `${named}${value.value ? `=${value.value}` : ""}${lasts}` });
  });
  strike.title = `ends ${kind.ends}`;
  made.append(strike);
  if (kind.values.length) made.append(value);
  if (kind.can_be_ended) {
    const end = button("end", () => post("/fault", { fault: `${named}=off` }));
    end.className = "end";
    end.setAttribute("aria-label", `end ${named}`);
    end.hidden = true;
    made.append(end);
  }
  return made;
}

function furnish(has) {
  document.title = `SIMULATION · ${has.game}`;
  for (const device of new Set(has.faults.map((kind) => kind.device))) {
    const title = document.createElement("h3");
    title.textContent = device;
    const row = document.createElement("p");
    row.className = "row";
    row.append(...has.faults.filter((kind) => kind.device === device).map(faultOf));
    one("#faults").append(title, row);
  }
  one("#slots").hidden = !has.slots.length;
  for (const seat of has.slots) {
    const chip = button(`chip at seat ${seat}`, () => post("/chip", { seat }));
    chip.dataset.seat = seat;
    one("#chips").append(chip);
  }
  one("#sign").hidden = !has.sign;
  if (has.sign) sign = new Sign(one("canvas"), has.sign);
}

function draw() {
  const at = `Round ${now.round}, ${now.phase}`;
  one("#prompt").textContent = `${at} · ${now.prompt ?? "the station does not answer"}`;
  one("#pause").textContent = now.paused ? "Go on" : "Pause";
  one("#pause").setAttribute("aria-pressed", now.paused);
  one("#rest").hidden = !(now.paused && now.at_rest);
  const speed = one("#speed");
  if (![...speed.options].some((option) => option.value === now.speed)) speed.add(new Option(now.speed));
  if (document.activeElement !== speed) speed.value = now.speed;
  for (const chip of document.querySelectorAll("#chips button")) chip.classList.toggle("on", now.chips.includes(Number(chip.dataset.seat)));
  for (const fault of document.querySelectorAll(".fault")) {
    const stands = now.standing.includes(fault.dataset.fault);
    fault.firstChild.classList.toggle("on", stands);
    const end = fault.querySelector(".end");
    if (end) end.hidden = !stands;
  }
  one("#happened").replaceChildren(
    ...[...now.happened].reverse().map((happened) => {
      const line = document.createElement("li");
      line.value = happened.number;
      line.dataset.what = happened.what;
      line.textContent = `round ${happened.round}: ${happened.what}${happened.on ? "" : " is over"}`;
      return line;
    }),
  );
  if (!now.sign) return;
  sign.show(now.sign.frames);
  one("#readable").textContent = now.sign.text;
  one("canvas").setAttribute("aria-label", now.sign.text);
}

one("#pause").addEventListener("click", () => post("/robot", { paused: !now.paused }));
one("#speed").addEventListener("change", (event) => {
  post("/speed", { speed: event.target.value });
  event.target.blur();
});
furnish(await (await fetch("/furnishing")).json());
const stream = new EventSource("/stream");
stream.addEventListener("message", (message) => {
  now = JSON.parse(message.data);
  draw();
});
stream.addEventListener("open", () => (one("#away").hidden = true));
stream.addEventListener("error", () => (one("#away").hidden = false));

// The first page of a simulated table: its screens as tiles, and what to do first.

import { button, el } from "/elements.js";
import { read } from "/stream.js";
import { language, LANGUAGES, loadWords, say, speak } from "/words.js";

const OF_POT = ["panel", "display"]; // what they say is another where the game has a pot
const byId = (id) => document.getElementById(id);
const furnishing = await read("/start/furnishing");

function draw() {
  byId("game").textContent = say(`game.${furnishing.game}`);
  byId("languages").setAttribute("aria-label", say("language"));
  for (const choice of byId("languages").children) choice.setAttribute("aria-pressed", choice.lang === language());
  const { tiles, pit } = furnishing;
  const shown = pit ? { ...tiles, pit } : tiles;
  byId("tiles").replaceChildren(...Object.entries(shown).map(tile), ...(pit ? [] : [noPit()]));
}

function tile([name, address]) {
  const what = `tile.${name}.what`;
  return el("a", { href: address, target: "_blank", rel: "noopener", "data-tile": name },
    el("b", {}, say(`tile.${name}`)), say(OF_POT.includes(name) && furnishing.pot ? `${what}/pot` : what));
}

// A pit has several tables, and is another program.
function noPit() {
  return el("section", { "data-tile": "pit" }, el("b", {}, say("tile.pit")), say("tile.pit.none"), el("code", {}, "dealer-pit simulate"));
}

function languageButton([code, name]) {
  const spoken = () => {
    speak(code);
    draw();
  };
  return button(name, spoken, { lang: code });
}

await loadWords("/start/words");
byId("languages").replaceChildren(...Object.entries(LANGUAGES).map(languageButton));
for (const command of ["watch", "floor"]) {
  byId(command).textContent = furnishing[command];
  byId(command).tabIndex = 0; // so that a long one can be scrolled by keys
}
draw();

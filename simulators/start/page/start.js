// The first page of a simulated table: its screens as tiles, and what to do first.

import { button, el } from "/elements.js";
import { read } from "/stream.js";
import { language, LANGUAGES, loadWords, say, speak } from "/words.js";

const byId = (id) => document.getElementById(id);
const furnishing = await read("/start/furnishing");

function draw() {
  byId("game").textContent = say(`game.${furnishing.game}`);
  byId("languages").setAttribute("aria-label", say("language"));
  for (const one of byId("languages").children) one.setAttribute("aria-pressed", one.lang === language());
  byId("tiles").replaceChildren(...Object.entries(furnishing.tiles).map(tile));
}

function tile([name, address]) {
  return el("a", { href: address, target: "_blank", rel: "noopener", "data-tile": name }, el("b", {}, say(`tile.${name}`)), say(`tile.${name}.what`));
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

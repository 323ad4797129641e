// Words and amounts in the language chosen on this screen; a change is seen at once, and remembered.

import { read } from "./stream.js";

export const LANGUAGES = { en: "English", pt: "Português", zh: "繁體中文" };
const TAGS = { en: "en", pt: "pt", zh: "zh-Hant-MO" };
const SEPARATORS = { en: [",", "."], pt: ["\u202f", ","], zh: [",", "."] };
const KEPT = "dealer-station-sim.language";

const catalogues = {};
let current = "en";

export function language() {
  return current;
}

export async function loadWords(folder = "/words") {
  await Promise.all(
    Object.keys(LANGUAGES).map(async (code) => {
      catalogues[code] = await read(`${folder}/${code}.json`);
    }),
  );
  const wished = [localStorage.getItem(KEPT), ...navigator.languages.map((tag) => tag.slice(0, 2)), "en"];
  speak(wished.find((code) => code in LANGUAGES));
}

// Words that the game of this table brings, by language.
export function learn(words) {
  for (const [code, of] of Object.entries(words)) Object.assign(catalogues[code], of);
}

// Everything that has its words in the page itself is written again.
export function speak(code) {
  current = code;
  document.documentElement.lang = TAGS[code];
  localStorage.setItem(KEPT, code);
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say, element.dataset);
}

// The words of a key, its {values} filled in; a key that no catalogue has is shown as it is.
export function say(key, values = {}) {
  const text = catalogues[current][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

export function has(key) {
  return key in catalogues[current];
}

// What the station says in every language.
export function textOf(words) {
  return words[current] ?? words.en;
}

// 60000 with two decimals is 600, and 60050 is 600.50.
export function amount(minor, exponent) {
  const [thousands, point] = SEPARATORS[current];
  const digits = String(Math.abs(minor)).padStart(exponent + 1, "0");
  const whole = digits.slice(0, digits.length - exponent).replace(/\B(?=(\d{3})+$)/g, thousands);
  const fraction = digits.slice(digits.length - exponent);
  return (minor < 0 ? "−" : "") + (/[1-9]/.test(fraction) ? `${whole}${point}${fraction}` : whole);
}

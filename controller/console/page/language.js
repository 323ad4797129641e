// Words, amounts and cards in the language chosen on this screen; a change is seen at once.

import { changed } from "./screen.js";
import { pause } from "./stream.js";

const KEPT = "dealer-station.language";
const NAMED = ["wager", "step", "decision", "source", "role"];
const CARDS = /^[2-9TJQKA][cdhs]( [2-9TJQKA][cdhs])*$/;
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };

const catalogues = {};
export const LANGUAGES = {}; // what each catalogue calls its own
let current = "en";
let exponent = 0;
let own = ""; // behind the keys of what this game words otherwise

export function language() {
  return current;
}

export async function loadWords() {
  for (;;) {
    const answer = await fetch("/page/words.json").catch(() => null);
    if (answer?.ok) {
      Object.assign(catalogues, await answer.json());
      break;
    }
    await pause();
  }
  for (const [code, words] of Object.entries(catalogues)) LANGUAGES[code] = words["language.name"];
  const wished = [localStorage.getItem(KEPT), ...navigator.languages.map((tag) => tag.slice(0, 2)), "en"];
  speak(wished.find((code) => code in LANGUAGES));
}

// Kept for the next time, but where a screen speaks one language after the other.
export function speak(code, kept = true) {
  current = code;
  if (document.documentElement.lang !== say("language.tag")) document.documentElement.lang = say("language.tag"); // another style for every text
  if (kept) localStorage.setItem(KEPT, code);
  changed();
}

// What is worded in another language than the screen's.
export function speakingIn(code, wording) {
  const spokenHere = current;
  current = code;
  try {
    return wording();
  } finally {
    current = spokenHere;
  }
}

export function moneyHas(decimals) {
  exponent = decimals;
}

export function wordedAs(words) {
  own = words;
}

// The words of a key, its {values} filled in; a key that no catalogue has is shown as it is.
export function say(key, values = {}) {
  return (spoken(catalogues[current], key) ?? ownName(key)).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

function spoken(words, key) {
  return words[key + own] ?? words[key];
}

// A bet that was authorised beside the game's own is called by the name it was authorised under.
function ownName(key) {
  return key.startsWith("wager.") ? key.slice("wager.".length) : key;
}

export function has(key) {
  return key in catalogues[current];
}

// Of thousands, and of decimals.
function separators() {
  return say("language.number").match(/[^\d]/g);
}

// What the station says in every language.
export function textOf(words) {
  return words[current] ?? words.en;
}

// Why something is refused, or a round void: the words of its code, their holes filled with its values in words,
// {name$} with an amount. A code without words is of a newer station: its reason is in English.
export function reason(why) {
  const words = why.code && spoken(catalogues[current].reasons, why.code);
  if (!words) return why.reason;
  return words.replace(/\{(\w+)(\$|!r)?\}/g, (_, name, kind) => valueIn(why.values[name], kind === "$"));
}

function valueIn(value, money) {
  if (value.code) return reason(value);
  return money && typeof value === "number" ? amount(value, true) : inWords(String(value));
}

// What fills a reason's hole for a name: a wager, a place, a step, roles, cards; anything else stays.
function inWords(part) {
  const name = part.replace(/^['"](.*)['"]$/, "$1");
  if (CARDS.test(name)) return cardsShown(name);
  if (/^(seat|space|place) \d+$|^bank$|^community$/.test(name)) return place(name);
  const parts = name.split(" or ").map((part) => NAMED.map((kind) => `${kind}.${part}`).find(has));
  return parts.every(Boolean) ? parts.map((key) => say(key)).join(" / ") : name;
}

// 6000035 with two decimals is 60,000.35; whole amounts lose their zeros where `short`.
export function amount(minor, short = false) {
  const [thousands, point] = separators();
  const digits = String(Math.abs(minor)).padStart(exponent + 1, "0");
  const whole = digits.slice(0, digits.length - exponent).replace(/\B(?=(\d{3})+$)/g, thousands);
  const fraction = exponent ? digits.slice(-exponent) : "";
  const shown = fraction && !(short && /^0+$/.test(fraction)) ? `${whole}${point}${fraction}` : whole;
  return (minor < 0 ? "−" : "") + shown;
}

export function signed(minor) {
  return minor > 0 ? `+${amount(minor, true)}` : amount(minor, true);
}

// "seat 3", "bank", "community", "space 2".
export function place(name) {
  const [kind, number] = name.split(" ");
  return number ? seatName(number) : say(`place.${kind}`);
}

export function seatName(seat) {
  return say("place.seat", { seat });
}

export function cardGlyphs(card) {
  return { rank: card[0] === "T" ? "10" : card[0], suit: SUITS[card[1]], red: "dh".includes(card[1]) };
}

// "As Td" is A♠ 10♦.
export function cardsShown(text) {
  return text.split(" ").map((card) => `${cardGlyphs(card).rank}${cardGlyphs(card).suit}`).join(" ");
}

export function cardName(card) {
  if (card[1] === "-") return say("tile", { tile: card });
  return say("card", { rank: say(`rank.${card[0]}`), suit: say(`suit.${card[1]}`) });
}

export function cardNames(text) {
  return text.split(" ").filter(Boolean).map(cardName).join(", ");
}

// The hour of a recorded time, which is UTC, on the clock of the room this screen is in.
export function clockTime(time) {
  const at = new Date(time);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(":");
}

// The same to the minute, of seconds since 1970.
export function hour(seconds) {
  return clockTime(seconds * 1000).slice(0, "00:00".length);
}

// 2026-01-31 20:14:09, of what may be days ago; nothing of a time that is not there.
export function moment(time) {
  if (!time) return "";
  const at = new Date(time);
  return `${[at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join("-")} ${clockTime(time)}`;
}

// 5 min ago.
export function ago(time) {
  const minutes = Math.max(0, Math.floor((Date.now() - new Date(time)) / 60_000));
  if (minutes < 1) return say("ago.now");
  if (minutes < 60) return say("ago.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? say("ago.hours", { count: hours }) : say("ago.days", { count: Math.floor(hours / 24) });
}

function twoDigits(number) {
  return String(number).padStart(2, "0");
}

// 7000 basis points are 70 %.
export function percent(points) {
  return `${decimal(String(points / 100))} %`;
}

// "-1.5" as it is written in this language.
export function decimal(text) {
  const [, point] = separators();
  return text.replace("-", "−").replace(".", point);
}

// Refusals in words: whose, why, under which article.

const FOR_A_PIN = ["pin", "wrong_pin", "locked_out", "too_many"];

// Whether the station wants a PIN with what it refused so.
export function wantsPin(refused) {
  return FOR_A_PIN.includes(refused?.error);
}

export function refusalWords(refusal) {
  if (refusal.error === "stale_step") return say("refused.stale");
  if (refusal.error === "malformed") return say("refused.malformed", { key: refusal.key, expected: refusal.expected });
  if (refusal.error === "log_in") return refusal.who ? say("refused.log_in", { who: refusal.who }) : say("log_in.no_one");
  if (wantsPin(refusal)) return say("refused.pin", { who: refusal.who });
  if (refusal.error === "defect") return say("refused.defect");
  const who = whose(refusal.who);
  const article = refusal.article ? ` (${articleWords(refusal.article)})` : "";
  return `${who}: ${reason(refusal)}${article}`;
}

// A refusal at a place is shown with the place, else with what it concerns, else with a person's name.
function whose(who) {
  if (/^(seat|space|place) \d+$|^bank$|^community$|^table$/.test(who)) return place(who);
  if (/^hit \d+$/.test(who)) return say("hit.number", { hit: who.slice(4) });
  if (/^change \d+$/.test(who)) return say("change.number", { number: who.slice(7) });
  if (/^proposal -?\d+$/.test(who)) return say("proposal.number", { number: who.slice(9) });
  if (/^act .+$/.test(who)) return say("who.act", { act: who.slice(4) });
  return has(`who.${who}`) ? say(`who.${who}`) : who;
}

export function articleWords(article) {
  if (!article.startsWith("policy: ")) return article;
  const name = article.slice(8);
  return say("policy", { name: has(`policy.${name}`) ? say(`policy.${name}`) : name });
}

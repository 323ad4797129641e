// The page of a person at a seat: one window with the felt, his question, his money and what he won.

import { button, el } from "/elements.js";
import { follow, post, read } from "/stream.js";
import { amount, language, LANGUAGES, learn, loadWords, say, speak, textOf } from "/words.js";
import { asked } from "/play/asked.js";
import { bank, own, seat, seatName, sign, signed, wagerName } from "/play/felt.js";
import { payTables, session } from "/play/pays.js";

const QUIET_MILLISECONDS = 400; // in which a press is still meant for the question before, as on the dealer's screen
const SHORT = { en: "EN", pt: "PT", zh: "中" };

const link = new URLSearchParams(location.search);
// Where this seat's page asks; on another computer with the code of the link.
const of = (what) => `/play/${seatNumber}/${what}${link.has("code") ? `?code=${encodeURIComponent(link.get("code"))}` : ""}`;
const byId = (id) => document.getElementById(id);
let furnishing = null;
let now = null;
let drawnQuestion = "";
let newest = null; // the number of the question that was drawn last
let drawnPays = "";
let answered = false;

function draw() {
  const { exponent, game, seats } = furnishing;
  byId("title").replaceChildren(seatName(furnishing.seat, seats), el("small", {}, say(`game.${game}`)));
  byId("languages").setAttribute("aria-label", say("language"));
  if (now === null) return;
  byId("away").hidden = !now.away;
  byId("away").textContent = say("you.away");
  byId("money").replaceChildren(el("b", {}, `${say("you.money")} ${amount(now.money, exponent)}`), ` · ${say("you.so_far")} `, el("b", { class: sign(now.so_far ?? 0) }, signed(now.so_far ?? 0, exponent)),
    now.bought ? ` · ${say("you.bought", { amount: amount(now.bought, exponent) })}` : "");
  drawQuestion();
  drawPays();
  if (!now.seats) return;
  byId("own").replaceChildren(...own(now.seats.find((shown) => shown.mine), seats, exponent));
  byId("session").replaceChildren(...session(now, exponent));
  byId("prompt").textContent = now.prompt ? `${say("role.dealer")}: ${textOf(now.prompt)}` : "";
  byId("bank").replaceChildren(...bank(now.bank, now.pot, exponent));
  byId("seats").replaceChildren(...now.seats.map((shown) => seat(shown, seats, exponent)));
  drawResult();
}

function drawQuestion() {
  const { question } = now;
  const drawn = `${question?.number}/${language()}`;
  if (drawn === drawnQuestion) return;
  drawnQuestion = drawn;
  byId("refusal").textContent = "";
  if (question) {
    const area = asked(question, furnishing.exponent, (answer) => send(question.number, answer));
    if (question.number !== newest) {
      newest = question.number;
      area.dataset.new = "";
      setTimeout(() => delete area.dataset.new, QUIET_MILLISECONDS);
    }
    byId("asked").replaceChildren(area);
    // The focus moves to what is asked.
    if (answered) byId("asked").querySelector("button:not(:disabled)")?.focus({ preventScroll: true });
  } else byId("asked").replaceChildren(el("p", { class: "quiet" }, say("you.wait")));
}

function drawPays() {
  const drawn = `${JSON.stringify(now.offer)}/${language()}`;
  byId("pays").hidden = !now.offer;
  if (!now.offer || drawn === drawnPays) return;
  drawnPays = drawn;
  byId("pays").querySelector("div").replaceChildren(...payTables(now.offer, furnishing.exponent));
}

function drawResult() {
  const { result } = now;
  const { exponent } = furnishing;
  if (!result) return byId("result").replaceChildren();
  const parts = [el("h2", {}, `${say("round.number", { number: result.round, round: result.round })}: ${say("display.result")}`)];
  if (result.void) parts.push(el("p", {}, `${say("display.void")} (${result.void})`));
  if (result.lines.length) {
    const head = ["line.wager", "line.stake", "line.outcome", "line.net", "line.article"].map((key) => el("th", { scope: "col" }, say(key)));
    const rows = result.lines.map((line) => el("tr", {},
      el("th", { scope: "row" }, `${wagerName(line.wager)}${line.hand ? ` ${line.hand}` : ""}`),
      el("td", {}, amount(line.stake, exponent)),
      el("td", {}, [say(`outcome.${line.outcome}`), line.odds, line.combination && say(`hand.${line.combination}`), line.limited && say("you.limited")].filter(Boolean).join(" · ")),
      el("td", { class: sign(line.net) }, signed(line.net, exponent)),
      el("td", {}, line.article)));
    const sum = el("tr", {}, el("th", { scope: "row", colspan: 3 }, say("line.sum")), el("td", { class: sign(result.net) }, signed(result.net, exponent)), el("td"));
    parts.push(el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows), el("tfoot", {}, sum)));
  } else parts.push(el("p", { class: "quiet" }, say("you.no_bet")));
  byId("result").replaceChildren(...parts);
}

async function send(number, answer) {
  answered = true;
  for (const button of byId("asked").querySelectorAll("button")) button.disabled = true;
  const sent = await post(of("answer"), { answer: { number, answer } }).catch(() => null);
  if (sent?.ok) return;
  drawnQuestion = "";
  draw();
  const refusal = sent ? (await sent.json()).refusal : null;
  byId("refusal").textContent = say(refusal ? `refusal.${refusal}` : "you.away");
}

function drawLanguages() {
  byId("languages").replaceChildren(...Object.entries(LANGUAGES).map(([code, name]) =>
    button(SHORT[code], () => { speak(code); drawLanguages(); draw(); }, { lang: code, "aria-label": name, "aria-pressed": code === language() })));
}

// Which seat this page is of; a person who opens it without one chooses.
async function chooseSeat() {
  const seats = await read("/play/seats");
  const wished = Number(link.get("seat"));
  if (seats.includes(wished) || seats.length === 1) return seats.includes(wished) ? wished : seats[0];
  byId("asked").replaceChildren(el("div", {}, el("h2", {}, say("you.choose")), el("p", { class: "row" }, ...seats.map((seat) => el("a", { class: "box", href: `/play?seat=${seat}` }, say("place.seat", { seat }))))));
  return null;
}

await loadWords("/play/words");
const seatNumber = await chooseSeat();
if (seatNumber !== null) await sitDown();

async function sitDown() {
  const first = await fetch(of("furnishing")).catch(() => null);
  if (first?.status === 403) return byId("asked").replaceChildren(el("p", {}, say("you.code")));
  furnishing = first?.ok ? await first.json() : await read(of("furnishing"));
  learn(furnishing.words);
  byId("links").hidden = furnishing.screen === null;
  byId("screen").href = furnishing.screen ?? "";
  byId("pays").open = matchMedia("(min-width: 801px)").matches;
  drawLanguages();
  draw();
  follow(
    of("stream"),
    (shown) => {
      now = shown;
      draw();
    },
    (away) => {
      if (!away) return; // the first message says what is there
      now = { ...now, away, money: now?.money ?? 0 };
      draw();
    },
  );
}

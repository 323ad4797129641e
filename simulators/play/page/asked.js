// What the person at the seat is asked, as buttons; `send` takes the answer.

import { button, el } from "/elements.js";
import { amount, say } from "/words.js";
import { piece, wagerName } from "/play/felt.js";

const ASK = { bets, decide: choice, hand: choice, yes_no: yesNo, insurance, bank, pairs };

let last = null; // the bets before

export function asked(question, exponent, send) {
  const area = el("div", { "data-kind": question.kind });
  const draw = () => {
    const key = document.activeElement?.dataset.key;
    area.replaceChildren(...ASK[question.kind](question, state, (minor) => amount(minor, exponent), send, draw));
    if (key) area.querySelector(`[data-key="${key}"]`)?.focus();
  };
  const state = { taken: question.chips?.[0], placed: {}, chip: false, capital: 0, front: [] };
  draw();
  return area;
}

function bets(question, state, money, send, draw) {
  const { placed } = state;
  const place = (box) => () => {
    const wanted = (placed[box] ?? 0) + state.taken;
    placed[box] = Math.min(wanted, question.maximum);
    document.getElementById("refusal").textContent = wanted > question.maximum ? say("refusal.limits") : "";
    draw();
  };
  const say_bets = (answer) => {
    if (Object.keys(answer.wagers).length) last = answer;
    send(answer);
  };
  const jackpot = question.chip > 0 && button(`${wagerName("jackpot")} ${money(question.chip)}`, () => { state.chip = !state.chip; draw(); }, { "aria-pressed": state.chip, class: "box", "data-key": "jackpot" });
  return [
    el("h2", {}, say("display.bets")),
    el("p", { class: "quiet" }, say("you.bets", { minimum: money(question.minimum), maximum: money(question.maximum) })),
    chips(question, state, money, draw),
    el("p", { class: "row" }, ...question.boxes.map((box) => button([wagerName(box), el("b", {}, placed[box] ? money(placed[box]) : "–")], place(box), { class: "box", "data-key": box })), jackpot),
    el("p", { class: "row" },
      button(say("you.bets.place"), () => say_bets({ wagers: placed, chip: state.chip }), { class: "go", "data-key": "answer", ...(Object.keys(placed).length ? {} : { disabled: "" }) }),
      last && button(say("bets.again"), () => say_bets(last), { "data-key": "again" }),
      button(say("you.clear"), () => { state.placed = {}; state.chip = false; draw(); }, { "data-key": "clear" }),
      button(say("you.bets.out"), () => send({ wagers: {}, chip: false }), { "data-key": "out" })),
  ];
}

function chips(question, state, money, draw) {
  return el("p", { class: "row", role: "group", "aria-label": say("chips") },
    ...question.chips.map((chip) => button(money(chip), () => { state.taken = chip; draw(); }, { class: "chip", "aria-pressed": chip === state.taken, "data-key": `chip-${chip}` })));
}

function choice(question, _, __, send) {
  const which = question.kind === "hand" ? say("you.hand", { hand: question.hand }) : say("you.decide");
  return [el("h2", {}, which), el("p", { class: "row" }, ...question.legal.map((decision) => button(say(`decision.${decision}`), () => send(decision), { class: "go", "data-key": decision })))];
}

// The focus is on the first: an Enter too many gives nothing up.
function yesNo(question, _, __, send) {
  return [el("h2", {}, say(`you.${question.question}`)),
    el("p", { class: "row" }, button(say("no"), () => send(false), { class: "go", "data-key": "no" }), button(say("yes"), () => send(true), { class: "go", "data-key": "yes" }))];
}

function insurance(question, _, money, send) {
  return [el("h2", {}, say("you.insurance", { most: money(question.most) })),
    el("p", { class: "row" }, button(`${say("decision.insure")} ${money(question.most)}`, () => send(question.most), { class: "go", "data-key": "insure" }), button(say("no"), () => send(0), { class: "go", "data-key": "no" }))];
}

function bank(question, state, money, send, draw) {
  return [el("h2", {}, say("you.bank")),
    el("p", { class: "quiet" }, say("you.bank.note", { least: money(Math.max(question.least, question.chips[0])) })),
    chips(question, state, money, draw),
    el("p", { class: "row" }, button([wagerName("capital"), el("b", {}, money(state.capital))], () => { state.capital += state.taken; draw(); }, { class: "box", "data-key": "capital" }),
      button(say("you.clear"), () => { state.capital = 0; draw(); }, { "data-key": "clear" })),
    el("p", { class: "row" }, button(say("you.bank.take"), () => send(state.capital), { class: "go", "data-key": "take", ...(state.capital >= question.least && state.capital > 0 ? {} : { disabled: "" }) }),
      button(say("bank.refuse"), () => send(0), { class: "go", "data-key": "refuse" }))];
}

function pairs(question, state, money, send, draw) {
  const turn = (at) => () => {
    state.front = state.front.includes(at) ? state.front.filter((place) => place !== at) : [...state.front, at].slice(-2);
    draw();
  };
  return [el("h2", {}, say("you.pairs")),
    el("p", { class: "quiet" }, say("you.pairs.note")),
    el("p", { class: "row" }, ...question.tiles.map((tile, at) => button([piece(tile), el("small", {}, say(state.front.includes(at) ? "pair.front" : "pair.rear"))], turn(at), { class: "box", "aria-pressed": state.front.includes(at), "data-key": `tile-${at}` }))),
    el("p", { class: "row" }, button(say("you.pairs.place"), () => send(state.front), { class: "go", "data-key": "answer", ...(state.front.length === 2 ? {} : { disabled: "" }) }))];
}

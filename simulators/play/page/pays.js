// What the bets pay, what they cost in the long run, and what this person's rounds came to.

import { el } from "/elements.js";
import { amount, has, say } from "/words.js";
import { sign, signed, wagerName } from "/play/felt.js";

// `offer` is what the players' display shows; its amounts are in whole units.
export function payTables(offer, exponent) {
  const units = (whole) => amount(whole * 10 ** exponent, exponent);
  const worth = ({ odds, percent, amount: fixed }) => {
    if (odds) return odds.replace(":", " : ");
    if (percent === 100) return say("display.whole_pot");
    return percent ? `${percent} % · ≥ ${units(fixed)}` : units(fixed);
  };
  const wagers = [...new Set(offer.pays.map((row) => row.wager))];
  const tables = wagers.map((wager) => {
    const rows = offer.pays.filter((row) => row.wager === wager);
    return el("table", { class: "pay" }, el("caption", {}, wagerName(wager)), el("tbody", {}, ...rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.name && has(row.name) ? say(row.name) : wagerName(wager)), el("td", {}, worth(row))))));
  });
  const edges = Object.entries(offer.edges);
  if (!edges.length) return tables;
  const costs = edges.map(([wager, edge]) => el("tr", {}, el("th", { scope: "row" }, wagerName(wager)), el("td", {}, `${edge.simulated ? "≈ " : ""}${edge.percent} %`)));
  return [...tables, el("table", { class: "pay" }, el("caption", {}, say("display.edge")), el("tbody", {}, ...costs))];
}

export function session({ last, so_far: soFar, expected, staked }, exponent) {
  if (!last.length) return [];
  const rounds = last.map((round) => el("li", { class: sign(round.net) }, el("small", {}, say("round.number", { number: round.round, round: round.round })), " ", round.void && !round.net ? say("outcome.void") : signed(round.net, exponent)));
  const parts = [el("h2", {}, say("you.last")), el("ol", { class: "last" }, ...rounds)];
  if (expected !== null) parts.push(el("p", {}, say("you.edge", { staked: amount(staked, exponent), came: signed(soFar, exponent), expected: signed(expected, exponent) })));
  return parts;
}

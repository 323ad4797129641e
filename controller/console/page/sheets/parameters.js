// New parameters of the jackpot: what is proposed and by whom approved, and what is agreed on and waits for the pot.

import { acting } from "../acting.js";
import { Answer } from "../answers/button.js";
import { html } from "../html.js";
import { amount, percent, say } from "../language.js";

const IN_WORDS = {
  chip: amount,
  minimum: amount,
  increment_bp: percent,
  reserve_bp: percent,
  ceiling: amount,
  overflow_to: (part) => say(`meter.${part}`),
  unreasonable_chips: String,
};

// One by one, as a person reads them: name, words.
function listed({ fixed, ...parameters }) {
  const own = Object.entries(parameters).map(([name, value]) => [say(`parameter.${name}`), IN_WORDS[name](value)]);
  const tiers = Object.entries(fixed).map(([tier, value]) => [say("parameter.fixed", { prize: say(`hand.${tier}`) }), amount(value)]);
  return [...own, ...tiers];
}

// Name, before, after, of each that changes.
export function changes(before, after) {
  const [then, now] = [new Map(listed(before)), new Map(listed(after))];
  const names = [...new Set([...then.keys(), ...now.keys()])];
  return names.map((name) => [name, then.get(name) ?? "–", now.get(name) ?? "–"]).filter(([, was, is]) => was !== is);
}

// Two persons approve, each once, a supervisor among them.
export function Proposed({ proposed }) {
  const { number, parameters_before: before, parameters_after: after, approved_by: approved } = proposed;
  const why = approved.includes(acting()) ? { reason: say("proposal.another"), rule: "" } : undefined;
  return html`<article class="hit proposal" data-proposal=${number}>
    <p><b>${say("proposal.title", { number })}</b></p>
    <table class="lines"><tbody>${changes(before, after).map(([name, was, is]) => html`<tr key=${name}>
      <th scope="row">${name}</th><td class="money">${was} → <b>${is}</b></td></tr>`)}</tbody></table>
    <p>${say("proposal.approved", { count: approved.length, who: approved.join(", ") || "–" })}</p>
    <p class="why">${say("proposal.until")}</p>
    <${Answer} kind="approve_parameters" fields=${{ number }}
      text=${say("input.approve_parameters", { who: acting() || "–" })} main why=${why} />
  </article>`;
}

export function Scheduled({ scheduled }) {
  return html`<section class="record" data-scheduled><h3>${say("scheduled.title")}</h3>
    <dl class="meter">${listed(scheduled).map(([name, words]) => html`<div key=${name}><dt>${name}</dt><dd>${words}</dd></div>`)}</dl></section>`;
}

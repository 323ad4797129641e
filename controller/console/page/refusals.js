// Refusals in words: whose, why, under which article.

import { has, place, reason, say } from "./language.js";

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

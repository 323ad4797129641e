// Corrections in words: what was entered, and what replaces it.

import { amount, cardNames, place, say } from "../language.js";

export function correctionWords(correction) {
  return say("correction", { place: place(correction.at), ...correctedWords(correction), who: correction.actor, why: correction.reason || "–" });
}

// What is corrected, from what to what, each in words.
export function correctedWords({ what, wager, before, after, amount_before: less, amount_after: more }) {
  if (what === "wager") return { what: say(`wager.${wager}`), before: less === null ? "–" : amount(less), after: amount(more) };
  const value = (entered) => {
    if (entered === null) return "–";
    if (what === "cards") return cardNames(String(entered));
    if (what === "seat") return place(String(entered));
    if (what === "dice") return String(entered);
    const [answer, numbers] = String(entered).split(" ");
    const values = answer === "insure" ? numbers.split(",").map((number) => amount(Number(number))).join(", ") : numbers;
    return [say(`decision.${answer}`), values].filter(Boolean).join(" ");
  };
  return { what: say(wager ? `wager.${wager}` : `corrected.${what}`), before: value(before), after: value(after) };
}

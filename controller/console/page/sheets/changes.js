// The changes that wait for a supervisor: what each comes to, in words and in money. One signature approves them all.

import { acting, role } from "../acting.js";
import { waitingChanges } from "../answers/button.js";
import { Component, html } from "../html.js";
import { send } from "../inputs.js";
import { articleWords, place, reason, refusalWords, say, signed } from "../language.js";
import { Reason } from "../parts/choice.js";
import { Sheet } from "../parts/sheet.js";
import { closeSheet } from "../screen.js";
import { station } from "../station.js";
import { correctedWords, Signing } from "./form.js";

const USUAL = ["reason.keyed", "reason.misunderstood", "reason.surveillance", "reason.dispute"];

export class ChangesSheet extends Component {
  state = { left: [], reason: "", refused: null };

  render(_, { left, reason: why, refused }) {
    const waiting = waitingChanges();
    if (!waiting.length) return html`<${Sheet} title=${say("changes")}><p>${say("changes.none")}</p><//>`;
    const chosen = waiting.filter(({ change }) => !left.includes(change));
    return html`<${Sheet} title=${say("changes")}>
      <p>${say("changes.what")}</p>
      ${waiting.map((change) => html`<${Change} key=${change.change} change=${change} taken=${!left.includes(change.change)}
        onTake=${() => this.turn(change.change)} onReject=${() => this.reject(change)} />`)}
      <${Reason} usual=${USUAL} text=${why} onText=${(text) => this.setState({ reason: text, refused: null })} />
      ${refused && html`<p class="refusal" role="alert">${refusalWords(refused)}</p>`}
      <${Approval} chosen=${chosen} why=${why.trim()} />
    <//>`;
  }

  turn(change) {
    this.setState(({ left }) => ({ left: left.includes(change) ? left.filter((number) => number !== change) : [...left, change] }));
  }

  async reject({ change }) {
    const answer = await send("reject_changes", { changes: [change], reason: this.state.reason.trim() }, { quietly: true });
    this.setState({ refused: answer.refused ?? null });
  }
}

// A supervisor signs what corrects a slip or voids; where a bet appears or moves, or the bank's money changes, two sign.
function Approval({ chosen, why }) {
  const { people } = station.setting;
  const two = chosen.some((change) => change.two_persons);
  const supervisors = Object.keys(people).filter((name) => people[name] === "supervisor");
  const pair = (me, other) => (people[me] === "supervisor" ? [me, other] : [other, me]);
  const changes = chosen.map(({ change }) => change);
  const acts = (me, other) => {
    const [actor, second] = two ? pair(me, other) : [other];
    return [["approve_changes", { changes, actor, reason: why, ...(second && { second }) }]];
  };
  const off = !chosen.length ? say("changes.choose") : !why ? say("changes.reason_first") : null;
  return html`<${Signing} key=${two} name="changes" text=${say(two ? "changes.sign_two" : "changes.sign")} off=${off}
    candidates=${two ? undefined : supervisors} acts=${acts} signers=${two ? pair : (_, other) => [other]} onDone=${closeSheet} />`;
}

function Change({ change, taken, onTake, onReject }) {
  const own = change.actor === acting();
  return html`<article class="change" data-change=${change.change}>
    <p><b>${change.change}. ${changeWords(change)}</b></p>
    <p>${say("changes.entered", { who: change.actor })}${change.article && ` · ${articleWords(change.article)}`}${change.net_before !== null && ` · ${say("changes.after_result")}`}</p>
    <${Money} change=${change} />
    ${change.why_not && html`<p class="refusal">${say("changes.why_not", { why: reason(change.why_not) })}</p>`}
    <p><button type="button" class="plain" data-take=${change.change} aria-pressed=${taken} onClick=${onTake}>${say("changes.take")}</button>
      ${(own || role() === "supervisor") && html` <button type="button" class="plain" data-reject=${change.change} disabled=${station.sending > 0}
        onClick=${onReject}>${say(own ? "changes.withdraw" : "changes.reject")}</button>`}</p>
  </article>`;
}

// What was entered: a correction with what it replaces, a void by its form's name.
function changeWords(change) {
  if (change.at === null) return say(`form.${change.what}`);
  const what = change.what.replace("correct_", "");
  return say("changes.correction", { place: place(change.at), ...correctedWords({ ...change, what }) });
}

// What each party has before and after, and all players together; a round that is asked again is not settled yet.
function Money({ change }) {
  if (change.net_before === null) return null;
  const sum = change.net_after === null ? say("changes.unsettled") : `${signed(change.net_after)} (${signed(change.net_difference)})`;
  const rows = change.parties.map(({ at, player, net_before: before, net_after: after }) => [`${at}/${player}`, [place(at), player].filter(Boolean).join(", "), before, after]);
  return html`<table class="lines"><tbody>
    ${rows.map(([key, whose, before, after]) => html`<tr key=${key}><th scope="row">${whose}</th><td class="money">${signed(before)} → <b>${signed(after)}</b></td></tr>`)}
    <tr><th scope="row">${say("changes.players")}</th><td class="money">${signed(change.net_before)} → <b>${sum}</b></td></tr>
  </tbody></table>`;
}

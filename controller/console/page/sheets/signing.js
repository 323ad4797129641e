// An act that two persons sign in the sheet where it is: the second one is chosen, and each keys in the own PIN.

import { acting, role } from "../acting.js";
import { Component, html } from "../html.js";
import { sendSigned } from "../inputs.js";
import { say } from "../language.js";
import { Choice } from "../parts/choice.js";
import { PinPad } from "../parts/pinpad.js";
import { guard } from "../presses.js";
import { refusalWords, wantsPin } from "../refusals.js";
import { session } from "../session.js";
import { station } from "../station.js";

const CLOSED = { open: false, other: null, pins: {}, refused: null };
const AT_THE_TABLE = ["dealer", "supervisor"];

// Who may sign beside the person who acts: one of the two is a supervisor.
function others() {
  const wanted = role() === "supervisor" ? AT_THE_TABLE : ["supervisor"];
  return Object.entries(station.setting.people).filter(([name, kind]) => name !== acting() && wanted.includes(kind)).map(([name]) => name);
}

// `acts` are what is sent, given who acts and who signs too; `signers` names those whose PINs are wanted. `other` is who
// signs too where that is settled, `candidates` are those who may; `name` distinguishes this act from others of the sheet. `off`
// says what is wanting before anyone signs.
export class Signing extends Component {
  state = { ...CLOSED, tries: 0 };

  render({ name, text, other, off, candidates = other ? [other] : others() }, { open, refused }) {
    if (!open || off) {
      return html`<div class="option"><button type="button" class="main" data-sign=${name} disabled=${Boolean(off)} onClick=${() => this.setState({ open: true })}>${text}</button>
        ${off && html`<small class="why">${off}</small>`}</div>`;
    }
    const chosen = this.chosen(candidates);
    return html`<section class="signing" data-signing=${name}>
      ${candidates.length > 1 && html`<${Choice} label=${this.props.candidates ? say("sign.who") : say("sign.with", { who: acting() })} chosen=${chosen}
        options=${candidates.map((value) => ({ value, text: value }))} onChoose=${(value) => this.choose(value)} />`}
      ${refused && !wantsPin(refused) && html`<p class="refusal" role="alert">${refusalWords(refused)}</p>`}
      ${candidates.length === 0 ? html`<p>${say("sign.none")}</p>` : chosen && this.pad(chosen)}
      <button type="button" class="plain" data-sign-not onClick=${() => this.setState(CLOSED)}>${say("back")}</button>
    </section>`;
  }

  chosen(candidates) {
    return this.state.other ?? (candidates.length === 1 ? candidates[0] : null);
  }

  choose(other) {
    this.setState({ other, pins: {}, refused: null });
  }

  pad(other) {
    if (!session.pins) {
      const who = this.props.signers(acting(), other).join(" + ");
      return html`<p>${say("sign.no_pins", { who })}</p><button type="button" class="main" data-sign-done ...${guard("confirm_hit")} disabled=${station.sending > 0} onClick=${() => this.post(other, {})}>${say("pin.done")}</button>`;
    }
    const { pins, refused, tries } = this.state;
    const signer = this.props.signers(acting(), other).find((name) => !(name in pins));
    return signer && html`<h3>${say("pin.asked", { who: signer })}</h3>
      <${PinPad} key=${`${signer} ${tries}`} name=${signer} text=${say("pin.done")} attempt=${(who, pin) => this.signed(other, who, pin)}
        refused=${refused?.who === signer && wantsPin(refused) && refused.error !== "pin" ? refused : null} />`;
  }

  // The last PIN sends the act.
  signed(other, who, pin) {
    const pins = { ...this.state.pins, [who]: pin };
    this.setState({ pins, refused: null });
    return this.props.signers(acting(), other).every((name) => name in pins) ? this.post(other, pins) : null;
  }

  async post(other, pins) {
    const { refused } = await sendSigned(this.props.acts(acting(), other), pins);
    if (refused) {
      const { [refused.who]: wrong, ...right } = pins;
      this.setState(({ tries }) => ({ refused, tries: tries + 1, pins: wantsPin(refused) && wrong ? right : {} }));
    } else {
      this.setState(CLOSED);
      this.props.onDone?.();
    }
    return null;
  }
}

// The pot: it counts up as a mechanical counter does, and never shows more than is durable.

import { Component, html } from "/page/html.js";
import { amount, clockTime, say } from "/page/language.js";

const COUNTING_MILLISECONDS = 2400;
const TURNS = "01234567890";
const STRIP = [...TURNS].join("\n");
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

export function Pot({ pot, currency, fault, changed }) {
  const at = changed ? ` · ${say("pot.changed", { time: clockTime(changed).slice(0, "00:00".length) })}` : "";
  return html`<section class="pot">
    <p class="what"><b>${say("pot")}</b><span>${fault ? say("pot.link_down") : `${currency}${at}`}</span></p>
    <${Counter} value=${pot} />
  </section>`;
}

// Each digit is a strip that is moved; a strip moves on only while those to its right pass from 9 to 0.
class Counter extends Component {
  counted = this.props.value;

  componentDidMount() {
    this.turnTo(this.counted);
  }

  componentDidUpdate({ value: before }) {
    const { value } = this.props;
    if (value === before) return this.turnTo(this.counted);
    cancelAnimationFrame(this.frame);
    if (value < this.counted || reduced.matches) return this.turnTo((this.counted = value));
    const [from, begun] = [this.counted, performance.now()];
    const step = (now) => {
      const part = Math.min(1, Math.max(0, (now - begun) / COUNTING_MILLISECONDS));
      this.counted = part === 1 ? value : Math.min(value, from + (value - from) * (1 - (1 - part) ** 3));
      this.turnTo(this.counted);
      if (part < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  componentWillUnmount() {
    cancelAnimationFrame(this.frame);
  }

  turnTo(value) {
    let carried = value % 1;
    let left = Math.floor(value);
    for (const strip of [...this.box.querySelectorAll(".strip")].reverse()) {
      const turned = (left % 10) + carried;
      strip.style.transform = `translateY(${(-100 * turned) / TURNS.length}%)`;
      carried = Math.max(0, turned - 9);
      left = Math.floor(left / 10);
    }
  }

  render({ value }) {
    const text = amount(value);
    return html`<p class="counter" role="img" aria-label=${text} style=${{ "--chars": text.length }} ref=${(box) => { this.box = box ?? this.box; }}>
      ${[...text].map((sign, at) => (/\d/.test(sign)
        ? html`<span class="drum" key=${at - text.length} aria-hidden="true"><span class="strip">${STRIP}</span></span>`
        : html`<span class="sign" key=${at - text.length} aria-hidden="true">${sign}</span>`))}</p>`;
  }
}

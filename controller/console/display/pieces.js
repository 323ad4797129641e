// A change of the screen is drawn a piece a frame, each in a box whose size nothing in it changes (`contain` in
// display.css): the layout of a frame is that of one box, however much changed, and what counts or glows stays smooth.
// Where frames take longer, as on a busy computer, the next piece does not wait for one: a result is not late.

import { Component, html } from "/page/html.js";
import { language } from "/page/language.js";

const root = document.getElementById("display");
const due = new Set();
const LONG_MILLISECONDS = 100;
let frame = null;
let timer = null;

// `draw` makes the element, a `tag`, of what is in `of`; before its first turn the element is empty.
export class Piece extends Component {
  drawn = null;

  componentDidMount() {
    this.wait(this.props);
  }

  shouldComponentUpdate(props) {
    this.wait(props);
    return false;
  }

  componentDidUpdate() {
    fit(this.base);
  }

  componentWillUnmount() {
    due.delete(this);
    marked();
  }

  wait({ of }) {
    this.wanted = JSON.stringify([language(), of]);
    if (this.wanted === this.drawn) due.delete(this);
    else due.add(this);
    marked();
  }

  render({ tag, class: name, of, draw }) {
    return this.drawn === null ? html`<${tag} class=${name} />` : draw(of);
  }
}

function marked() {
  root.toggleAttribute("data-drawing", due.size > 0);
  if (due.size === 0 || frame !== null) return;
  frame = requestAnimationFrame(drawNext);
  timer = setTimeout(drawNext, LONG_MILLISECONDS);
}

function drawNext() {
  cancelAnimationFrame(frame);
  clearTimeout(timer);
  frame = null;
  const [piece] = due;
  if (piece) {
    due.delete(piece);
    piece.drawn = piece.wanted;
    piece.forceUpdate();
  }
  marked();
}

// What is shown in turn: the pages of the pay table, then the same in the next language. A page has ten seconds; none of
// them passes while a result is shown, which keeps its language. A page that is over goes with the next change of the
// stage, or once nothing has changed for four seconds: no one who has begun to read a new line loses it.

const PAGE_SECONDS = 10;
const CALM_SECONDS = 4;
const RESULTS = ["result", "void"];

export class Turns {
  page = 0;
  #languages;
  #spoken = 0;
  #stage = null;
  #shown = 0; // seconds of this page
  #calm = 0; // since the stage changed

  constructor(languages) {
    this.#languages = languages;
  }

  get language() {
    return this.#languages[this.#spoken];
  }

  // Whether it is another's turn after these seconds, at this stage, with so many pages.
  pass(seconds, stage, pages) {
    const other = stage !== this.#stage;
    this.#stage = stage;
    this.#calm = other ? 0 : this.#calm + seconds;
    if (RESULTS.includes(stage)) return false;
    if (!other) this.#shown += seconds;
    if (this.#shown < PAGE_SECONDS || (!other && this.#calm < CALM_SECONDS)) return false;
    this.#shown = 0;
    this.page += 1;
    if (this.page >= pages) {
      this.page = 0;
      this.#spoken = (this.#spoken + 1) % this.#languages.length;
    }
    return true;
  }
}

// The text of each box within an element is scaled down until the box has room for it, in any language and with any amount.

const STEP = 0.94;
const LEAST = 0.3;
const measured = new WeakMap(); // what each box was when it fitted

export function fit(within = document.body) {
  const boxes = [within, ...within.querySelectorAll("[data-fit]")]
    .filter((box) => "fit" in box.dataset && measured.get(box) !== looksOf(box));
  for (const box of boxes) box.style.removeProperty("--scale");
  let crowded = boxes.filter(overflows);
  for (let scale = STEP; crowded.length > 0 && scale > LEAST; scale *= STEP) {
    for (const box of crowded) box.style.setProperty("--scale", scale);
    crowded = crowded.filter(overflows);
  }
  for (const box of boxes) measured.set(box, looksOf(box));
}

function overflows(box) {
  return box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1;
}

function looksOf(box) {
  return `${innerWidth} ${innerHeight} ${box.clientWidth} ${box.clientHeight} ${box.textContent}`;
}

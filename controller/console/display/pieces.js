// A change of the screen is drawn a piece a frame, each in a box whose size nothing in it changes (`contain` in
// display.css): the layout of a frame is that of one box, however much changed, and what counts or glows stays smooth.
// Where frames are missed, as on a busy computer, a frame has a piece for each of them: a result is not late.

import { Component, html } from "/page/html.js";
import { language } from "/page/language.js";
import { fit } from "./fit.js";

const root = document.getElementById("display");
const due = new Set();
const FRAME_MILLISECONDS = 1000 / 60;
let frame = null;
let before = null; // when the last frame of this change was

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
  if (due.size > 0) frame ??= requestAnimationFrame(drawNext);
}

function drawNext(now) {
  frame = null;
  const count = before === null ? 1 : Math.max(1, Math.round((now - before) / FRAME_MILLISECONDS));
  for (const piece of [...due].slice(0, count)) {
    due.delete(piece);
    piece.drawn = piece.wanted;
    piece.forceUpdate();
  }
  before = due.size > 0 ? now : null;
  marked();
}

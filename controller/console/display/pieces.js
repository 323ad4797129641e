// A change of the screen is drawn a piece a frame, each in a box whose size nothing in it changes (`contain` in
// display.css): the layout of a frame is that of one box, however much changed, and what counts or glows stays smooth.
// Where frames take longer, as on a busy computer, the next piece does not wait for one: a result is not late.

import { Component, html } from "/page/html.js";
import { language } from "/page/language.js";
import { fit } from "./fit.js";

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

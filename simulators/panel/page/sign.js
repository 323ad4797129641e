// The sign, dot by dot: each frame for three seconds, and what scrolls at forty columns a second.

const COLOURS = { ".": "#221a18", r: "#ff4632", g: "#46e05a", a: "#ffb020" };
const DOT = 8;
const FRAME_MS = 3000;
const COLUMN_MS = 25;

export class Sign {
  #canvas;
  #size;
  #frames = [];
  #at = 0;
  #since = 0;

  constructor(canvas, size) {
    this.#canvas = canvas;
    this.#size = size;
    canvas.width = size.width * DOT;
    canvas.height = size.height * DOT;
    setInterval(() => this.#tick(), COLUMN_MS);
  }

  show(frames) {
    // An amount that runs does not start the pages again.
    const other = frames.length !== this.#frames.length;
    this.#frames = frames;
    if (other) this.#begin(0);
    else this.#draw();
  }

  #begin(at) {
    this.#at = at;
    this.#since = performance.now();
    this.#draw();
  }

  #tick() {
    const frame = this.#frames[this.#at];
    if (!frame) return;
    const lasts = frame.scrolls ? (frame.rows[0].length + this.#size.width) * COLUMN_MS : FRAME_MS;
    if (performance.now() - this.#since >= lasts) {
      if (frame.scrolls || this.#frames.length > 1) this.#begin((this.#at + 1) % this.#frames.length);
    } else if (frame.scrolls) this.#draw();
  }

  #draw() {
    const pen = this.#canvas.getContext("2d");
    const frame = this.#frames[this.#at];
    const gone = Math.floor((performance.now() - this.#since) / COLUMN_MS);
    const left = frame?.scrolls ? this.#size.width - gone : 0;
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    for (let row = 0; row < this.#size.height; row += 1) {
      for (let column = 0; column < this.#size.width; column += 1) {
        pen.fillStyle = COLOURS[frame?.rows[row][column - left] ?? "."];
        pen.beginPath();
        pen.arc((column + 0.5) * DOT, (row + 0.5) * DOT, DOT * 0.42, 0, 2 * Math.PI);
        pen.fill();
      }
    }
  }
}

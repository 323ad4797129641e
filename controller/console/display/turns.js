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

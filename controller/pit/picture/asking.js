// A view that asks the archive when it is opened, and again every half minute while it is looked at.

import { Component } from "/page/html.js";

const AGAIN_MILLISECONDS = 30_000;

export class Asking extends Component {
  state = { answer: undefined };

  componentDidMount() {
    this.ask();
    this.again = setInterval(() => this.ask(), AGAIN_MILLISECONDS);
  }

  componentWillUnmount() {
    clearInterval(this.again);
  }

  // What was known stays where nothing can be read now.
  async ask() {
    const answer = await this.wanted();
    this.setState((before) => ({ answer: answer ?? before.answer ?? null }));
  }
}

// Who logged in at this table, who was not let in, and from where: for a supervisor who is logged in here.

import { Component, html } from "../html.js";
import { moment, say } from "../language.js";
import { Log, READING } from "../parts/log.js";
import { Sheet } from "../parts/sheet.js";
import { recall } from "../recall.js";
import { openSheet } from "../screen.js";

const MINUTE = 60; // seconds

export class EntriesSheet extends Component {
  state = { entries: READING, find: "" };

  async componentDidMount() {
    const answer = await recall("/entries?last=1000");
    this.setState({ entries: answer && answer.entries });
  }

  render(_, { entries, find }) {
    return html`<${Sheet} title=${say("entries")} wide>
      <button class="plain back" onClick=${() => openSheet("acting")}>← ${say("back")}</button>
      <${Log} log=${entries} row=${rowOf} columns=${COLUMNS} find=${find} onFind=${(text) => this.setState({ find: text })}
        none=${say("entries.none")} unread=${say("entries.unread")} />
    <//>`;
  }
}

const COLUMNS = ["time", "name", "what", "address"];

function rowOf(entry) {
  return { time: moment(entry.time), name: whoWas(entry), what: whatWas(entry), address: whereWas(entry), bad: isBad(entry) };
}

function whoWas({ name, role }) {
  return name ? `${name}, ${say(`role.${role}`)}` : "–";
}

function whereWas({ address, screen_persons: persons }) {
  return persons?.length ? `${address}, ${say("entry.screen_of", { persons: persons.join(", ") })}` : address;
}

function whatWas({ what, how, reason, failures, seconds, actor, attempts }) {
  if (what === "ended") return `${say("entry.ended")}: ${say(`entry.how.${how}`)}`;
  if (what === "refused") return `${say("entry.refused")}: ${say(`entry.reason.${reason}`, { attempts })}`;
  if (what === "locked") return say("entry.locked", { failures, minutes: Math.ceil(seconds / MINUTE) });
  if (what === "lifted") return actor ? say("entry.lifted", { actor }) : say("entry.lifted_by_pin");
  return say("entry.made");
}

function isBad({ what }) {
  return what === "refused" || what === "locked";
}

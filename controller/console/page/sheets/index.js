// The sheets, by name.

import { ActingSheet } from "../acting.js";
import { html } from "../html.js";
import { screen } from "../screen.js";
import { AlarmsSheet, EntriesSheet } from "./logs.js";
import { AmountSheet, PlayerSheet } from "../parts/tray.js";
import { ChangesSheet } from "./changes.js";
import { CorrectSheet } from "./correct.js";
import { DevicesSheet, SourceSheet } from "./devices.js";
import { JackpotSheet } from "./jackpot.js";
import { RegisterSheet, SlipSheet } from "./papers.js";
import { ReportSheet } from "./report.js";
import { RoundsSheet, SeatSheet } from "./rounds.js";
import { SetupSheet } from "./setup.js";

const SHEETS = {
  acting: ActingSheet,
  alarms: AlarmsSheet,
  amount: AmountSheet,
  changes: ChangesSheet,
  correct: CorrectSheet,
  devices: DevicesSheet,
  entries: EntriesSheet,
  jackpot: JackpotSheet,
  player: PlayerSheet,
  register: RegisterSheet,
  report: ReportSheet,
  rounds: RoundsSheet,
  seat: SeatSheet,
  setup: SetupSheet,
  slip: SlipSheet,
  source: SourceSheet,
};

export function OpenSheet() {
  const open = screen.sheet;
  if (!open) return null;
  const Open = SHEETS[open.name];
  return html`<${Open} key=${open.name} ...${open} />`;
}

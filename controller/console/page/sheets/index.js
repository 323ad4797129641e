// The sheets, by name.

import { ActingSheet } from "../acting.js";
import { html } from "../html.js";
import { screen } from "../screen.js";
import { AlarmsSheet } from "./alarms.js";
import { AmountSheet } from "./amount.js";
import { ChangesSheet } from "./changes.js";
import { CorrectSheet } from "./correct.js";
import { DevicesSheet } from "./devices.js";
import { EntriesSheet } from "./entries.js";
import { JackpotSheet } from "./jackpot.js";
import { PlayerSheet } from "./player.js";
import { RegisterSheet } from "./register.js";
import { ReportSheet } from "./report.js";
import { RoundsSheet } from "./rounds.js";
import { SeatSheet } from "./seat.js";
import { SetupSheet } from "./setup.js";
import { SlipSheet } from "./slip.js";
import { SourceSheet } from "./source.js";

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

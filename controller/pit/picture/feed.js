// The line to the pit: all tables as they stream in. It decides nothing, not even the order.

import { events, pause } from "/page/stream.js";
import { changed } from "/page/screen.js";
import { askSession, mayRead, shown } from "/page/session.js";

const LOG_IN = 401; // the status where no one is logged in

export const pit = {
  tables: null, // the most urgent first
  alarms: [], // of the pit itself
  connected: false, // whether the pit has its broker
  links: [], // the linked pots, with what is stopped or not paid
  link: "connecting", // "live", "away"
  graced: false, // whether the pit has had time to find its broker
};

const GRACE_MILLISECONDS = 10_000;
setTimeout(() => {
  pit.graced = true;
  changed();
}, GRACE_MILLISECONDS);

// Not by EventSource, which cannot show who is logged in here. A browser opens at most six connections to one origin: a
// hidden page gives its own back.
export async function follow() {
  for (;;) {
    if (document.hidden) await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
    const asked = new AbortController();
    const { signal } = asked;
    document.addEventListener("visibilitychange", () => asked.abort(), { signal });
    try {
      const answer = mayRead() && (await fetch("/tables/stream", { headers: shown(), signal }));
      if (answer?.ok) for await (const received of events(answer.body)) take(received);
      if (answer) await askSession();
      if (answer && !answer.ok) linkIs(answer.status === LOG_IN ? "connecting" : "away");
    } catch {
      if (signal.aborted) continue;
      linkIs("away");
    } finally {
      asked.abort();
    }
    await pause();
  }
}

function take(received) {
  Object.assign(pit, received);
  linkIs("live");
}

function linkIs(link) {
  pit.link = link;
  changed();
}

export function tableOf(site, table) {
  return pit.tables?.find((tile) => tile.site === site && tile.table === table);
}

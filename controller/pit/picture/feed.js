// The line to the pit: all tables as they stream in. It decides nothing, not even the order.

import { pause } from "/page/recall.js";
import { changed } from "/page/screen.js";
import { askSession, mayRead, shown } from "/page/session.js";

export const pit = {
  tables: null, // the most urgent first
  heard: false, // whether the pit has its broker
  link: "connecting", // "live", "away"
};

// Not by EventSource, which cannot show who is logged in here.
export async function follow() {
  for (;;) {
    try {
      const answer = mayRead() && (await fetch("/tables/stream", { headers: shown() }));
      if (answer?.ok) for await (const told of events(answer.body)) take(told);
      if (answer) await askSession();
      linkIs(answer && !answer.ok ? "connecting" : pit.link);
    } catch {
      linkIs("away");
    }
    await pause();
  }
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (waiting + value).split("\n\n");
    waiting = parts.pop();
    for (const part of parts) if (part.startsWith("data: ")) yield JSON.parse(part.slice("data: ".length));
  }
}

function take(told) {
  Object.assign(pit, told);
  linkIs("live");
}

function linkIs(link) {
  pit.link = link;
  changed();
}

export function tableOf(site, table) {
  return pit.tables?.find((one) => one.site === site && one.table === table);
}

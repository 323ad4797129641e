// The line to the pit: all tables as they stream in, and what is asked for besides. It decides nothing, not even the order.

import { changed } from "/page/screen.js";
import { askSession, mayRead, shown } from "/page/session.js";

const AGAIN_MILLISECONDS = 1000;
const READINGS = 5; // until the archive is believed to be busy for long

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

// Of the archive; null where it cannot be read now. While others read it is busy.
export async function recall(address) {
  try {
    for (let times = 0; times < READINGS; times += 1) {
      const answer = await fetch(address, { headers: shown() });
      if (answer.ok) return await answer.json();
      if (!answer.headers.get("retry-after")) return null;
      await pause();
    }
  } catch {
    // the pit is away
  }
  return null;
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, AGAIN_MILLISECONDS));
}

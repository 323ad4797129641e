// What is asked for beside the stream, and asked again while there is no answer.

import { pause } from "./pause.js";
import { shown } from "./session.js";

const READINGS = 5; // until it is believed that others ask for long

// Null where it cannot be read now, or no one is logged in here, and {refused} where what is asked is not understood.
export async function recall(address) {
  try {
    for (let times = 0; times < READINGS; times += 1) {
      const answer = await fetch(address, { headers: shown() });
      if (answer.ok) return await answer.json();
      if (answer.status === 422) return { refused: await answer.json() };
      if (!answer.headers.get("retry-after")) return null;
      await pause();
    }
  } catch {
    // station or pit is away
  }
  return null;
}

// The stream of a page. A browser opens at most six connections to one origin, and each stream holds one of them: a
// hidden page closes its stream, and opens it again when it is visible.

import { pause } from "./pause.js";

// `take` gets each message. `away` is called when the stream breaks or is refused; it is opened again until it is there.
// Gives whether the stream is open now.
export function follow(address, take, away) {
  let stream = null;
  const end = () => {
    stream?.close();
    stream = null;
  };
  const begin = () => {
    if (stream || document.hidden) return;
    const begun = (stream = new EventSource(address));
    begun.onmessage = (event) => take(JSON.parse(event.data));
    begun.onerror = async () => {
      away();
      if (begun.readyState !== EventSource.CLOSED) return; // the browser itself asks again, but not after an HTTP error
      end();
      await pause();
      begin();
    };
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? end() : begin()));
  begin();
  return () => stream?.readyState === EventSource.OPEN;
}

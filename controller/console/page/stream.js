// The stream of a page. A browser opens at most six connections to one origin, and each stream holds one of them: a
// hidden page closes its stream, and opens it again when it is visible. Not an EventSource, which has no headers and so
// cannot show who is logged in here.

// `take` gets each message. `away` is called when the stream breaks or is refused; it is opened again until it is there.
// `headers` gives what is shown of this screen. Gives whether the stream is open now, and what opens it again.
export function follow(address, take, away, headers = () => ({})) {
  let open = null; // the AbortController of the stream
  let streaming = false;
  const end = () => {
    open?.abort();
    open = null;
    streaming = false;
  };
  const begin = async () => {
    if (open || document.hidden) return;
    const begun = (open = new AbortController());
    try {
      const answer = await fetch(address, { headers: headers(), signal: begun.signal });
      if (answer.ok) for await (const received of events(answer.body)) {
        if (begun !== open) return;
        streaming = true;
        take(received);
      }
    } catch {
      // the station is away, or the stream was ended here
    }
    if (begun !== open) return;
    end();
    away();
    await pause();
    begin();
  };
  const again = () => {
    end();
    begin();
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? end() : begin()));
  begin();
  return { isOpen: () => streaming, again };
}

// The messages of a body of server-sent events.
export async function* events(body) {
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

// How long a page waits until it asks again.

const AGAIN_MILLISECONDS = 1000;

export function pause() {
  return new Promise((resolve) => setTimeout(resolve, AGAIN_MILLISECONDS));
}

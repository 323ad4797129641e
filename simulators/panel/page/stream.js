// What a page reads from the bench, once and as it changes, and what it sends there. A browser opens at most six
// connections to one origin, and each stream holds one of them: a hidden page closes its stream, and opens it again when
// it is visible.

const AGAIN_MS = 1000;

function pause() {
  return new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
}

// The JSON at an address, asked for until it is answered.
export async function read(address) {
  for (;;) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return answer.json();
    await pause();
  }
}

// Sends a wish to an address as JSON; the answer. Rejects where the bench is away.
export function post(address, wish) {
  return fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wish) });
}

// `take` gets each message; `away` is called with true when the stream breaks or is refused, with false when it is there. What is returned ends it.
export function follow(address, take, away) {
  let stream = null;
  const end = () => {
    stream?.close();
    stream = null;
  };
  let over = false;
  const begin = () => {
    if (over || stream || document.hidden) return;
    const begun = (stream = new EventSource(address));
    begun.onopen = () => away(false);
    begun.onmessage = (event) => take(JSON.parse(event.data));
    begun.onerror = async () => {
      away(true);
      if (begun.readyState !== EventSource.CLOSED) return; // the browser itself asks again, but not after an HTTP error
      end();
      await pause();
      begin();
    };
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? end() : begin()));
  begin();
  return () => {
    over = true;
    end();
  };
}

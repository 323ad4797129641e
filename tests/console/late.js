// A test that looks at a page before it has drawn, or received, what it waits for finds nothing: everything is late by this much.

const LATE_MS = 150;

const frame = requestAnimationFrame.bind(window);
window.requestAnimationFrame = (draw) => setTimeout(() => frame(draw), LATE_MS);

const ask = fetch.bind(window);
const late = (milliseconds) => new Promise((then) => setTimeout(then, milliseconds));
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    const delayed = new TransformStream({ transform: (piece, out) => late(LATE_MS).then(() => out.enqueue(piece)) });
    return new Response(answer.body.pipeThrough(delayed), answer);
  }
  await late(2 * LATE_MS); // what comes of it is published before
  return answer;
};

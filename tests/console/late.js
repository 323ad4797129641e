// Whoever looks at a page before it has drawn, or heard, what he waits for finds nothing: everything is late by this much.

const LATE_MS = 150;

const frame = requestAnimationFrame.bind(window);
window.requestAnimationFrame = (draw) => setTimeout(() => frame(draw), LATE_MS);

const ask = fetch.bind(window);
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  await new Promise((then) => setTimeout(then, 2 * LATE_MS)); // what comes of it is told before
  return answer;
};

window.EventSource = class extends EventSource {
  set onmessage(heard) {
    super.onmessage = (event) => setTimeout(() => heard(event), LATE_MS);
  }
};

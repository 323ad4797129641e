// Runs in the console's page before its own scripts: when the page received, drew and showed each version of the table.

(() => {
  const received = {}; // by version of the table, milliseconds of performance.now()
  const draws = []; // {version, cards, drawn, shown}; the same milliseconds

  const ask = window.fetch.bind(window);
  window.fetch = async (address, ...more) => {
    const answer = await ask(address, ...more);
    if (address !== "/stream") return answer;
    const text = new TextDecoder();
    const looking = new TransformStream({
      transform(piece, out) {
        const version = /"version":(\d+)/.exec(text.decode(piece, { stream: true }));
        if (version) received[version[1]] ??= performance.now();
        out.enqueue(piece);
      },
    });
    return new Response(answer.body.pipeThrough(looking), answer);
  };

  // A dot that is first painted in the frame that shows the draw: its render time is when that frame was presented.
  function marked(name) {
    const dot = document.createElement("p");
    dot.textContent = "·";
    dot.setAttribute("elementtiming", name);
    dot.style.cssText = "position: fixed; left: 0; bottom: 0; margin: 0; font-size: 6px; line-height: 1";
    document.body.append(dot);
    return dot;
  }

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const draw = draws.find((draw) => draw.dot && entry.element === draw.dot);
      if (!draw) continue;
      draw.shown = entry.renderTime;
      draw.dot.remove();
      draw.dot = null;
    }
  }).observe({ type: "element" });

  let version = null;
  new MutationObserver(() => {
    const table = document.querySelector("[data-step]");
    if (!table || table.dataset.version === version) return;
    version = table.dataset.version;
    const drawn = performance.now();
    const cards = table.querySelectorAll(".felt .card").length;
    draws.push({ version: Number(version), cards, drawn, shown: null, dot: marked(`table ${version}`) });
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] });

  window.bench = {
    shows: (wanted) => draws.some((draw) => draw.version >= wanted) && draws.every((draw) => draw.shown !== null),
    // What happened since this was asked last.
    taken: () => ({
      received: Object.fromEntries(Object.entries(received).map(([message, at]) => (delete received[message], [message, at]))),
      draws: draws.splice(0).map(({ version, cards, drawn, shown }) => ({ version, cards, drawn, shown })),
    }),
  };
})();

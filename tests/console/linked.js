// Whatever the station sends, its table is at a linked pot whose pit is away: `LINKED` replaces its jackpot.

{
  const ask = window.fetch.bind(window);
  const replaced = (event) => {
    if (!event.startsWith("data: ")) return event;
    const table = JSON.parse(event.slice("data: ".length));
    const devices = { ...table.devices, pit: "down" };
    return `data: ${JSON.stringify({ ...table, devices, jackpot: { ...table.jackpot, ...LINKED } })}`;
  };
  window.fetch = async (address, ...more) => {
    const answer = await ask(address, ...more);
    if (address !== "/stream") return answer;
    let waiting = "";
    const laying = new TransformStream({
      transform(text, out) {
        const parts = (waiting + text).split("\n\n");
        waiting = parts.pop();
        for (const part of parts) out.enqueue(`${replaced(part)}\n\n`);
      },
    });
    const body = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(laying).pipeThrough(new TextEncoderStream());
    return new Response(body, answer);
  };
}

// Whatever the station says, its table is at a linked pot whose pit is away: `LINKED` is laid over its jackpot.

window.EventSource = class extends EventSource {
  set onmessage(heard) {
    super.onmessage = (event) => {
      const table = JSON.parse(event.data);
      const devices = { ...table.devices, pit: "down" };
      heard({ data: JSON.stringify({ ...table, devices, jackpot: { ...table.jackpot, ...LINKED } }) });
    };
  }
};

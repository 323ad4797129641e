// What a settlement brings the house; negative: what it costs.

// Where the bank is a player's, the house has the commission and its own part in the bank. `win` leaves out the jackpot,
// which is paid out of its pot.
export function houseNet({ seats, bank }) {
  const lines = seats.flatMap((seat) => seat.lines);
  const net = (some) => some.reduce((sum, line) => sum + line.net, 0); // a seat's own net leaves its backers out
  const players = net(lines);
  const jackpot = net(lines.filter((line) => line.wager === "jackpot"));
  const commission = lines.reduce((sum, line) => sum + line.commission, 0);
  const behind = (bank?.joiners ?? []).reduce((sum, line) => sum + line.net, bank?.net ?? 0);
  return { net: 0 - players - behind, win: 0 - (players - jackpot) - behind, commission };
}

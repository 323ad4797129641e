// What is on the felt: cards, tiles, seats and the bank.

import { el, glyphs, isRed } from "/elements.js";
import { amount, has, say } from "/words.js";

// "As", "6-5": a card or a tile; null is face down.
export function piece(name, tiles = false) {
  if (name === null) return el("span", { class: tiles ? "tile down" : "card down", role: "img", "aria-label": say(tiles ? "tile.down" : "card.down") });
  if (name[1] === "-") {
    return el("span", { class: "tile", role: "img", "aria-label": say("tile", { tile: name }) }, half(name[0]), half(name[2]));
  }
  const label = say("card", { rank: say(`rank.${name[0]}`), suit: say(`suit.${name[1]}`) });
  return el("span", { class: `card${isRed(name) ? " red" : ""}`, role: "img", "aria-label": label }, glyphs(name));
}

function half(dots) {
  return el("span", { class: `half d${dots}` }, ...Array.from({ length: Number(dots) }, () => el("i")));
}

function pieces(open, down, tiles = false) {
  return el("span", { class: "pieces" }, ...open.map((face) => piece(face)), ...Array.from({ length: down }, () => piece(null, tiles)));
}

export function wagerName(wager) {
  return has(`wager.${wager}`) ? say(`wager.${wager}`) : wager;
}

export function signed(minor, exponent) {
  return (minor > 0 ? "+" : "") + amount(minor, exponent);
}

export function bank(shown, pot, exponent) {
  if (shown === null) return [];
  const parts = [];
  if (shown.banker) {
    parts.push(el("span", {}, `${say("place.banker")}: ${seatName(shown.banker.place, "place")} · ${say("wager.capital")} ${amount(shown.banker.capital, exponent)}`));
  } else if (shown.cards.length + shown.down > 0) {
    const total = shown.total ? say("points", { points: shown.total }) : "";
    const hand = shown.hand ? `${say(`hand.${shown.hand}`)} · ${say(shown.qualifies ? "bank.plays" : "bank.does_not_play")}` : total;
    parts.push(el("span", {}, el("b", {}, `${say("place.bank")} `), pieces(shown.cards, shown.down), ` ${hand}`));
  }
  if (shown.community.length + shown.community_down > 0) {
    parts.push(el("span", {}, el("b", {}, `${say("place.community")} `), pieces(shown.community, shown.community_down)));
  }
  if (shown.dice.length) parts.push(el("span", { class: "dice" }, shown.dice.join(" · ")));
  if (pot !== null) parts.push(el("span", { class: "pot" }, `${say("meter.pot")} ${amount(pot, exponent)}`));
  return parts;
}

// `named` is what a player's place is called at this game: "seat" or "place".
export function seatName(seat, named) {
  return say(named === "place" ? "place.seat/place" : "place.seat", { seat });
}

export function seat(shown, named, exponent) {
  const classes = ["seat", shown.mine ? "mine" : "", shown.due ? "due" : "", ["fold", "refused"].includes(shown.says) ? "folded" : ""].join(" ");
  const open = shown.cards.length ? shown.cards : shown.own;
  const tiles = named === "place";
  const placed = shown.wagers.find(({ wager }) => wager === "bet")?.amount;
  const cards = shown.hands.length ? shown.hands.map((shownHand) => hand(shownHand, placed, exponent)) : [pieces(open, open.length ? 0 : shown.down, tiles)];
  const lines = shown.wagers.map((bet) => el("li", {}, `${wagerName(bet.wager)} ${amount(bet.amount, exponent)}${bet.player && bet.player !== shown.player ? ` · ${bet.player}` : ""}`));
  if (shown.chip) lines.push(el("li", {}, say("wager.jackpot")));
  const says = [shown.says && say(`decision.${shown.says}.done`), shown.hand && say(`hand.${shown.hand}`)].filter(Boolean).join(" · ");
  return el(
    "section", { class: classes, "data-seat": shown.seat, "aria-label": seatName(shown.seat, named) },
    el("h2", {}, seatName(shown.seat, named), el("small", {}, shown.mine ? say("you") : shown.player)),
    ...(shown.pairs ? pairs(shown.pairs) : cards),
    el("ul", {}, ...lines),
    says && el("p", {}, says),
    typeof shown.net === "number" && lines.length > 0 && el("p", { class: sign(shown.net) }, signed(shown.net, exponent)),
  );
}

// The cards of the person who looks at the page, large.
export function own(shown, named, exponent) {
  const open = shown.cards.length ? shown.cards : shown.own;
  if (shown.pairs) return pairs(shown.pairs);
  if (shown.hands.length) return shown.hands.map((shownHand) => hand(shownHand, shown.wagers.find(({ wager }) => wager === "bet")?.amount, exponent));
  return open.length + shown.down ? [pieces(open, open.length ? 0 : shown.down, named === "place"), el("span", {}, shown.hand ? say(`hand.${shown.hand}`) : "")] : [];
}

function pairs(shown) {
  return ["front", "rear"].map((which) =>
    el("p", { class: "pair" }, el("small", {}, say(`pair.${which}`)), pieces(shown[which].cards, 0), el("span", {}, say(`pair.${shown[which].name}`))),
  );
}

// Its stake is shown where it is not what was bet: doubled, or the half of it is given up.
function hand(shownHand, placed, exponent) {
  const state = has(`hand_state.${shownHand.state}`) ? say(`hand_state.${shownHand.state}`) : "";
  const worth = [say("points", { points: shownHand.total }), state, shownHand.bet !== placed && `${say("line.stake")} ${amount(shownHand.bet, exponent)}`];
  return el("p", { class: "hand" }, pieces(shownHand.cards.split(" ").filter(Boolean), 0), el("span", {}, worth.filter(Boolean).join(" · ")));
}

export function sign(net) {
  return net > 0 ? "won" : net < 0 ? "lost" : "";
}

// The drawn table: cables, lids, rollers and slots to tap, cards and chips as they are, and the dealer's hand.

import { button, el, glyphs, isRed, find, write } from "./elements.js";
import { follow } from "./stream.js";
import { amount, has, say } from "./words.js";

function piece(name) {
  if (name[1] === "-") return el("span", { class: "piece tile" }, name.replace("-", "·"));
  return el("span", { class: `piece${isRed(name) ? " red" : ""}` }, glyphs(name));
}

function pieces({ cards, down }) {
  const most = Math.min(down, 5); // of a pile only its top is drawn
  return [...cards.map(piece), ...Array.from({ length: most }, () => el("span", { class: "piece down" }))];
}

const PULLED = "@for=86400"; // until it is put back

// What can be done to a device by tapping it: the part's class, the fault, the words.
const PARTS = {
  shuffler: [["lid", "lid_open", "lid"], ["rollers", "jam", "jam"]],
  shoe: [["mouth", "unreadable", "mouth"]],
};

// `at` is the furnishing, `hands` what is done: fault(text), chip(seat), lookAt(device).
export class Bench {
  #at;
  #hands;
  #named;
  #drawn = {};
  #devices = {};
  #places = {};
  #pointed = null;
  #wire = null;
  #stream = null;

  constructor(at, named, hands) {
    this.#at = at;
    this.#named = named;
    this.#hands = hands;
    for (const device of at.wires) this.#addDevice(device);
    for (const seat of at.seat_numbers) this.#addSeat(seat);
    for (const place of at.card_places) this.#addPlace(place);
    find("#wire-close").addEventListener("click", () => this.#open(null));
    addEventListener("resize", () => this.#point());
  }

  #can(fault) {
    return this.#at.faults.some((kind) => `${kind.device}:${kind.kind}` === fault);
  }

  #addDevice(device) {
    const drawn = { parts: [] };
    const part = (name, kind, words) => {
      const fault = `${device}:${kind}`;
      const made = button([], () => this.#hands.fault(made.getAttribute("aria-pressed") === "true" ? `${fault}=off` : `${fault}${kind === "unplug" ? PULLED : ""}`), { class: name, "aria-pressed": "false", "data-part": fault });
      if (this.#can(fault)) drawn.parts.push({ made, fault, words });
      return made;
    };
    const cable = part("cable", "unplug", "cable");
    cable.append(el("i", { class: "socket" }), el("i", { class: "cord" }), el("i", { class: "plug" }), el("b"), el("span"));
    const machine = el("div", { class: "machine" }, ...(PARTS[device] ?? []).filter(([, kind]) => this.#can(`${device}:${kind}`)).map((of) => part(...of)));
    drawn.title = cable.querySelector("b");
    drawn.inside = el("span", { class: "inside" });
    drawn.octets = button([], () => this.#open(device), { "data-octets": device });
    drawn.faults = button([], () => this.#hands.lookAt(device));
    drawn.whole = el("article", { class: `device${device === "sign" ? " wide" : ""}`, "data-device": device }, cable, machine, el("p", { class: "row" }, drawn.octets, drawn.faults));
    if (device in PARTS) machine.append(drawn.inside);
    if (device === "slots") {
      drawn.lights = Object.fromEntries([...this.#at.slots.map((seat) => `seat ${seat}`), "lock"].map((lamp) => [lamp, el("i", { class: "light" })]));
      const { lock, ...ofSeats } = drawn.lights;
      drawn.seats = el("div", { class: "lights", role: "img" }, ...Object.values(ofSeats));
      drawn.button = el("span");
      machine.append(drawn.seats, el("p", { class: "button" }, lock, drawn.button));
    }
    if (device === "sign") machine.append(el("canvas", { role: "img" }), el("p", { id: "readable" }));
    this.#devices[device] = drawn;
    find("#devices").append(drawn.whole);
  }

  #addSeat(seat) {
    const drawn = { name: el("b"), cards: el("span", { class: "pieces" }), staked: el("span", { class: "staked" }) };
    drawn.whole = el("div", { class: "place" }, drawn.name, drawn.cards, drawn.staked);
    if (this.#at.slots.includes(seat)) {
      drawn.slot = button([], () => this.#hands.chip(seat), { class: "slot", "data-seat": seat });
      drawn.whole.append(drawn.slot);
    }
    this.#places[`seat ${seat}`] = drawn;
    find("#chips").append(drawn.whole);
  }

  #addPlace(place) {
    const drawn = { name: el("b"), cards: el("span", { class: "pieces" }) };
    drawn.whole = el("div", {}, drawn.name, drawn.cards);
    this.#places[place] = drawn;
    find("#house").append(drawn.whole);
  }

  // The words that stay while the table changes.
  say() {
    for (const [device, drawn] of Object.entries(this.#devices)) {
      write(drawn.title, this.#named.device(device));
      write(drawn.octets, say("octets"));
      write(drawn.faults, say("faults"));
      drawn.octets.setAttribute("aria-label", `${say("octets")}: ${this.#named.device(device)}`);
      drawn.faults.setAttribute("aria-label", `${say("faults")}: ${this.#named.device(device)}`);
    }
    for (const [place, drawn] of Object.entries(this.#places)) write(drawn.name, this.#named.place(place));
    if (this.#wire) write(find("#wire-title"), say("octets.of", { device: this.#named.device(this.#wire) }));
    this.#drawn = {};
  }

  show(now) {
    const { drawn, lasting, chips } = now;
    for (const [device, of] of Object.entries(this.#devices)) {
      for (const { made, fault, words } of of.parts) {
        const on = lasting.includes(fault);
        made.setAttribute("aria-pressed", on);
        const text = say(on ? `${words}.undo` : `${words}.do`);
        write(made.querySelector("span") ?? made, text);
        if (words === "cable") made.setAttribute("aria-label", `${text}: ${this.#named.device(device)}`);
      }
      if (of.lights) {
        for (const [lamp, light] of Object.entries(of.lights)) light.classList.toggle("lit", drawn.lamps.includes(lamp));
        of.seats.setAttribute("aria-label", say("lamps", { count: drawn.lamps.filter((lamp) => lamp.startsWith("seat")).length }));
        write(of.button, say("lamp.lock"));
      }
    }
    for (const [device, count] of Object.entries(drawn.inside)) if (this.#devices[device]) write(this.#devices[device].inside, say("inside", { count }));
    for (const [place, of] of Object.entries(drawn.places)) this.#cards(place, of);
    for (const of of drawn.seats) this.#seat(of, drawn, chips);
    this.#move(drawn.move);
  }

  #seat(of, drawn, chips) {
    const place = `seat ${of.seat}`;
    const here = this.#places[place];
    this.#cards(place, of);
    write(here.staked, of.staked ? amount(of.staked, this.#at.exponent) : "");
    here.whole.classList.toggle("folded", of.folded);
    here.whole.classList.toggle("lit", drawn.lamps.includes(place));
    if (!here.slot) return;
    here.slot.classList.toggle("on", chips.includes(of.seat));
    write(here.slot, say("chip"));
    here.slot.setAttribute("aria-label", `${say(chips.includes(of.seat) ? "chip.in" : "chip.drop")}: ${this.#named.place(place)}`);
  }

  #cards(place, of) {
    const written = JSON.stringify([of.cards, of.down]);
    if (this.#drawn[place] === written) return;
    this.#drawn[place] = written;
    const { cards } = this.#places[place];
    cards.replaceChildren(...pieces(of));
    if (of.down > 5) cards.append(el("small", {}, `× ${of.down}`));
  }

  #move(move) {
    if (this.#drawn.move === move.number) return;
    this.#drawn.move = move.number;
    this.#pointed = move.at && this.#places[move.at];
    const key = `move.${move.does}`;
    write(find("#move"), has(key) ? say(key, { place: move.at ? this.#named.place(move.at) : "" }) : say("move.none"));
    this.#point();
  }

  // The hand is where the last move was.
  #point() {
    const at = (this.#pointed?.whole ?? find("#house")).getBoundingClientRect();
    const felt = find("#felt").getBoundingClientRect();
    find("#hand").style.transform = `translate(${Math.round(at.left + at.width / 2 - felt.left)}px, ${Math.round(at.top + at.height / 2 - felt.top)}px)`;
  }

  // The octets of this wire, as long as they are looked at.
  #open(device) {
    this.#wire = this.#wire === device ? null : device;
    for (const [name, drawn] of Object.entries(this.#devices)) drawn.whole.classList.toggle("chosen", name === this.#wire);
    find("#wire").hidden = !this.#wire;
    this.#stream?.();
    this.#stream = null;
    if (!this.#wire) return;
    find("#octets").replaceChildren();
    this.say();
    this.#stream = follow("/wires", (carried) => this.#octets(carried[this.#wire] ?? []), () => {});
    find("#wire").scrollIntoView({ block: "nearest" });
  }

  #octets(lines) {
    find("#octets").replaceChildren(
      ...[...lines].reverse().map((line) => {
        const times = line.times > 1 ? ` × ${line.times}` : "";
        const way = say(line.to_station ? "octets.to" : "octets.from");
        return el("li", { class: line.to_station ? "to" : "from" }, `${line.to_station ? "→" : "←"} `, el("small", {}, `${way}${times}: `), line.octets, el("small", {}, `  ${line.text}`));
      }),
    );
    if (!lines.length) find("#octets").append(el("li", {}, say("octets.none")));
  }
}

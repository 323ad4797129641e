// What a fault stops, so that sixty of them are found by what one wants to see.

const SLOW = ["split", "bytewise", "babble", "late"];
const UNKNOWN = ["corrupt", "lost", "doubled", "misread", "damaged", "unreadable", "overdraw", "cut_card"];

const SOURCES = ["shuffler", "shoe"];

export const GROUPS = ["deal", "card", "chips", "dealer", "sign", "spare", "nothing"];

// `source` is where the cards come from now.
export function group({ device, kind }, source) {
  if (SOURCES.includes(device) && device !== source) return "spare";
  if (device === "sign") return "sign";
  if (device === "players") return "chips";
  if (device === "dealer") return "dealer";
  if (SLOW.includes(kind)) return "nothing";
  if (device === "slots") return "chips";
  return device !== "deck" && UNKNOWN.includes(kind) ? "card" : "deal";
}

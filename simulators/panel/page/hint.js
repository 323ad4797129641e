// "To be entered" within the dealer's own screen, while a person plays the dealer. The screen gets no word of
// it: only whether a person plays the dealer. It gives the names of its buttons.

import { find } from "./elements.js";
import { follow, read } from "./stream.js";
import { Wanted } from "./wanted.js";
import { LANGUAGES, learn, loadWords, speak } from "./words.js";

const furnishing = await read("/furnishing");
await loadWords();
learn(furnishing.words);
const asked = new URLSearchParams(location.search).get("language");
if (asked in LANGUAGES) speak(asked);
const wanted = new Wanted(find("#wanted"), furnishing, null);
let due = [];
const show = () => {
  wanted.show(due);
  find("#none").hidden = due.length > 0;
  find("#count").textContent = due.length > 1 ? `(${due.length})` : "";
};
addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  wanted.buttons = data.buttons;
  show();
});
follow("/stream", ({ actor, wanted: entries }) => {
  due = entries.filter((entry) => !entry.entered).map((entry) => ({ ...entry, may_be_left_out: false }));
  show();
  parent.postMessage({ acts: actor === "you" }, "*");
}, () => {});

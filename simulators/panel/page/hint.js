// A line within the dealer's own screen: who plays the dealer, with a button that changes it, and "to be entered" while
// a person does. The screen only learns whether a person plays the dealer. It gives the names of its buttons.

import { find, write } from "./elements.js";
import { follow, post, read } from "./stream.js";
import { Wanted } from "./wanted.js";
import { LANGUAGES, learn, loadWords, say, speak } from "./words.js";

const furnishing = await read("/furnishing");
await loadWords();
learn(furnishing.words);
const language = new URLSearchParams(location.search).get("language");
if (language in LANGUAGES) speak(language);
const wanted = new Wanted(find("#wanted"), furnishing, null);
let due = [];
let asked = [];
let acts = false;
const show = () => {
  wanted.show(due);
  for (const part of ["#title", "#wanted"]) find(part).hidden = !acts;
  find("#robot").hidden = acts;
  find("#none").hidden = !acts || due.length > 0;
  write(find("#none"), wanted.nothing(asked));
  find("#count").textContent = due.length > 1 ? `(${due.length})` : "";
  write(find("#change"), say(acts ? "robot.takes" : "robot.leaves"));
};
find("#change").addEventListener("click", () => post("/actor", { actor: acts ? "robot" : "you" }));
addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  wanted.buttons = data.buttons;
  show();
});
follow("/stream", ({ actor, wanted: entries, asked: seats }) => {
  acts = actor === "you";
  asked = seats;
  due = entries.filter((entry) => !entry.entered).map((entry) => ({ ...entry, may_be_left_out: false }));
  show();
  parent.postMessage({ acts }, "*");
}, () => {});

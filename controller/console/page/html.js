// Preact's elements as tagged templates.

import htm from "./vendor/htm.js";
import { Component, h, render } from "./vendor/preact.js";

export const html = htm.bind(h);
export { Component, render };

// A board that is drawn as one picture, once more as lines: nobody sees them, screen readers read them through.

import { el } from "../base/dom.js";

export class Spoken {
  element = el("ul", { class: "sr-only", "data-testid": "spoken" });

  /** @param {string} label @param {string[]} lines */
  show(label, lines) {
    this.element.setAttribute("aria-label", label);
    this.element.replaceChildren(...lines.map((line) => el("li", {}, line)));
  }
}

// The kinds that tiles of a drawing are painted with, and how many tiles each has.

import { el, svg } from "/static/base/dom.js";
import { listenToArrows, radio } from "/static/base/radios.js";
import { tileName, tilePicture } from "./glyphs.js";
import { MOST_KINDS } from "./notation.js";
/** @import { Count, Translate } from "/static/boards/board.js" */

export class Kinds {
  chosen = 0;

  /** @param {Translate} t @param {Count} number @param {() => void} onChoice */
  constructor(t, number, onChoice) {
    this.t = t;
    this.number = number;
    this.buttons = Array.from({ length: MOST_KINDS }, (_, kind) =>
      radio(kind === 0, { "data-kind": kind, "data-style": Math.floor(kind / 16) % 4, "data-testid": `brush-${kind}`, onclick: () => { this.choose(kind); onChoice(); } },
        svg("svg", { viewBox: "0 0 8 8.8", "aria-hidden": "true" }, ...tilePicture(kind)), el("small", {})));
    this.element = el("div", { class: "choices triple-kinds", role: "radiogroup", "data-testid": "editor-brushes" }, ...this.buttons);
    listenToArrows(this.element);
  }

  /** @param {number} kind */
  choose(kind) {
    this.chosen = kind;
    this.buttons.forEach((button, other) => {
      button.setAttribute("aria-checked", String(other === kind));
      button.tabIndex = other === kind ? 0 : -1;
    });
  }

  /** @param {Map<number, number>} counts */
  show(counts) {
    this.element.setAttribute("aria-label", this.t("triple.editor.kinds"));
    this.buttons.forEach((button, kind) => {
      const count = counts.get(kind) ?? 0;
      const label = this.t("triple.editor.kind", { name: tileName(this.t, kind), n: this.number(count) });
      if (button.title === label) return;
      button.title = label;
      button.setAttribute("aria-label", label);
      button.classList.toggle("odd", count % 3 > 0);
      /** @type {Element} */ (button.lastElementChild).textContent = count ? this.number(count) : "";
    });
  }
}

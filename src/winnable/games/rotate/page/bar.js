// The buttons under the board of rotate: all that a finger needs, each at the same place whichever block is meant.

import { el, icon, setText } from "/static/base/dom.js";
/** @import { Icon } from "/static/base/dom.js" */
/** @import { Translate } from "/static/boards/board.js" */

/** What each does: a quarter, a half, three quarters clockwise; smaller, larger. @type {[string, Icon | null][]} */
const BUTTONS = [["smaller", "minus"], ["3", "turn-left"], ["2", null], ["1", "turn-right"], ["larger", "plus"]];

/** @type {Record<string, number>} */
const SIZES = { smaller: -1, larger: 1 };

export class Bar {
  /** onTurn(quarters), onResize(1 or -1). ways: how many turns each block has.
   *  @param {{ onTurn: (quarters: number) => unknown, onResize: (by: number) => void, ways: number, t: Translate }} options */
  constructor({ onTurn, onResize, ways, t }) {
    this.t = t;
    this.name = el("output", { class: "rotate-aim", "data-testid": "rotate-aim" });
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map(BUTTONS.map(([what, picture]) => {
      const size = SIZES[what];
      const button = el("button", { type: "button", "data-testid": `rotate-${what}`, onclick: () => (size ? onResize(size) : onTurn(Number(what))) }, picture ? icon(picture) : "180°");
      button.hidden = !size && Number(what) > ways;
      return [what, button];
    }));
    this.element = el("div", { class: "rotate-bar", role: "group" }, ...this.buttons.values(), this.name);
  }

  /** @param {string} name @param {boolean} playing */
  render(name, playing) {
    setText(this.name, name);
    for (const button of this.buttons.values()) button.disabled = !playing;
  }

  relabel() {
    this.element.setAttribute("aria-label", this.t("rotate.bar"));
    for (const [what, button] of this.buttons) {
      const label = this.t(`rotate.do.${what}`);
      button.setAttribute("aria-label", label);
      button.title = label;
    }
  }
}

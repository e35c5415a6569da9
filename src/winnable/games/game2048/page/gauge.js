// The figures beside the board of 2048, and what one does with the board as a whole.

import { el, icon, setText } from "/static/base/dom.js";
import { settings } from "/static/base/settings.js";

const FIGURES = ["score", "best", "moves", "goal"];

export class Gauge {
  constructor(t, number, { onCopy, onAgain }) {
    Object.assign(this, { t, number });
    this.figures = new Map(FIGURES.map((name) => [name, { caption: el("dt", {}), value: el("dd", { "data-testid": `2048-${name}` }) }]));
    this.rows = new Map([...this.figures].map(([name, { caption, value }]) => [name, el("div", { class: `g2048-${name}` }, caption, value)]));
    this.badge = el("p", { class: "g2048-badge", "data-testid": "2048-no-undo" }, icon("check"), el("span", {}));
    const button = (name, picture, onclick) => el("button", { type: "button", "data-testid": `2048-${name}`, onclick }, icon(picture), el("span", {}));
    this.buttons = { copy: button("copy", "copy", onCopy), again: button("again", "dice", onAgain) };
    this.element = el("section", { class: "g2048-gauge" }, el("dl", { class: "g2048-figures" }, ...this.rows.values()), this.badge, el("div", { class: "buttons" }, ...Object.values(this.buttons)));
  }

  /** goal: the number on its tile, null for none. straight: whether nothing was taken back. gained: by the last move. */
  render({ score, best, moves, goal, reached }, { straight, gained }) {
    for (const [name, value] of Object.entries({ score, best, moves })) setText(this.figures.get(name).value, this.number(value));
    setText(this.figures.get("goal").value, goal ?? "");
    const row = this.rows.get("goal");
    row.hidden = goal === null;
    row.classList.toggle("reached", reached);
    this.badge.classList.toggle("gone", !straight);
    if (gained && settings.motion) this.fly(gained);
  }

  fly(gained) {
    const row = this.rows.get("score");
    row.querySelector(".g2048-gain")?.remove();
    const node = el("span", { class: "g2048-gain", "aria-hidden": "true", "data-testid": "2048-gain", onanimationend: () => node.remove() }, `+${this.number(gained)}`);
    row.append(node);
  }

  relabel() {
    const { t } = this;
    this.element.setAttribute("aria-label", t("2048.gauge"));
    for (const [name, { caption }] of this.figures) setText(caption, t(`2048.${name}`));
    this.rows.get("best").title = t("2048.best.about");
    setText(this.badge.lastElementChild, t("2048.no-undo"));
    this.badge.title = t("2048.no-undo.about");
    for (const [name, button] of Object.entries(this.buttons)) {
      setText(button.lastElementChild, t(`2048.${name}`));
      button.title = t(`2048.${name}.about`);
    }
  }
}

// The figures beside the board of 2048, and what one does with the board as a whole.

import { el, icon, setText, sure } from "/static/base/dom.js";
import { settings } from "/static/base/settings.js";
/** @import { Icon } from "/static/base/dom.js" */
/** @import { Count, Translate } from "/static/boards/board.js" */

export class Gauge {
  /** @param {Translate} t @param {Count} number @param {{ onCopy: () => void, onAgain: () => void, onValues: () => void }} buttons */
  constructor(t, number, { onCopy, onAgain, onValues }) {
    this.t = t;
    this.number = number;
    /** @param {string} name */
    const figure = (name) => {
      const [caption, value] = [el("dt", {}), el("dd", { "data-testid": `2048-${name}` })];
      return { caption, value, row: el("div", { class: `g2048-${name}` }, caption, value) };
    };
    this.figures = { score: figure("score"), best: figure("best"), moves: figure("moves"), goal: figure("goal") };
    this.badge = el("p", { class: "g2048-badge", "data-testid": "2048-no-undo" }, icon("check"), el("span", {}));
    /** @param {string} name @param {Icon} picture @param {() => void} onclick */
    const button = (name, picture, onclick) => el("button", { type: "button", "data-testid": `2048-${name}`, onclick }, icon(picture), el("span", {}));
    this.buttons = { values: button("worth", "search", onValues), copy: button("copy", "copy", onCopy), again: button("again", "dice", onAgain) };
    this.element = el("section", { class: "g2048-gauge" }, el("dl", { class: "g2048-figures" }, ...Object.values(this.figures).map(({ row }) => row)), this.badge, el("div", { class: "buttons" }, ...Object.values(this.buttons)));
  }

  /** goal: the number on its tile, null for none. straight: whether nothing was taken back. gained: by the last move.
   *  @param {{ score: number, best: number, moves: number, goal: string | null, reached: boolean }} figures
   *  @param {{ straight: boolean, gained: number }} move */
  render({ score, best, moves, goal, reached }, { straight, gained }) {
    setText(this.figures.score.value, this.number(score));
    setText(this.figures.best.value, this.number(best));
    setText(this.figures.moves.value, this.number(moves));
    setText(this.figures.goal.value, goal ?? "");
    const { row } = this.figures.goal;
    row.hidden = goal === null;
    row.classList.toggle("reached", reached);
    this.badge.classList.toggle("gone", !straight);
    if (gained && settings.motion) this.fly(gained);
  }

  /** @param {number} gained */
  fly(gained) {
    const { row } = this.figures.score;
    row.querySelector(".g2048-gain")?.remove();
    const node = el("span", { class: "g2048-gain", "aria-hidden": "true", "data-testid": "2048-gain" }, `+${this.number(gained)}`);
    node.addEventListener("animationend", () => node.remove());
    row.append(node);
  }

  /** @param {boolean} asked */
  setAsked(asked) {
    this.buttons.values.setAttribute("aria-pressed", asked);
  }

  relabel() {
    const { t } = this;
    this.element.setAttribute("aria-label", t("2048.gauge"));
    for (const [name, { caption }] of Object.entries(this.figures)) setText(caption, t(`2048.${name}`));
    this.figures.best.row.title = t("2048.best.about");
    setText(sure(this.badge.lastElementChild), t("2048.no-undo"));
    this.badge.title = t("2048.no-undo.about");
    for (const [name, button] of Object.entries(this.buttons)) {
      setText(sure(button.lastElementChild), t(`2048.${name}`));
      button.title = t(`2048.${name}.about`);
    }
  }
}

// What lies over the board of 2048: the arrow of a hint, what each move is worth, and the goal when it is reached.

import { el, svg } from "/static/base/dom.js";
import { percent } from "/static/desk/lamp.js";
import { MOVES } from "./moves.js";
/** @import { Count, Translate } from "/static/boards/board.js" */

/** Milliseconds for which the goal shines. */
const SHINES = 2200;
const SMALL = 100;

export class Marks {
  /** field: holds the drawing, and is as large.
   *  @param {HTMLElement} field @param {SVGElement} drawing @param {Translate} t @param {Count} number */
  constructor(field, drawing, t, number) {
    this.field = field;
    this.t = t;
    this.number = number;
    this.hint = svg("g", { class: "g2048-hint", "data-testid": "2048-hint" });
    this.values = el("div", { "data-testid": "2048-values" });
    drawing.append(this.hint);
    field.append(this.values);
  }

  clear() {
    this.showHint(null);
    this.showValues(null);
  }

  /** An arrow over the whole board; null takes it away. @param {number | null} action */
  showHint(action, { rows, columns } = { rows: 0, columns: 0 }) {
    this.hint.replaceChildren();
    delete this.hint.dataset.move;
    if (action === null) return;
    this.hint.dataset.move = MOVES[action];
    const arrow = { d: "M0 -.34L.3 -.02H.12V.34H-.12V-.02H-.3Z", transform: `translate(${columns / 2} ${rows / 2}) rotate(${action * 90}) scale(${Math.min(rows, columns)})` };
    this.hint.append(...["casing", "light"].map((kind) => svg("path", { class: kind, ...arrow })));
  }

  /** values: what to expect after each action that has one, {action: number}; the best are marked. null takes them
   *  away.
   *  @param {Record<number, number> | null} values @param {boolean} chances */
  showValues(values, chances = false) {
    const known = Object.entries(values ?? {});
    const best = Math.max(...known.map(([, value]) => value));
    this.values.replaceChildren(...known.map(([action, value]) => {
      const figure = chances ? percent(value) : this.figure(value);
      const label = this.t(chances ? "2048.value.chance" : "2048.value", { move: this.t(`2048.move.${MOVES[Number(action)]}`), value: figure });
      return el("output", { class: "g2048-value", "data-move": MOVES[Number(action)], "data-best": value === best, "aria-label": label, title: label }, figure);
    }));
  }

  /** @param {number} value */
  figure(value) {
    return this.number(Math.abs(value) < SMALL ? Math.round(value * 10) / 10 : Math.round(value));
  }

  /** goal: the number on its tile. @param {string} goal */
  showGoal(goal) {
    const banner = el("div", { class: "g2048-reached", "data-testid": "2048-reached" }, el("p", {}, el("strong", {}, goal), el("span", {}, this.t("2048.reached.go-on"))));
    this.field.append(banner);
    setTimeout(() => banner.remove(), SHINES);
  }
}

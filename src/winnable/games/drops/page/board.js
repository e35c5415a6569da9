// The board of drops: cells with 0 to 4 drops, shown by size, shade and number, and the gauge beside them. The
// interface is that of ../board.d.ts. Rules stay on the server: what a click sets off comes as frames, and is shown.

import { el, sure, svg } from "/static/base/dom.js";
import { stepFrom } from "/static/base/grid.js";
import { settings } from "/static/base/settings.js";
import { markNode } from "/static/boards/mark.js";
import { refusedTone, risingTone, tone } from "/static/base/sound.js";
import { Cells, frame, REST } from "./cells.js";
import { Flight, readCells } from "./flight.js";
import { Gauge } from "./gauge.js";
import { lossMarks, WHY_ROOM, whyWords } from "./why.js";
/** @import { Explanation, Frame, Observation } from "./views.js" */
/** @import { AnyElement } from "/static/base/dom.js" */
/** @import { Explained } from "/static/base/messages.js" */
/** @import { Board, BoardModule, BoardPage } from "/static/boards/board.js" */

export { createEditor } from "./editor.js";

const LARGEST_CELL = 96;

/** @type {BoardModule<Observation, Frame>["createBoard"]} */
export const createBoard = (container, page) => new DropsBoard(container, page);

/** The cell that an event is about. @param {Event} event */
const cellOf = ({ target }) => /** @type {Element} */ (target).closest(".cell");

class DropsBoard {
  /** Of the last render. @type {Observation} */
  view;
  ply = 0;
  /** @type {number | null} */
  par = null;
  /** @type {Set<number>} */
  legal = new Set();
  /** @type {Cells} */
  cells;
  /** How many drops each cell shows; null: none yet. @type {(number | null)[]} */
  shown = [];
  /** The chain in the air. @type {Flight | null} */
  flight = null;
  /** @type {Explained | null} */
  why = null;

  /** @param {HTMLElement} container @param {BoardPage} page */
  constructor(container, { onAction, onExplain, t, number }) {
    this.container = container;
    this.onAction = onAction;
    this.t = t;
    this.number = number;
    this.svg = svg("svg", { class: "board drops-board", role: "group", "data-testid": "board" });
    this.canvas = el("canvas", { class: "drops-sky", "aria-hidden": "true" });
    this.field = el("div", { class: "drops-field" }, this.svg, this.canvas);
    this.gauge = new Gauge(t, number, onExplain);
    this.whyBox = el("section", { class: "why", hidden: true, tabindex: 0, "data-testid": "why-box" });
    this.element = el("div", { class: "drops" }, el("div", { class: "drops-scroll" }, this.field), this.gauge.element);
    container.append(this.element, this.whyBox);
    this.svg.addEventListener("click", (event) => this.pick(cellOf(event)));
    this.field.addEventListener("focusin", (event) => this.setCursor(cellOf(event)));
    this.svg.addEventListener("pointerover", (event) => this.markAxes(cellOf(event)));
    this.svg.addEventListener("pointerleave", () => this.markAxes(null));
  }

  destroy() {
    this.flight?.cut();
    this.container.replaceChildren();
  }

  /** @param {AnyElement | null} [node] */
  pick(node) {
    if (!node || this.flight || this.svg.querySelector(".sent")) return;
    if (!node.classList.contains("pickable")) return refusedTone();
    node.classList.add("sent");
    if (this.onAction(Number(node.dataset.cell)) === false) node.classList.remove("sent");
  }

  /** frames: of the click that led here, when they are to be shown; onLanded is called at their end.
   *  @type {Board<Observation, Frame>["render"]} */
  render(view, legal, { animate = false, action = null, frames = null, onLanded = () => {}, ply = 0, par = null } = {}) {
    this.flight?.cut();
    this.flight = null;
    const before = this.view;
    if (!before || before.rows !== view.rows || before.columns !== view.columns) this.build(view.rows, view.columns);
    Object.assign(this, { view, ply, par, legal: new Set(legal) });
    for (const node of this.svg.querySelectorAll(".sent, .hinted")) node.classList.remove("sent", "hinted");
    if (frames && before) return this.fly(before, frames, onLanded);
    if (view !== before) this.gauge.startMove();
    this.settle(animate === true ? action : null);
  }

  /** @type {NonNullable<Board<Observation, Frame>["sound"]>} */
  sound(_view, _before, frames) {
    // A chain that is shown makes its own.
    if (this.flight) return;
    const bursts = frames?.at(-1)?.bursts ?? 0;
    if (bursts) risingTone(bursts);
    else tone(196, 0.1);
  }

  /** @param {Observation} before @param {Frame[]} frames @param {() => void} onLanded */
  fly(before, frames, onLanded) {
    const { view } = this;
    const gained = view.left === null || before.left === null ? 0 : view.left - before.left + 1;
    const { bursts } = sure(frames.at(-1));
    this.element.classList.add("flying");
    this.allow(new Set());
    this.gauge.startMove();
    const show = (/** @type {Frame} */ frame) => {
      this.show(readCells(frame.cells), true);
      // In between the gauge fills in step with the chain; how much it fills is what the server says.
      const { every } = view;
      const all = before.bursts + frame.bursts;
      const back = every ? Math.floor(all / every) : bursts ? Math.floor((gained * frame.bursts) / bursts) : 0;
      this.gauge.render(view, this.ply, this.par, before.left === null ? null : before.left - 1 + back, every ? all % every : 0);
      this.gauge.showChain(frame.bursts, back);
      if (frame.burst.length) risingTone(frame.bursts);
    };
    const done = () => {
      this.flight = null;
      this.settle(null);
      onLanded();
    };
    this.flight = new Flight({ canvas: this.canvas, field: this.field, svg: this.svg, columns: view.columns, frames, show, done, cleanUp: () => this.element.classList.remove("flying") });
  }

  /** The state as it is, at rest. @param {number | null} action */
  settle(action) {
    this.show(this.view.cells, action !== null);
    this.allow(this.legal);
    this.gauge.render(this.view, this.ply, this.par, this.view.left);
    this.relabel();
  }

  /** rest: the room at the right and below, in cells. @param {number} rest */
  frame(rest) {
    const { rows, columns } = this.cells;
    frame(this.svg, this.element, rows, columns, rest, LARGEST_CELL);
  }

  /** @param {number} rows @param {number} columns */
  build(rows, columns) {
    this.cells = new Cells(this.svg, rows, columns);
    this.shown = this.cells.nodes.map(() => null);
    this.element.style.setProperty("--columns", columns);
    this.frame(REST);
  }

  /** @param {number[]} cells @param {boolean} moving */
  show(cells, moving) {
    cells.forEach((drops, cell) => {
      const before = this.shown[cell];
      if (before === drops) return;
      this.shown[cell] = drops;
      this.cells.show(cell, drops);
      if (moving && settings.motion && before !== null && drops > before) {
        sure(this.cells.nodes[cell].querySelector(".cell-drop")).animate([{ scale: 1.28 }, { scale: 1 }], { duration: 160, easing: "ease-out" });
      }
    });
  }

  /** @param {Set<number>} legal */
  allow(legal) {
    this.cells.nodes.forEach((node, cell) => {
      const allowed = legal.has(cell);
      node.classList.toggle("pickable", allowed);
      node.setAttribute("aria-disabled", !allowed);
    });
  }

  relabel() {
    if (!this.view) return;
    const { columns, rows } = this.view;
    this.cells.label(this.t, this.shown);
    this.svg.setAttribute("aria-label", this.t("drops.board", { rows, columns }));
    this.gauge.relabel();
    this.drawWhy();
  }

  /** event: the server's `explained`; null puts it away. @param {Explained | null} event */
  explain(event) {
    this.why = event;
    this.drawWhy();
    this.gauge.setExplained(event !== null);
  }

  drawWhy() {
    const { rows, columns, mode, left } = this.view;
    this.svg.querySelector(".losses")?.remove();
    this.whyBox.hidden = this.why === null;
    this.frame(this.why === null ? REST : WHY_ROOM);
    if (this.why === null) return;
    this.svg.append(lossMarks(/** @type {Explanation} */ (this.why.why), rows, columns, this.t));
    this.whyBox.setAttribute("aria-label", this.t("drops.why.label"));
    this.whyBox.replaceChildren(...whyWords(this.why, mode === "budget" ? left : null, this.t, this.number));
  }

  /** @param {number | null} action */
  highlight(action) {
    for (const node of this.svg.querySelectorAll(".hinted")) node.classList.remove("hinted");
    const node = action === null ? null : this.cells.nodes[action];
    if (!node) return;
    node.classList.add("hinted");
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.setCursor(node);
  }

  /** @param {number[]} actions */
  mark(actions) {
    this.cells.nodes.forEach((node, cell) => markNode(node, actions.includes(cell), this.t));
  }

  /** @param {AnyElement | null} [node] */
  setCursor(node) {
    if (!node) return;
    this.cells.setCursor(Number(node.dataset.cell));
    this.markAxes(node);
  }

  /** The coordinates of the cell under pointer or cursor stand out at the edges. @param {AnyElement | null} [node] */
  markAxes(node) {
    for (const label of this.svg.querySelectorAll(".axis.here")) label.classList.remove("here");
    if (!node) return;
    const cell = Number(node.dataset.cell);
    const { axes, columns } = this.cells;
    axes.x[cell % columns].classList.add("here");
    axes.y[Math.floor(cell / columns)].classList.add("here");
  }

  /** @param {number} dx @param {number} dy */
  moveCursor(dx, dy) {
    const { nodes, cursor } = this.cells;
    const there = this.svg.contains(document.activeElement);
    nodes[there ? stepFrom(cursor, dx, dy, this.view) : cursor].focus();
  }

  pickCursor() {
    this.pick(this.cells.nodes[this.cells.cursor]);
  }

  /** @param {string} name */
  describe(name) {
    return name;
  }

  /** Both axes count from 1: which is which. @param {string} name */
  locate(name) {
    const [, column, row] = /^\((\d+),(\d+)\)$/.exec(name) ?? [];
    return row === undefined ? name : this.t("drops.place", { name, column, row });
  }

  /** frames: of the click that led here, if any. @param {Observation} view @param {Frame[] | null} [frames] */
  status(view, frames = null) {
    const bursts = frames?.at(-1)?.bursts ?? 0;
    const chain = bursts ? `${this.t("drops.chain.told", { n: this.number(bursts) })} ` : "";
    return chain + this.rest(view);
  }

  /** @param {Observation} view */
  rest(view) {
    const cells = view.cells.filter(Boolean).length;
    const words = { cells: this.number(cells), left: this.number(view.left ?? 0), ply: this.number(this.ply) };
    return this.t(view.left === null ? "drops.status" : "drops.status.left", words);
  }

  /** Stars of a game that was won with `ply` clicks; null when nobody knows the par.
   *  @param {Observation} view @param {number} ply @param {number | null} par */
  stars(view, ply, par) {
    return this.gauge.stars(view, par, ply);
  }

  remaining() {
    return null;
  }

  extras() {
    return [];
  }
}

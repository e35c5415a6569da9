// The board of tetris: the piece hovers above the wall, its shadow shows where it comes to rest. The interface is
// that of ../board.d.ts. Rules stay on the server: where the piece rests for each action comes with the view.

import { el, icon, sure, svg } from "/static/base/dom.js";
import { Spoken } from "/static/boards/spoken.js";
import { announce } from "/static/base/notify.js";
import { settings } from "/static/base/settings.js";
import { refusedTone, risingTone, tone } from "/static/base/sound.js";
/** @import { Observation } from "./views.js" */
/** @import { Explained } from "/static/base/messages.js" */
/** @typedef {{ figures: { name: string, text: number, program: number, weight: number }[], score: number }} Figures */
/** @import { Icon } from "/static/base/dom.js" */
/** @import { Board, BoardModule, BoardPage } from "/static/boards/board.js" */

export { createEditor } from "./editor.js";

/** Rows above the board: no turned piece is taller. */
const ABOVE = 4;
const FLASH = 260;

/** @type {BoardModule<Observation>["createBoard"]} */
export const createBoard = (container, page) => new TetrisBoard(container, page);

/** What an action set down. @typedef {{ cells: number[], letter: string }} Placed */

/** The wall from the lowest row, a letter or "" for each cell. @param {Observation} view */
const grey = (view) => view.wall.toReversed().map((row) => Array.from(row, (cell) => (cell === "x" ? "x" : "")));

class TetrisBoard {
  /** Of the last render. @type {Observation} */
  view;
  /** Each with its place among the landings. @type {Map<number, number>} */
  legal;
  /** @type {Map<number, number> | undefined} */
  legalBefore;
  /** From the lowest row, a letter or "" for each cell. @type {string[][]} */
  wall = [];
  /** How the piece hovers. */
  turns = 0;
  left = 0;
  sent = false;
  /** @type {Explained | null} */
  told = null;
  /** @type {number | null} */
  hint = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** In the drawing, with those above the board. */
  rows = 0;
  /** @type {SVGElement} */
  wallLayer;
  /** @type {SVGElement} */
  pieceLayer;
  /** What the last action did, for screen readers; empty when that was no drop. */
  news = "";

  /** @param {HTMLElement} container @param {BoardPage} page */
  constructor(container, { onAction, onExplain, t, number }) {
    this.container = container;
    this.onAction = onAction;
    this.t = t;
    this.number = number;
    this.svg = svg("svg", { class: "board tetris-board", role: "application", tabindex: 0, "data-testid": "board" });
    this.next = el("div", { class: "tetris-next", "data-testid": "tetris-next" });
    this.figures = el("dl", { class: "tetris-figures", "data-testid": "tetris-figures" });
    this.buttons = el("div", { class: "tetris-buttons", role: "group" });
    this.why = el("button", { class: "explain tetris-why", type: "button", "aria-pressed": "false", hidden: !onExplain, "data-testid": "why", onclick: onExplain });
    this.whyBox = el("section", { class: "tetris-wall-figures", hidden: true, tabindex: 0, "data-testid": "why-box" });
    this.side = el("div", { class: "tetris-side" }, this.figures, this.next, this.why);
    this.spoken = new Spoken();
    this.element = el("div", { class: "tetris" }, this.svg, this.spoken.element, this.side, this.buttons);
    container.append(this.element, this.whyBox);
    this.svg.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.aim(this.columnAt(event)));
    this.svg.addEventListener("pointerup", (event) => this.tap(event));
    this.svg.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.turn(1);
    });
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.turn(event.deltaY > 0 ? 1 : -1);
    }, { passive: false });
  }

  /** The article's figures of the wall; null puts them away. @param {Explained | null} event */
  explain(event) {
    this.told = event;
    this.why.setAttribute("aria-pressed", String(event !== null));
    this.whyBox.hidden = event === null;
    if (event === null) return;
    const { figures, score } = /** @type {Figures} */ (event.why);
    const two = (/** @type {number} */ value) => this.number(Math.round(value * 100) / 100 + 0);  // no -0
    const head = ["figure", "text", "program", "weight", "product"].map((key) => el("th", { scope: "col" }, this.t(`tetris.why.${key}`)));
    const rows = figures.map(({ name, text, program, weight }) => el("tr", { "data-testid": `figure-${name}` },
      el("th", { scope: "row" }, this.t(`gene.${name}`)), ...[text, program, weight, program * weight].map((value) => el("td", {}, two(value)))));
    this.whyBox.setAttribute("aria-label", this.t("tetris.why"));
    this.whyBox.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows),
      el("tfoot", {}, el("tr", {}, el("th", { scope: "row", colspan: 4 }, this.t("tetris.why.score")), el("td", { "data-testid": "wall-score" }, two(score))))),
    el("p", { class: "note" }, this.t("tetris.why.note")));
  }

  destroy() {
    clearTimeout(this.timer);
    this.container.replaceChildren();
  }

  /** The middle of the piece's width goes under the pointer. @param {PointerEvent} event */
  columnAt(event) {
    const box = this.svg.getBoundingClientRect();
    return Math.floor(((event.clientX - box.left) / box.width) * this.view.width - (this.pieceWidth() - 1) / 2);
  }

  /** A mouse has aimed already; a finger aims with one tap and drops with the next on the same place.
   *  @param {PointerEvent} event */
  tap(event) {
    if (event.button !== 0 || !this.shape()) return;
    const column = this.clamp(this.columnAt(event));
    if (event.pointerType === "mouse" || column === this.left) this.drop();
    else this.aim(column);
  }

  /** Of the piece as it is turned; undefined when the game is over. */
  shape() {
    return this.view?.shapes[this.turns];
  }

  pieceWidth() {
    return this.shape()?.[0].length ?? 0;
  }

  /** @param {number} column */
  clamp(column) {
    return Math.max(0, Math.min(this.view.width - this.pieceWidth(), column));
  }

  /** @param {number} column */
  aim(column) {
    if (!this.shape() || this.sent) return;
    const left = this.clamp(column);
    if (left === this.left) return;
    this.left = left;
    this.drawPiece();
  }

  /** @param {number} by */
  turn(by) {
    if (!this.shape() || this.sent) return;
    const { shapes } = this.view;
    const middle = this.left + this.pieceWidth() / 2;
    this.turns = (this.turns + by + shapes.length) % shapes.length;
    this.left = this.clamp(Math.floor(middle - this.pieceWidth() / 2 + 0.25));
    this.drawPiece();
  }

  action() {
    return this.turns * this.view.width + this.left;
  }

  drop() {
    if (!this.shape() || this.sent) return;
    if (!this.legal.has(this.action())) return refusedTone();
    this.sent = this.onAction(this.action()) !== false;
  }

  /** @type {Board<Observation>["render"]} */
  render(view, legal, { animate = false, action = null } = {}) {
    clearTimeout(this.timer);
    const before = this.view;
    this.legal = new Map(sure(legal).map((one, at) => [one, at]));
    const placed = animate === true && before ? this.placedBy(before, action) : null;
    this.wall = placed ? this.grown(placed) : grey(view);
    const full = placed ? this.clearFull(view) : [];
    this.news = placed && before ? this.t("tetris.told", { piece: placed.letter, where: this.where(placed.cells, view.width), lines: this.number(view.lines - before.lines) }) : "";
    Object.assign(this, { view, sent: false, hint: null });
    if (!before || before.width !== view.width || before.height !== view.height) this.build(view);
    this.legalBefore = this.legal;
    if (view.shapes.length) {
      this.turns = 0;
      this.left = this.clamp(Math.floor((view.width - view.shapes[0][0].length) / 2));
    }
    this.drawWall(placed?.cells ?? []);
    this.drawPiece();
    this.drawSide();
    this.speak();
    if (full.length && settings.motion) this.flash(full);
  }

  /** @type {NonNullable<Board<Observation>["sound"]>} */
  sound(view, before) {
    tone(140, 0.07, { type: "square", volume: 0.05 });
    for (let line = 1; line <= view.lines - before.lines; line++) risingTone(2 * line + 2, line * 0.07);
  }

  /** What the last action set down, as the view before it told; null when it did not.
   *  @param {Observation} before @param {number | null} action */
  placedBy(before, action) {
    const at = action === null ? undefined : this.legalBefore?.get(action);
    return at === undefined ? null : { cells: before.landings[at], letter: before.piece };
  }

  /** @param {Placed} placed */
  grown({ cells, letter }) {
    const wall = this.wall.map((row) => [...row]);
    for (const cell of cells) {
      const row = Math.floor(cell / this.view.width);
      while (wall.length <= row) wall.push(Array(this.view.width).fill(""));
      wall[row][cell % this.view.width] = letter;
    }
    return wall;
  }

  /** Colours are kept from piece to piece; where they do not fit what the server shows, the wall is grey.
   *  @param {Observation} view */
  clearFull(view) {
    const full = this.wall.flatMap((row, at) => (row.every(Boolean) ? [at] : []));
    const left = this.wall.filter((row) => !row.every(Boolean));
    while (left.length && !left.at(-1)?.some(Boolean)) left.pop();
    /** @param {string[][]} wall */
    const fits = (wall) => wall.length === view.wall.length && grey(view).every((row, at) => row.every((cell, column) => Boolean(cell) === Boolean(wall[at][column])));
    if (fits(left)) {
      this.wall = left;
      return full;
    }
    if (!fits(this.wall)) this.wall = grey(view);
    return [];
  }

  /** @param {number[]} rows */
  flash(rows) {
    const bars = rows.map((row) => svg("rect", { class: "tetris-flash", x: 0, y: this.y(row), width: this.view.width, height: 1 }));
    this.svg.append(...bars);
    this.timer = setTimeout(() => bars.forEach((bar) => bar.remove()), FLASH);
  }

  /** @param {Observation} view */
  build({ width, height, top, rules }) {
    this.element.classList.toggle("tetris-article", rules === "article");
    this.rows = height + ABOVE;
    this.svg.setAttribute("viewBox", `-0.06 0 ${width + 0.12} ${this.rows + 0.06}`);
    this.element.style.setProperty("--ratio", width / this.rows);
    const lines = Array.from({ length: width - 1 }, (_, at) => `M${at + 1} ${ABOVE}V${this.rows}`).join("");
    this.wallLayer = svg("g", { class: "tetris-wall" });
    this.pieceLayer = svg("g", {});
    this.svg.replaceChildren(
      svg("rect", { class: "tetris-field", x: 0, y: ABOVE, width, height }),
      svg("path", { class: "tetris-grid", d: lines }),
      ...(top < height ? [svg("path", { class: "tetris-top", d: `M0 ${this.rows - top}H${width}` })] : []),
      this.wallLayer,
      this.pieceLayer,
    );
  }

  /** @param {number} row */
  y(row) {
    return this.rows - 1 - row;
  }

  /** @param {string} letter @param {number} column @param {number} row */
  cell(letter, column, row, kind = "") {
    return svg("rect", { class: `tetris-cell tetris-${letter} ${kind}`, x: column + 0.04, y: this.y(row) + 0.04, width: 0.92, height: 0.92, rx: 0.12 });
  }

  /** @param {number[]} fresh */
  drawWall(fresh) {
    const { width } = this.view;
    const newest = new Set(fresh);
    this.wallLayer.replaceChildren(...this.wall.flatMap((row, at) => row.flatMap((letter, column) => (letter ? [this.cell(letter, column, at, newest.has(at * width + column) ? "newest" : "")] : []))));
  }

  drawPiece() {
    const { piece, shapes, width, landings } = this.view;
    /** @type {SVGElement[]} */
    const nodes = [];
    if (shapes.length) {
      const at = this.legal.get(this.action());
      if (at !== undefined) nodes.push(...landings[at].map((cell) => this.cell(piece, cell % width, Math.floor(cell / width), "shadow")));
      const shape = sure(this.shape());
      const bottom = this.rows - ABOVE;
      shape.forEach((row, line) => Array.from(row).forEach((cell, column) => {
        if (cell === "x") nodes.push(this.cell(piece, this.left + column, bottom + shape.length - 1 - line));
      }));
      if (this.hint !== null) nodes.push(...landings[sure(this.legal.get(this.hint))].map((cell) => this.cell(piece, cell % width, Math.floor(cell / width), "hinted")));
    }
    this.pieceLayer.replaceChildren(...nodes);
    this.label();
  }

  /** @param {string[]} shape @param {string} letter */
  picture(shape, letter) {
    const nodes = shape.flatMap((row, line) => Array.from(row).flatMap((cell, column) => (cell === "x" ? [svg("rect", { class: `tetris-cell tetris-${letter}`, x: column + 0.04, y: line + 0.04, width: 0.92, height: 0.92, rx: 0.12 })] : [])));
    return svg("svg", { viewBox: `0 0 ${shape[0].length} ${shape.length}`, style: `--cells: ${shape[0].length}`, "aria-hidden": "true" }, ...nodes);
  }

  drawSide() {
    const { following, following_shape: shape, lines, placed } = this.view;
    /** @param {string} key @param {number} value */
    const figure = (key, value) => el("div", {}, el("dt", {}, this.t(key)), el("dd", {}, this.number(value)));
    this.figures.replaceChildren(figure("tetris.lines", lines), figure("tetris.pieces", placed));
    this.why.textContent = this.t("tetris.why");
    this.next.replaceChildren(...(following ? [el("span", {}, this.t("tetris.next")), this.picture(shape, following)] : []));
    this.next.setAttribute("aria-label", this.nextWords(following));
    /** @param {string} id @param {string} key @param {Icon} name @param {() => void} work */
    const button = (id, key, name, work) => el("button", { type: "button", "data-testid": `tetris-${id}`, "aria-label": this.t(key), title: this.t(key), disabled: !this.shape(), onclick: work }, icon(name));
    this.buttons.replaceChildren(
      button("left", "tetris.left", "left", () => this.aim(this.left - 1)),
      button("turn", "tetris.turn", "restart", () => this.turn(1)),
      button("right", "tetris.right", "right", () => this.aim(this.left + 1)),
      button("drop", "tetris.drop", "down", () => this.drop()),
    );
  }

  label() {
    const { piece, following, shapes, width, height } = this.view;
    const words = { columns: width, rows: height, piece, aim: this.aimed(), holes: this.number(this.holes()), heights: this.heights().join(" ") };
    const all = [this.t(shapes.length ? "tetris.board" : "tetris.board.over", words), this.nextWords(following)];
    this.svg.setAttribute("aria-label", all.filter(Boolean).join(this.t("list.semicolon")));
  }

  /** @param {string} following Empty where it is not shown. */
  nextWords(following) {
    return following ? this.t("tetris.next.is", { piece: following }) : "";
  }

  heights() {
    return Array.from({ length: this.view.width }, (_, column) => this.wall.findLastIndex((row) => row[column]) + 1);
  }

  /** Empty cells under filled ones. */
  holes() {
    return this.heights().reduce((sum, height, column) => sum + this.wall.slice(0, height).filter((row) => !row[column]).length, 0);
  }

  /** How the piece hovers, and where it would come to rest. */
  aimed() {
    const at = this.legal.get(this.action());
    const hovers = this.t("tetris.action", { turns: this.turns, column: this.left + 1 });
    if (at === undefined) return hovers;
    const { landings, width } = this.view;
    const cells = landings[at];
    const rows = new Set(cells.map((cell) => Math.floor(cell / width)));
    const lines = [...rows].filter((row) => Array.from({ length: width }, (_, column) => this.wall[row]?.[column] || cells.includes(row * width + column)).every(Boolean)).length;
    const lands = this.t("tetris.lands", { where: this.where(cells, width) });
    return [hovers, lands, lines ? this.t("tetris.fills", { lines }) : ""].filter(Boolean).join(this.t("list.comma"));
  }

  /** Columns from the left, rows from the ground, both from 1. @param {number[]} cells @param {number} width */
  where(cells, width) {
    /** @param {number[]} all */
    const span = (all) => ({ first: Math.min(...all) + 1, last: Math.max(...all) + 1 });
    const [across, up] = [span(cells.map((cell) => cell % width)), span(cells.map((cell) => Math.floor(cell / width)))];
    return this.t("tetris.where", { left: across.first, right: across.last, low: up.first, high: up.last });
  }

  /** The wall from its top row down. */
  speak() {
    const { width } = this.view;
    const lines = this.wall.map((row, at) => this.t("tetris.row", { n: at + 1, cells: Array.from({ length: width }, (_, column) => (row[column] ? "x" : ".")).join(" ") }));
    this.spoken.show(this.t("tetris.wall"), lines.reverse());
  }

  relabel() {
    if (!this.view) return;
    this.drawSide();
    this.label();
    this.speak();
  }

  /** @param {number | null} action */
  highlight(action) {
    this.hint = action !== null && this.legal.has(action) ? action : null;
    this.drawPiece();
  }

  /** @param {number} dx @param {number} dy */
  moveCursor(dx, dy) {
    this.svg.focus();
    if (dx) this.aim(this.left + dx);
    else this.turn(dy < 0 ? 1 : -1);
    announce(this.aimed());
  }

  pickCursor() {
    this.drop();
  }

  /** @param {string} name */
  describe(name) {
    const [turns, column] = name.split(":");
    return this.t("tetris.action", { turns, column });
  }

  /** @param {Observation} view */
  status(view) {
    const words = { lines: this.number(view.lines), holes: this.number(this.holes()), piece: view.piece || "–" };
    return [this.news, this.t("tetris.status", words), this.nextWords(view.following)].filter(Boolean).join(" ");
  }

  /** What the game came to, for the card at its end. @param {Observation} view */
  result(view) {
    return this.t("tetris.result", { lines: this.number(view.lines), pieces: this.number(view.placed) });
  }

  remaining() {
    return null;
  }

  extras() {
    return [];
  }
}

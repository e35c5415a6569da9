// The board of rotate: point at a vertex, choose a size, turn the block around it. The interface is that of
// ../board.d.ts. Rules stay on the server: what a turn leads to is drawn when it says so.
//
// A double click turns by 180 degrees, as one turn: the first click turns by 90 at once, because nobody should wait
// to see whether a second one comes, and the second goes back before it and turns by 180. The block moves on from
// where it is.

import { onResize } from "/static/base/browser.js";
import { on } from "/static/base/bus.js";
import { el, sure, svg } from "/static/base/dom.js";
import { eachCell } from "/static/base/grid.js";
import { game } from "/static/desk/game.js";
import { announce } from "/static/base/notify.js";
import { settings } from "/static/base/settings.js";
import { risingTone, tone } from "/static/base/sound.js";
import { Spoken } from "/static/boards/spoken.js";
import { Bar } from "./bar.js";
import { Aim, ARROWS, Blocks } from "./blocks.js";
import { Gauge, starsFor } from "./gauge.js";
import { listenToHands } from "./hands.js";
import { Marks } from "./marks.js";
import { Painter } from "./painter.js";
import { Palette } from "./palette.js";
import { racePanel } from "./race-panel.js";
/** @import { Frame, Observation } from "./views.js" */
/** @import { Board, BoardModule, BoardPage } from "/static/boards/board.js" */

export { createEditor } from "./editor.js";

const LARGEST_CELL = 96;
/** Milliseconds between two clicks that are one double click. */
const DOUBLE = 350;
/** Larger blocks are not read out cell by cell. */
const MOST_READ = 4;

/** @type {BoardModule<Observation, Frame>["createBoard"]} */
export const createBoard = (container, page) => new RotateBoard(container, page);

class RotateBoard {
  /** Of the last render. @type {Observation} */
  view;
  ply = 0;
  /** @type {number | null} */
  par = null;
  /** For what the server says of an action. */
  waiting = false;
  /** Actions that were asked for meanwhile. @type {number[]} */
  queue = [];
  /** The last click. @type {{ key: string, time: number, ply: number } | null} */
  clicked = null;
  /** The turn of a double click; rest: what of it is still to be seen.
   *  @type {{ action: number, rest: object } | null} */
  doubling = null;
  /** @type {Palette} */
  palette;
  /** @type {Blocks} */
  blocks;
  /** @type {Aim} */
  aim;
  /** @type {Bar} */
  bar;

  /** @param {HTMLElement} container @param {BoardPage} page */
  constructor(container, { onAction, onActFrom, t, number }) {
    this.container = container;
    this.onAction = onAction;
    this.onActFrom = onActFrom;
    this.t = t;
    this.number = number;
    this.canvas = el("canvas", { class: "rotate-cells", "aria-hidden": "true" });
    this.svg = svg("svg", { class: "board rotate-board", role: "application", tabindex: 0, "data-testid": "board" });
    this.field = el("div", { class: "rotate-field" }, this.canvas, this.svg);
    this.marks = new Marks(this.svg);
    this.painter = new Painter(this.canvas);
    this.spoken = new Spoken();
    this.gauge = new Gauge(t, number, (action) => this.blocks.name(this.blocks.turn(action)));
    this.panel = racePanel(t, number);
    this.element = el("div", { class: "rotate" }, this.panel.element, el("div", { class: "rotate-scroll" }, this.field), this.spoken.element, this.gauge.element);
    container.append(this.element);
    this.forgetHands = listenToHands(this.svg, this);
    this.forgetSize = onResize(this.field, () => this.fit());
    this.forgetErrors = on("error", ({ request }) => ["act", "goto"].includes(request) && this.refused());
    // Nothing is drawn of a page that nobody sees.
    this.onHide = () => document.hidden && this.painter.finish();
    document.addEventListener("visibilitychange", this.onHide);
  }

  destroy() {
    this.painter.cut();
    this.forgetSize();
    document.removeEventListener("visibilitychange", this.onHide);
    this.forgetHands();
    this.forgetErrors();
    this.gauge.destroy();
    this.panel.destroy();
    this.palette?.forget();
    this.container.replaceChildren();
  }

  // -- what the person does: see rotate-hands.js -------------------------------------------------------------------

  get playing() {
    return this.view?.status === "playing";
  }

  /** x, y: in cells. @param {number} x @param {number} y */
  pointAt(x, y) {
    if (this.aim?.pointAt(x, y)) this.drawAim();
  }

  /** @param {number} by */
  resize(by) {
    if (!this.aim?.resize(by)) return;
    this.drawAim();
    announce(this.aimed());
  }

  /** Turns clockwise; by 180 degrees when it is the second of a double click. */
  click() {
    if (!this.aim) return;
    const { clicked, waiting } = this;
    this.clicked = null;
    const again = clicked?.key === this.aim.key() && performance.now() - clicked.time < DOUBLE;
    if (again && this.blocks.ways > 1 && this.view.status !== "won") return this.turnInstead(clicked.ply);
    if (this.turn(1) && !waiting) this.clicked = { key: this.aim.key(), time: performance.now(), ply: this.ply };
  }

  /** The click before was the first half of this turn. What it has turned already is not turned again.
   *  @param {number} ply */
  turnInstead(ply) {
    const action = this.blocks.action(this.aim.block(), 2);
    const seen = !this.waiting;
    const gone = this.painter.motion?.angle ?? Math.PI / 2;
    this.painter.finish();
    if (this.onActFrom(ply, action) === false) return;
    Object.assign(this, { waiting: true, queue: [], doubling: { action, rest: seen ? { quarters: 1, from: gone - Math.PI / 2 } : {} } });
  }

  /** Turns the block that is pointed at; one that is asked for before the last answer has come waits for that.
   *  @param {number} quarters */
  turn(quarters) {
    if (!this.aim || quarters > this.blocks.ways) return false;
    return this.send(this.blocks.action(this.aim.block(), quarters));
  }

  /** @param {number} action */
  send(action) {
    if (this.waiting) {
      this.queue.push(action);
      return true;
    }
    // Nobody waits until a block has come to rest.
    this.painter.finish();
    if (!this.playing) {
      this.queue = [];
      return false;
    }
    this.waiting = this.onAction(action) !== false;
    return this.waiting;
  }

  /** @param {number} dx @param {number} dy */
  moveCursor(dx, dy) {
    if (!this.aim) return;
    this.svg.focus({ preventScroll: true });
    if (!this.aim.move(dx, dy)) return;
    this.drawAim();
    this.marks.aim.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    announce(this.aimed());
  }

  pickCursor() {
    this.turn(1);
  }

  // -- what the server says -----------------------------------------------------------------------------------------

  /** @type {Board<Observation, Frame>["render"]} */
  render(view, _legal, { animate = false, action = null, frames = null, onLanded = () => {}, ply = 0, par = null } = {}) {
    // Only the par became known: what is in motion goes on.
    if (view === this.view) {
      this.par = par ?? view.par;
      this.drawGauge();
      return;
    }
    this.painter.finish();
    const { view: before, doubling } = this;
    const fresh = !before || before.rows !== view.rows || before.columns !== view.columns || before.rules !== view.rules;
    Object.assign(this, { view, ply, par: par ?? view.par });
    if (fresh) this.build(view);
    this.speak();
    this.marks.showHint(null);
    this.drawAim();
    const half = doubling !== null && animate !== false && action !== doubling.action;
    // On the way to a turn by 180 degrees nothing else is shown.
    if (half) {
      if (frames) queueMicrotask(onLanded);
      return;
    }
    Object.assign(this, { doubling: null, waiting: false });
    const turn = before ? this.turnBetween(animate, action) : null;
    const moves = Boolean(turn && settings.motion && !document.hidden && this.painter.size);
    // Only the end of a game waits until the last block has come to rest.
    const late = moves && !this.playing;
    const landed = () => {
      this.element.classList.remove("turning");
      this.settle(animate === true ? before : null);
      if (frames && late) onLanded();
    };
    this.element.classList.toggle("turning", moves);
    if (turn && moves) this.painter.turn({ ...turn, ...doubling?.rest }, landed);
    else landed();
    if (frames && !late) queueMicrotask(onLanded);
    this.sendNext();
  }

  /** @type {NonNullable<Board<Observation, Frame>["sound"]>} */
  sound(view, before) {
    tone(240, 0.07);
    if (view.finished.length > before.finished.length) risingTone(view.finished.length + 3, 0.08);
  }

  /** What turns visibly on the way from the board before; null when that is no single turn.
   *  @param {boolean | "back"} animate @param {number | null} action */
  turnBetween(animate, action) {
    if (animate === true && action !== null) return this.blocks.turn(action);
    const undone = animate === "back" ? game.history.actions[this.ply] : undefined;
    if (undone === undefined) return null;
    const turn = this.blocks.turn(undone);
    return { ...turn, quarters: 4 - turn.quarters };
  }

  /** The server did not take what was sent. */
  refused() {
    Object.assign(this, { waiting: false, queue: [], clicked: null });
    if (this.doubling === null) return;
    this.doubling = null;
    this.settle(null);
  }

  sendNext() {
    if (this.queue.length) queueMicrotask(() => this.send(sure(this.queue.shift())));
  }

  /** @param {Observation} view */
  build({ rows, columns, rules, cells }) {
    this.palette?.forget();
    this.palette = new Palette(cells, rules === "pairs", () => this.repaint());
    this.blocks = new Blocks(rows, columns, rules);
    this.aim = new Aim(this.blocks);
    this.painter.setBoard(rows, columns, this.palette);
    this.bar?.element.remove();
    this.bar = new Bar({ onTurn: (quarters) => this.turn(quarters), onResize: (by) => this.resize(by), ways: this.blocks.ways, t: this.t });
    this.element.append(this.bar.element);
    this.bar.relabel();
    this.gauge.relabel();
    this.svg.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    this.element.style.setProperty("--ratio", columns / rows);
    this.element.style.setProperty("--columns", columns);
    this.element.style.setProperty("--widest", `${columns * LARGEST_CELL}px`);
    this.fit();
  }

  fit() {
    if (this.view) this.painter.fit(this.field.clientWidth);
  }

  repaint() {
    this.painter.fit(this.field.clientWidth, true);
    this.drawGauge();
  }

  drawGauge() {
    this.gauge.render(this.view, this.palette, this.ply, this.par);
  }

  /** The state as it is, at rest. before: the view that an action led on from. @param {Observation | null} before */
  settle(before) {
    const { view } = this;
    this.painter.show(view.cells, view.clusters, view.finished);
    this.drawGauge();
    if (before) this.flash(view.finished.filter((colour) => !before.finished.includes(colour)));
  }

  /** @param {number[]} colours */
  flash(colours) {
    const shining = new Set(colours);
    const { cells, columns } = this.view;
    this.marks.flash(cells.flatMap((colour, cell) => (shining.has(colour) ? [{ x: cell % columns, y: Math.floor(cell / columns) }] : [])));
  }

  drawAim() {
    if (this.playing) this.marks.showAim(this.aim.concentric(), this.aim.side);
    else this.marks.hideAim();
    this.bar.render(this.aimName(), this.playing);
    this.label();
  }

  aimName() {
    const block = this.aim.block();
    return this.blocks.pairs ? this.blocks.name(block) : this.blocks.name({ ...block, quarters: 1 }).replace(/,1$/, "");
  }

  /** For a screen reader. */
  aimed() {
    const { centreX: x, centreY: y, side } = this.aim;
    const { left, top } = this.aim.block();
    const name = this.blocks.pairs ? this.t("rotate.aimed.cell", { x: left, y: top, side }) : this.t("rotate.aimed", { x, y, side });
    if (side > MOST_READ) return name;
    return this.t("list.pair", { name, value: this.rows(left, top, side, side).join(this.t("list.comma")) });
  }

  /** The signs of a part of the board, row by row.
   *  @param {number} left @param {number} top @param {number} width @param {number} height */
  rows(left, top, width, height) {
    return eachCell(height, 1, (_, row) => eachCell(1, width, (column) => this.palette.of(this.view.cells[(top + row) * this.view.columns + left + column]).sign).join(" "));
  }

  label() {
    const { rows, columns } = this.view;
    this.svg.setAttribute("aria-label", this.t("rotate.board", { rows, columns, aim: this.aimed() }));
  }

  /** The whole board; the aim moves over it far more often than it changes. */
  speak() {
    const { rows, columns } = this.view;
    this.spoken.show(this.t("rotate.cells"), this.rows(0, 0, columns, rows).map((cells, row) => this.t("rotate.row", { n: row + 1, cells })));
  }

  /** @param {number | null} action */
  highlight(action) {
    if (action === null) return this.marks.showHint(null);
    const turn = this.blocks.turn(action);
    this.aim.take(turn);
    this.drawAim();
    this.marks.showHint(turn);
  }

  relabel() {
    this.gauge.relabel();
    this.panel.relabel();
    this.bar?.relabel();
    if (!this.view) return;
    this.label();
    this.speak();
  }

  /** @param {string} name */
  describe(name) {
    const quarters = this.blocks.pairs ? 1 : Number(name.split(",").at(-1));
    return `${name} ${ARROWS[quarters]}`;
  }

  /** By its side, and as the article writes it: by its radius, vertices counted from 0. @param {string} name */
  spell(name) {
    if (this.blocks.pairs) return this.describe(name);
    const [x, y, side, quarters] = name.split(",").map(Number);
    return `${this.describe(name)} · r:${x - 1},${y - 1},${side / 2},${quarters}`;
  }

  /** frames: of the turn that led here, if any. @param {Observation} view @param {Frame[] | null} [frames] */
  status(view, frames = null) {
    const [turn] = frames ?? [];
    const told = turn ? `${this.t(`rotate.told.${turn.quarters}`, { name: this.blocks.name(turn) })} ` : "";
    const now = turn && turn.side <= MOST_READ ? `${this.t("rotate.told.now", { cells: this.rows(turn.left, turn.top, turn.side, turn.side).join(this.t("list.comma")) })} ` : "";
    return told + now + this.t("rotate.status", { excess: this.number(view.excess), score: this.number(view.score), all: this.number(view.cells.length) });
  }

  /** @param {Observation} view @param {number} ply @param {number | null} par */
  stars(view, ply, par) {
    return starsFor(par ?? view.par, ply);
  }

  remaining() {
    return null;
  }

  extras() {
    return [];
  }
}

// The board of 2048. The interface is that of ../board.d.ts. Rules stay on the server: where tiles slide comes with its
// answer. Nobody waits for motion: the next move ends it, and moves made before the last answer has come are kept.

import { on } from "/static/base/bus.js";
import { el, sure, svg } from "/static/base/dom.js";
import { game, send } from "/static/desk/game.js";
import { toggleValues } from "/static/desk/lamp.js";
import { countMoves } from "/static/base/i18n.js";
import { randomSeed } from "/static/desk/newgame.js";
import { announce } from "/static/base/notify.js";
import { copy } from "/static/desk/share.js";
import { actTone, refusedTone, risingTone } from "/static/base/sound.js";
import { bestScore, keepScore, kindOf } from "./best.js";
import { Gauge } from "./gauge.js";
import { listenToSwipes } from "./hands.js";
import { Marks } from "./marks.js";
import { actionOf, MOVES, moveWords } from "./moves.js";
import { readBoard, writeBoard, writeHex } from "./notation.js";
import { caption, drawBoard, Tiles } from "./tiles.js";
/** @import { Frame, Observation } from "./views.js" */
/** @import { Board, BoardModule, BoardPage } from "/static/boards/board.js" */

export { createEditor } from "./editor.js";

const LARGEST_CELL = 116;
const MOST_QUEUED = 4;

/** @type {BoardModule<Observation, Frame>["createBoard"]} */
export const createBoard = (container, page) => new Board2048(container, page);

class Board2048 {
  lettersMove = true;
  /** Of the last render. @type {Observation} */
  view;
  /** @type {Tiles} */
  tiles;
  /** @type {Marks} */
  marks;
  waiting = false;
  /** Moves that were made before the last answer came. @type {number[]} */
  queue = [];
  shone = false;

  /** @param {HTMLElement} container @param {BoardPage} page */
  constructor(container, { onAction, t, number }) {
    this.container = container;
    this.onAction = onAction;
    this.t = t;
    this.number = number;
    this.svg = svg("svg", { class: "board g2048-board", role: "application", tabindex: 0, "data-testid": "board" });
    this.field = el("div", { class: "g2048-field" }, this.svg);
    this.gauge = new Gauge(t, number, { onCopy: () => copy(writeHex(this.view), "2048.copy.done"), onAgain: playAgain, onValues: toggleValues });
    this.element = el("div", { class: "g2048" }, el("div", { class: "g2048-room" }, this.field), this.gauge.element);
    container.append(this.element);
    listenToSwipes(this.field, (dx, dy) => this.moveCursor(dx, dy));
    this.forget = on("error", ({ request }) => request === "act" && this.stopWaiting());
  }

  destroy() {
    this.tiles?.finish();
    this.forget();
    this.container.replaceChildren();
  }

  /** As it lies there: most games begin with nothing that could be edited. */
  codeToEdit() {
    return writeBoard(this.view, sure(readBoard(sure(game.state).code)));
  }

  /** @param {number} dx @param {number} dy */
  moveCursor(dx, dy) {
    this.move(actionOf(dx, dy));
  }

  /** @param {number} action */
  move(action) {
    if (this.waiting) {
      if (this.queue.length < MOST_QUEUED) this.queue.push(action);
      return;
    }
    this.tiles.finish();
    const { legal, status } = this.view;
    if (legal.includes(action)) {
      this.waiting = this.onAction(action) !== false;
      if (!this.waiting) this.queue = [];
      return;
    }
    if (status === "playing") {
      refusedTone();
      announce(this.t("2048.stuck", { move: moveWords(this.t, MOVES[action]) }));
    }
    this.moveOn();
  }

  /** What was asked for while the last move was on its way. */
  moveOn() {
    queueMicrotask(() => !this.waiting && this.queue.length && this.move(sure(this.queue.shift())));
  }

  /** The server did not take what was sent. */
  stopWaiting() {
    Object.assign(this, { waiting: false, queue: [] });
  }

  /** @type {Board<Observation, Frame>["render"]} */
  render(view, _legal, { animate = false, frames = null, onLanded = () => {} } = {}) {
    if (view === this.view) return;
    const before = this.view;
    const ahead = animate === true;
    Object.assign(this, { view, waiting: false });
    if (!ahead) this.queue = [];
    if (!before) this.build();
    this.marks.clear();
    if (ahead) keepScore(sure(game.state), view.score);
    this.drawGauge(ahead ? view.score - before.score : 0);
    // Only the end of a game waits until the last tile has come to rest.
    const over = view.status === "over";
    if (frames) this.tiles.move(before.cells, /** @type {[Frame, Frame]} */ (frames), () => over && onLanded());
    else this.tiles.show(view.cells);
    if (frames && !over) queueMicrotask(onLanded);
    if (ahead && view.reached && !before.reached && !over) this.shine();
    this.label();
    this.moveOn();
  }

  /** @type {NonNullable<Board<Observation, Frame>["sound"]>} */
  sound(_view, _before, frames) {
    const reward = frames?.[0].reward ?? 0;
    if (reward) risingTone(Math.log2(reward));
    else actTone();
  }

  build() {
    const { rows, columns } = this.view;
    this.tiles = new Tiles(drawBoard(this.svg, rows, columns), columns);
    this.marks = new Marks(this.field, this.svg, this.t, this.number);
    this.element.style.setProperty("--ratio", columns / rows);
    this.element.style.setProperty("--widest", `${columns * LARGEST_CELL}px`);
    this.gauge.relabel();
  }

  /** @param {number} gained */
  drawGauge(gained) {
    const { score, moves, goal, reached } = this.view;
    const { history } = game;
    const state = sure(game.state);
    const straight = state.ply === state.length && history.forks.length === 0;
    this.gauge.render({ score, best: bestScore(state.code), moves, goal: goal ? caption(goal) : null, reached }, { straight, gained });
  }

  /** Once in a game: whoever goes back and reaches the goal again knows. */
  shine() {
    if (this.shone) return;
    this.shone = true;
    const goal = caption(this.view.goal);
    this.marks.showGoal(goal);
    announce(`${this.t("2048.reached", { goal })} ${this.t("2048.reached.go-on")}`);
  }

  label() {
    const { rows, columns, cells } = this.view;
    const row = (/** @type {number} */ y) => cells.slice(y * columns, (y + 1) * columns).map(caption).join(" ");
    const lines = Array.from({ length: rows }, (_, y) => this.t("2048.row", { n: y + 1, tiles: row(y) }));
    this.svg.setAttribute("aria-label", [this.t("2048.board", { rows, columns }), ...lines].join(" "));
  }

  /** @param {number | null} action */
  highlight(action) {
    this.marks.showHint(action, this.view);
  }

  /** values: what to expect after each move, {action: number}, until the next render; null takes them away. chances:
   *  they are those to make the goal.
   *  @param {Record<number, number> | null} values @param {boolean} asked @param {boolean} chances */
  showValues(values, asked, chances) {
    this.marks.showValues(values, chances);
    this.gauge.setAsked(asked);
  }

  relabel() {
    this.gauge.relabel();
    if (this.view) this.label();
  }

  /** @param {string} name */
  describe(name) {
    return moveWords(this.t, name);
  }

  /** frames: of the move that led here, if any. @param {Observation} view @param {Frame[] | null} [frames] */
  status(view, frames = null) {
    const { t, number } = this;
    if (!frames) return t("2048.status", { score: number(view.score), largest: caption(Math.max(...view.cells)) });
    const [{ reward }, { cells, appeared: newest }] = frames;
    const appeared = sure(newest);
    const place = { row: Math.floor(appeared / view.columns) + 1, column: (appeared % view.columns) + 1 };
    const gain = reward ? `${t("2048.gain", { n: number(reward) })} ` : "";
    return gain + t("2048.new", { tile: caption(cells[appeared]), ...place });
  }

  /** What the end of a game is called. @param {Observation} view */
  endTitle(view) {
    return view.goal ? this.t(view.reached ? "2048.reached" : "2048.missed", { goal: caption(view.goal) }) : null;
  }

  /** @param {Observation} view */
  result(view) {
    return this.t("2048.result", { score: this.number(view.score), largest: caption(Math.max(...view.cells)), moves: countMoves(view.moves, "2048") });
  }

  remaining() {
    return null;
  }

  extras() {
    return [];
  }
}

/** The same kind of level with other dice. */
function playAgain() {
  send({ type: "new", level: `2048:${kindOf(sure(game.state).code)},dice=${randomSeed()}`, game: "" });
}

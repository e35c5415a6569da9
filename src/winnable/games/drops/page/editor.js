// Drawing a board of drops: 0 to 4 drops in each cell.

import { el, svg } from "/static/base/dom.js";
import { eachCell } from "/static/base/grid.js";
import { Cells, frame, REST } from "./cells.js";
import { FULL, MOST_SIDE, readBoard, RULES, writeBoard } from "./notation.js";
import { LimitedEditor } from "/static/boards/limited-editor.js";
/** @import { Options } from "./notation.js" */
/** @import { Judged } from "/static/base/messages.js" */
/** @import { CellBoard } from "/static/boards/board-editor.js" */
/** @import { BoardModule, EditorPage, EditorVerdict } from "/static/boards/board.js" */

const LARGEST_CELL = 56;
const FIRST_SIDE = 6;
/** The brush that adds a drop; a full cell is empty then. */
const CYCLE = "cycle";

/** @type {Required<BoardModule>["createEditor"]} */
export const createEditor = (container, page) => new DropsEditor(container, page);

/** @extends {LimitedEditor<Options, number | typeof CYCLE>} */
class DropsEditor extends LimitedEditor {
  /** @type {Cells} */
  cells;

  /** @param {HTMLElement} container @param {EditorPage} page */
  constructor(container, page) {
    const board = { rows: FIRST_SIDE, columns: FIRST_SIDE, cells: eachCell(FIRST_SIDE, FIRST_SIDE, () => 0) };
    super(container, page, { game: "drops", notation: { readBoard, writeBoard }, sides: [1, MOST_SIDE], limit: "drops", rules: RULES, ruleWords: "param.rules", board, chosen: CYCLE });
    this.open = el("input", { type: "checkbox", "data-testid": "editor-open", onchange: () => this.onField() });
    this.svg = svg("svg", { role: "group", "data-testid": "editor-board" });
    /** @param {(x: number, y: number) => number} work */
    const anew = (work) => () => eachCell(this.board.rows, this.board.columns, work);
    this.mount(this.svg, this.svg, [this.labelled("drops.editor.open", this.open, "editor-check")], {
      clear: anew(() => 0),
      random: anew(() => Math.floor(Math.random() * (FULL + 1))),
      "mirror-x": anew((x, y) => this.at(Math.min(x, this.board.columns - 1 - x), y)),
      "mirror-y": anew((x, y) => this.at(x, Math.min(y, this.board.rows - 1 - y))),
    });
  }

  /** @param {number} cell */
  next(cell) {
    return this.chosen === CYCLE ? (this.board.cells[cell] + 1) % (FULL + 1) : this.chosen;
  }

  /** @param {CellBoard & Options} read */
  takeOptions(read) {
    super.takeOptions(read);
    this.open.checked = read.open;
  }

  /** @param {number | null} limit */
  options(limit) {
    return { ...super.options(limit), open: this.open.checked };
  }

  frame() {
    const { rows, columns } = this.board;
    frame(this.svg, this.svg, rows, columns, REST, LARGEST_CELL);
    this.cells = new Cells(this.svg, rows, columns);
  }

  /** @returns {(number | typeof CYCLE)[]} */
  choices() {
    return [CYCLE, 0, 1, 2, 3, 4];
  }

  /** @param {number | typeof CYCLE} value */
  brush(value) {
    const text = value === CYCLE ? this.t("drops.editor.cycle") : String(value);
    return { text, label: value === CYCLE ? text : this.t("drops.editor.brush", { n: value }), testid: value };
  }

  drawCells() {
    this.board.cells.forEach((drops, cell) => this.cells.show(cell, drops));
    this.cells.label(this.t, this.board.cells);
    this.svg.setAttribute("aria-label", this.t("drops.editor.board"));
  }

  drawCursor() {
    this.cells.setCursor(this.cursor);
  }

  focusCursor() {
    this.cells.nodes[this.cursor].focus({ preventScroll: true });
  }

  /** @param {string} key */
  valueOf(key) {
    return /^[0-4]$/.test(key) ? Number(key) : null;
  }

  trouble() {
    return this.board.cells.some(Boolean) ? null : this.t("drops.editor.empty");
  }

  /** @param {Judged} judged @returns {EditorVerdict} */
  judge({ cost, lower_bound: lower, optimal, done }) {
    const { t, tn, number } = this;
    const limit = this.limit();
    const [low, high] = [lower ?? 1, cost];
    const few = high === null ? t("drops.editor.least", { n: number(low) }) : optimal ? t("drops.editor.fewest", { n: number(high) }) : t("drops.editor.between", { low: number(low), high: number(high) });
    if (limit === null) return { text: few, kind: optimal ? "good" : "open" };
    if (limit < low) return { text: tn(optimal ? "drops.editor.short" : "drops.editor.short.least", limit, { low: number(optimal ? (high ?? low) : low) }), kind: "bad" };
    if (high !== null && limit >= high) return { text: `${few} ${tn("drops.editor.suffices", limit)}`, kind: "good" };
    return { text: `${few} ${tn(done ? "drops.editor.unknown.late" : "drops.editor.unknown", limit)}`, kind: "open" };
  }
}

// Drawing a wall of tetris, from which a game begins, and the pieces that come first.

import { el, sure, svg } from "/static/base/dom.js";
import { BoardEditor } from "/static/boards/board-editor.js";
import { HEIGHTS, MOST_PIECES, PIECES, readBoard, RULES, WIDTHS, writeBoard } from "./notation.js";
/** @import { Options } from "./notation.js" */
/** @import { BoardModule, EditorPage, EditorVerdict } from "/static/boards/board.js" */

const LARGEST_CELL = 32;
/** @type {Record<string, number>} */
const KEYS = { x: 1, ".": 0, Backspace: 0, Delete: 0 };

/** @type {Required<BoardModule>["createEditor"]} */
export const createEditor = (container, page) => new TetrisEditor(container, page);

/** @extends {BoardEditor<Options>} */
class TetrisEditor extends BoardEditor {
  /** What the text said besides: the row that ends the game, and the seed of the pieces after those that are named.
   *  @type {Pick<Options, "top" | "dice">} */
  carried = { top: null, dice: 0 };
  /** @type {SVGElement[]} */
  squares = [];
  /** @type {SVGElement} */
  cursorMark;

  /** @param {HTMLElement} container @param {EditorPage} page */
  constructor(container, page) {
    super(container, page, { game: "tetris", notation: { readBoard, writeBoard }, sides: WIDTHS, board: sure(readBoard("-")), chosen: 1 });
    [this.rows.min, this.rows.max] = HEIGHTS.map(String);
    const changed = () => this.onField();
    this.ruleNames = el("select", { "data-testid": "editor-rules", onchange: changed }, ...RULES.map((value) => el("option", { value })));
    this.preview = el("input", { type: "checkbox", "data-testid": "editor-preview", onchange: changed });
    this.pieces = el("input", { type: "text", pattern: `[${PIECES}${PIECES.toLowerCase()}]*`, maxlength: MOST_PIECES, spellcheck: "false", autocomplete: "off", autocapitalize: "characters", "data-testid": "editor-pieces", onchange: changed });
    this.queue = el("div", { class: "buttons tetris-pieces", role: "group" },
      ...[...PIECES].map((piece) => el("button", { type: "button", "data-piece": piece, "data-testid": `append-${piece}`, onclick: () => this.append(piece) }, piece)));
    const first = this.labelled("tetris.editor.pieces", this.pieces, "wide");
    this.svg = svg("svg", { class: "tetris-drawing", role: "application", tabindex: 0, "data-testid": "editor-board" });
    const fields = [this.labelled("param.tetris.rules", this.ruleNames), this.labelled("tetris.editor.preview", this.preview, "editor-check")];
    this.mount(this.svg, this.svg, fields, { clear: () => this.board.cells.map(() => 0) });
    container.append(first, this.queue);
  }

  /** @param {Options} options */
  takeOptions({ rules, preview, top, pieces, dice }) {
    this.pieces.value = pieces;
    this.ruleNames.value = rules;
    this.preview.checked = preview;
    this.carried = { top, dice };
  }

  options() {
    const pieces = this.pieces.validity.valid ? this.pieces.value : "";
    return { rules: this.ruleNames.value, preview: this.preview.checked, pieces, ...this.carried };
  }

  takeFields() {
    this.pieces.value = this.pieces.value.toUpperCase();
  }

  /** @param {string} piece */
  append(piece) {
    if (this.pieces.value.length < MOST_PIECES) this.pieces.value += piece;
    this.onField();
  }

  /** The wall stands on the floor: rows come and go at the top. @param {number} rows @param {number} columns */
  resize(rows, columns) {
    this.board.cells = this.board.cells.slice(Math.max(0, this.board.rows - rows) * this.board.columns);
    while (this.board.cells.length < rows * this.board.columns) this.board.cells.unshift(0);
    this.board.rows = rows;
    super.resize(rows, columns);
  }

  /** @param {number} cell */
  next(cell) {
    return this.board.cells[cell] === this.chosen ? 1 - this.chosen : this.chosen;
  }

  frame() {
    const { rows, columns } = this.board;
    this.squares = this.board.cells.map((_, cell) => svg("rect", { x: cell % columns, y: Math.floor(cell / columns), width: 1, height: 1, rx: 0.1 }));
    this.cursorMark = svg("rect", { class: "tetris-cursor", width: 0.9, height: 0.9, rx: 0.1 });
    this.svg.setAttribute("viewBox", `-0.1 -0.1 ${columns + 0.2} ${rows + 0.2}`);
    this.svg.replaceChildren(svg("rect", { class: "tetris-field", width: columns, height: rows }), ...this.squares, this.cursorMark);
    this.svg.style.setProperty("--ratio", columns / rows);
    this.svg.style.setProperty("--widest", `${columns * LARGEST_CELL}px`);
  }

  drawCells() {
    this.squares.forEach((square, cell) => square.setAttribute("class", this.board.cells[cell] ? "tetris-cell tetris-x" : "tetris-empty"));
  }

  drawCursor() {
    const [x, y] = [this.cursor % this.board.columns, Math.floor(this.cursor / this.board.columns)];
    this.cursorMark.setAttribute("x", x + 0.05);
    this.cursorMark.setAttribute("y", y + 0.05);
    const cell = this.t(this.board.cells[this.cursor] ? "tetris.editor.filled" : "tetris.editor.empty");
    this.svg.setAttribute("aria-label", this.t("tetris.editor.board", { row: y + 1, column: x + 1, cell }));
  }

  focusCursor() {
    this.svg.focus({ preventScroll: true });
  }

  choices() {
    return [1, 0];
  }

  /** @param {number} value */
  brush(value) {
    const text = this.t(value ? "tetris.editor.filled" : "tetris.editor.empty");
    return { text, label: text, testid: value ? "filled" : "empty" };
  }

  /** @param {string} key */
  valueOf(key) {
    return KEYS[key] ?? null;
  }

  /** The server refuses what is no level; of others there is nothing to prove. @returns {EditorVerdict} */
  judge() {
    const filled = this.board.cells.filter(Boolean).length;
    return { text: this.t(filled ? "tetris.editor.fine" : "tetris.editor.beginning", { n: this.number(filled) }), kind: "good" };
  }

  relabel() {
    for (const option of this.ruleNames.options) option.textContent = this.t(`param.tetris.rules.${option.value}`);
    for (const button of this.queue.querySelectorAll("button")) button.setAttribute("aria-label", this.t("tetris.editor.append", { piece: button.dataset.piece }));
    this.queue.setAttribute("aria-label", this.t("tetris.editor.pieces"));
    super.relabel();
  }
}

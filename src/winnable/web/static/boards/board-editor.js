// What the editors of boards of cells have in common: fields for the size, brushes, and cells that a click, a finger, a
// drag or a key paints. The interface is Editor of ../board.d.ts; see ../editor.js. limited-editor.js adds rules
// and a limit.
//
// A game's editor extends this class. It must have its own of the methods below "what a game says", and may have its own
// of those below "what a game may say otherwise".

import { hold } from "../base/browser.js";
import { el } from "../base/dom.js";
import { ARROWS, cellUnder, eachCell, stepFrom, wayTo } from "../base/grid.js";
import { isPlain, keyOf } from "../base/keyboard.js";
import { fillRadios, listenToArrows, radio } from "../base/radios.js";
/** @import { Attributes } from "../base/dom.js" */
/** @import { Control } from "../base/fields.js" */
/** @import { Judged } from "../base/messages.js" */
/** @import { EditorPage, EditorVerdict } from "./board.js" */
/**
 * @typedef {{ rows: number, columns: number, cells: number[] }} CellBoard
 * @typedef {{ text: string, label: string, testid: string | number, style?: string }} Look
 */
/**
 * @template Options
 * @typedef {{
 *   readBoard(text: string): (CellBoard & Options) | null,
 *   writeBoard(board: CellBoard, options: Options): string,
 * }} Notation
 */
/**
 * game: its name, with which its words begin. sides: least and most. board: the first one. chosen: the first brush
 * @template Options, Value
 * @typedef {{ game: string, notation: Notation<Options>, sides: [number, number], board: CellBoard, chosen: Value }} Own
 */

/** @returns {never} */
const missing = () => {
  throw new Error("a game's editor has its own");
};

/** Options: what the notation holds besides the cells. Value: of a brush.
 *  @template Options @template {number | string} [Value=number] */
export class BoardEditor {
  /** Name -> button that makes all cells. @type {HTMLElement} */
  tools;
  /** In whose units a cell has the size 1 and the first one begins at (0, 0). @type {SVGSVGElement} */
  drawing;
  /** What the drag under way paints. @type {number | null} */
  painting = null;
  cursor = 0;
  /** The brush. @type {Value} */
  chosen;
  /** Key -> where it stands. @type {Record<string, HTMLElement>} */
  captions = {};

  /** @param {HTMLElement} container @param {EditorPage} page @param {Own<Options, Value>} own */
  constructor(container, { t, tn, number, onChange }, { game, notation, sides, board, chosen }) {
    this.container = container;
    this.t = t;
    this.tn = tn;
    this.number = number;
    this.onChange = onChange;
    this.game = game;
    this.notation = notation;
    this.board = board;
    this.chosen = chosen;
    const [least, most] = sides;
    this.rows = this.numberField("rows", { min: least, max: most, required: true });
    this.columns = this.numberField("columns", { min: least, max: most, required: true });
    this.brushes = el("div", { class: `choices ${game}-brushes`, role: "radiogroup", "data-testid": "editor-brushes" });
    listenToArrows(this.brushes);
  }

  /** @param {string} name @param {Attributes} attributes */
  numberField(name, attributes) {
    return el("input", { type: "number", inputmode: "numeric", step: 1, "data-testid": `editor-${name}`, onchange: () => this.onField(), ...attributes });
  }

  /** key: of the caption. @param {string} key @param {Control} control */
  labelled(key, control, kind = "") {
    return el("label", { class: `field ${kind}` }, (this.captions[key] = el("span", {})), control);
  }

  /** place: what holds the drawing. more: labelled fields of the game's own. tools: name -> the cells that the button so
   *  called makes.
   *  @param {SVGSVGElement} drawing @param {Element} place @param {Element[]} more
   *  @param {Record<string, () => number[]>} tools */
  mount(drawing, place, more, tools) {
    this.drawing = drawing;
    const fields = el("div", { class: "editor-fields" },
      this.labelled("param.columns", this.columns), this.labelled("param.rows", this.rows), ...more);
    this.tools = el("div", { class: "buttons" }, ...Object.entries(tools).map(([name, work]) =>
      el("button", { type: "button", "data-tool": name, "data-testid": `editor-${name}`, onclick: () => this.fill(work()) })));
    this.container.replaceChildren(fields, this.brushes, el("div", { class: "editor-stage" }, place), this.tools);
    drawing.addEventListener("pointerdown", (event) => this.beginPainting(event));
    drawing.addEventListener("pointermove", (event) => this.goOnPainting(event));
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) drawing.addEventListener(type, () => (this.painting = null));
    drawing.addEventListener("keydown", (event) => this.onKey(event));
    this.build();
    this.relabel();
  }

  destroy() {
    this.container.replaceChildren();
  }

  // -- what a game says ---------------------------------------------------------------------------------------------

  /** Makes the drawing for the size of `board`. */
  frame() {}

  drawCells() {}

  drawCursor() {}

  /** Gives the cursor the focus of the page. */
  focusCursor() {}

  /** The values that brushes have. @returns {Value[]} */
  choices() {
    return missing();
  }

  /** How one looks. @param {Value} _value @returns {Look} */
  brush(_value) {
    return missing();
  }

  /** What a key paints; null: nothing. @param {string} _key @returns {number | null} */
  valueOf(_key) {
    return null;
  }

  /** Why the drawing cannot be judged yet; null when it can. @returns {string | null} */
  trouble() {
    return null;
  }

  /** The words for the server's answer. @param {Judged} _judged @returns {EditorVerdict} */
  judge(_judged) {
    return missing();
  }

  /** What the notation holds besides the cells. @returns {Options} */
  options() {
    return missing();
  }

  /** Its own fields take what a text said; the board has taken it already. @param {CellBoard & Options} _read */
  takeOptions(_read) {}

  // -- what a game may say otherwise --------------------------------------------------------------------------------

  /** What a cell holds that was not there before. */
  blank() {
    return 0;
  }

  /** What the chosen brush makes of a cell. @param {number} _cell */
  next(_cell) {
    return /** @type {number} */ (this.chosen);
  }

  /** Its own fields have changed. */
  takeFields() {}

  // -- fields and buttons -------------------------------------------------------------------------------------------

  /** null: nothing, or no number that may stand there. @param {HTMLInputElement} field */
  valueIn(field) {
    return field.value !== "" && field.validity.valid ? Number(field.value) : null;
  }

  onField() {
    this.takeFields();
    const { board } = this;
    const [rows, columns] = [this.valueIn(this.rows), this.valueIn(this.columns)];
    if (rows !== null && columns !== null && (rows !== board.rows || columns !== board.columns)) this.resize(rows, columns);
    this.show();
    this.onChange();
  }

  /** @param {number} x @param {number} y */
  at(x, y) {
    return this.board.cells[y * this.board.columns + x];
  }

  /** @param {number} rows @param {number} columns */
  resize(rows, columns) {
    const { board } = this;
    const cells = eachCell(rows, columns, (x, y) => (x < board.columns && y < board.rows ? this.at(x, y) : this.blank()));
    this.board = { rows, columns, cells };
    this.build();
  }

  /** @param {number[]} cells */
  fill(cells) {
    this.board.cells = cells;
    this.show();
    this.onChange();
  }

  /** @param {Value} value */
  choose(value) {
    this.chosen = value;
    this.drawBrushes();
  }

  // -- painting -----------------------------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  beginPainting(event) {
    const cell = cellUnder(this.drawing, event, this.board);
    if (event.button !== 0 || cell < 0) return;
    event.preventDefault();
    hold(this.drawing, event);
    // A drag paints all its cells alike.
    const value = this.next(cell);
    this.painting = value;
    this.moveTo(cell);
    this.paint([cell], value);
  }

  /** A fast pointer leaves out cells on its way. @param {PointerEvent} event */
  goOnPainting(event) {
    if (this.painting === null) return;
    const cell = cellUnder(this.drawing, event, this.board);
    if (cell < 0 || cell === this.cursor) return;
    const way = wayTo(this.cursor, cell, this.board);
    this.moveTo(cell);
    this.paint(way, this.painting);
  }

  /** @param {number[]} cells @param {number} value */
  paint(cells, value) {
    const all = this.board.cells;
    if (cells.every((cell) => all[cell] === value)) return;
    for (const cell of cells) all[cell] = value;
    this.show();
    this.onChange();
  }

  /** @param {number} cell */
  moveTo(cell) {
    this.cursor = cell;
    this.drawCursor();
    this.focusCursor();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (!isPlain(event)) return;
    const key = keyOf(event);
    const value = key === "Enter" || key === " " ? this.next(this.cursor) : this.valueOf(key);
    if (ARROWS[key]) this.moveTo(stepFrom(this.cursor, ...ARROWS[key], this.board));
    else if (value !== null) this.paint([this.cursor], value);
    else return;
    event.preventDefault();
  }

  // -- drawing ------------------------------------------------------------------------------------------------------

  build() {
    const { rows, columns } = this.board;
    this.rows.value = String(rows);
    this.columns.value = String(columns);
    this.cursor = Math.min(this.cursor, rows * columns - 1);
    this.frame();
    this.show();
  }

  show() {
    this.drawCells();
    this.drawBrushes();
    this.drawCursor();
  }

  drawBrushes() {
    fillRadios(this.brushes, this.choices().map((value) => {
      const { text, label, testid, style } = this.brush(value);
      return radio(value === this.chosen, { "aria-label": label, title: label, "data-testid": `brush-${testid}`, style, onclick: () => this.choose(value) }, text);
    }));
  }

  relabel() {
    const { t, game } = this;
    for (const [key, caption] of Object.entries(this.captions)) caption.textContent = t(key);
    for (const button of this.tools.querySelectorAll("button")) button.textContent = t(`${game}.editor.${button.dataset.tool}`);
    this.brushes.setAttribute("aria-label", t(`${game}.editor.brushes`));
    this.show();
  }

  // -- notation and verdict -----------------------------------------------------------------------------------------

  code() {
    return this.notation.writeBoard(this.board, this.options());
  }

  /** What the server is asked. Empty when this is no board yet. */
  question() {
    return this.trouble() === null ? this.code() : "";
  }

  /** False, and nothing has changed, when the text is no board. @param {string} text */
  read(text) {
    const read = this.notation.readBoard(text);
    if (read === null) return false;
    const { rows, columns, cells } = read;
    this.board = { rows, columns, cells };
    this.takeOptions(read);
    this.build();
    return true;
  }

  /** judged: the last answer, null before the first. @param {Judged | null} judged @returns {EditorVerdict} */
  verdict(judged) {
    const trouble = this.trouble();
    if (trouble !== null) return { text: trouble, kind: "open" };
    return judged ? this.judge(judged) : { text: "", kind: "open" };
  }
}

// What the editors of boards of cells have in common: fields for the size, brushes, and cells that a click, a finger, a
// drag or a key paints. The interface is Editor of ../board.d.ts; see ../editor.js. limited-editor.js adds rules
// and a limit.
//
// A game's editor extends this class. It must have
//   frame()                       makes the drawing for the size of `board`
//   drawCells(), drawCursor()     the cells and the cursor as they are
//   focusCursor()                 gives the cursor the focus of the page
//   choices(), brush(value)       the values that brushes have; how one looks: {text, label, testid, style}
//   valueOf(key)                  what a key paints; null: nothing
//   trouble()                     why the drawing cannot be judged yet; null when it can
//   judge(judged)                 the words for the server's answer: {text, kind}
// and may have its own of the methods below "what a game may say otherwise".

import { el } from "../base/dom.js";
import { ARROWS, cellUnder, eachCell, stepFrom, wayTo } from "../base/grid.js";
import { fillRadios, listenToArrows, radio } from "../base/radios.js";

export class BoardEditor {
  /**
   * words: {t, tn, number, onChange}
   * game: its name, with which its words begin
   * notation: {readBoard, writeBoard}, text <-> {rows, columns, cells, and options}
   * sides: [least, most]
   * board: the first one, {rows, columns, cells}
   * chosen: the first brush
   */
  constructor(container, { t, tn, number, onChange }, { game, notation, sides, board, chosen }) {
    Object.assign(this, { container, t, tn, number, onChange, game, notation, board, chosen });
    Object.assign(this, { painting: null, cursor: 0, captions: {} });
    const [least, most] = sides;
    this.rows = this.numberField("rows", { min: least, max: most, required: true });
    this.columns = this.numberField("columns", { min: least, max: most, required: true });
    this.brushes = el("div", { class: `choices ${game}-brushes`, role: "radiogroup", "data-testid": "editor-brushes" });
    listenToArrows(this.brushes);
  }

  numberField(name, attributes) {
    return el("input", { type: "number", inputmode: "numeric", step: 1, "data-testid": `editor-${name}`, onchange: () => this.onField(), ...attributes });
  }

  /** key: of the caption. */
  labelled(key, control, kind = "") {
    return el("label", { class: `field ${kind}` }, (this.captions[key] = el("span", {})), control);
  }

  /** drawing: an SVG element in whose units a cell has the size 1 and the first one begins at (0, 0). place: what
   *  holds it. more: labelled fields of the game's own. tools: name -> the cells that the button so called makes. */
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

  // -- what a game may say otherwise --------------------------------------------------------------------------------

  /** What a cell holds that was not there before. */
  blank() {
    return 0;
  }

  /** What the chosen brush makes of a cell. */
  next(cell) {
    return this.chosen;
  }

  /** Its own fields have changed. */
  takeFields() {}

  /** Its own fields take what a text said; the board has taken it already. */
  takeOptions(read) {}

  /** What the notation holds besides the cells. */
  options() {
    return {};
  }

  // -- fields and buttons -------------------------------------------------------------------------------------------

  /** null: nothing, or no number that may stand there. */
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

  at(x, y) {
    return this.board.cells[y * this.board.columns + x];
  }

  resize(rows, columns) {
    const { board } = this;
    const cells = eachCell(rows, columns, (x, y) => (x < board.columns && y < board.rows ? this.at(x, y) : this.blank()));
    this.board = { rows, columns, cells };
    this.build();
  }

  fill(cells) {
    this.board.cells = cells;
    this.show();
    this.onChange();
  }

  choose(value) {
    this.chosen = value;
    this.drawBrushes();
  }

  // -- painting -----------------------------------------------------------------------------------------------------

  beginPainting(event) {
    const cell = cellUnder(this.drawing, event, this.board);
    if (event.button !== 0 || cell < 0) return;
    event.preventDefault();
    this.drawing.setPointerCapture(event.pointerId);
    // A drag paints all its cells alike.
    this.painting = this.next(cell);
    this.moveTo(cell);
    this.paint([cell], this.painting);
  }

  /** A fast pointer leaves out cells on its way. */
  goOnPainting(event) {
    const cell = this.painting === null ? -1 : cellUnder(this.drawing, event, this.board);
    if (cell < 0 || cell === this.cursor) return;
    const way = wayTo(this.cursor, cell, this.board);
    this.moveTo(cell);
    this.paint(way, this.painting);
  }

  paint(cells, value) {
    const all = this.board.cells;
    if (cells.every((cell) => all[cell] === value)) return;
    for (const cell of cells) all[cell] = value;
    this.show();
    this.onChange();
  }

  moveTo(cell) {
    this.cursor = cell;
    this.drawCursor();
    this.focusCursor();
  }

  onKey(event) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const value = key === "Enter" || key === " " ? this.next(this.cursor) : this.valueOf(key);
    if (ARROWS[key]) this.moveTo(stepFrom(this.cursor, ...ARROWS[key], this.board));
    else if (value !== null) this.paint([this.cursor], value);
    else return;
    event.preventDefault();
  }

  // -- drawing ------------------------------------------------------------------------------------------------------

  build() {
    const { rows, columns } = this.board;
    this.rows.value = rows;
    this.columns.value = columns;
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
    for (const button of this.tools.children) button.textContent = t(`${game}.editor.${button.dataset.tool}`);
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

  /** False, and nothing has changed, when the text is no board. */
  read(text) {
    const read = this.notation.readBoard(text);
    if (read === null) return false;
    const { rows, columns, cells } = read;
    this.board = { rows, columns, cells };
    this.takeOptions(read);
    this.build();
    return true;
  }

  /** judged: the last answer, null before the first. kind: good, bad or open. */
  verdict(judged) {
    const trouble = this.trouble();
    if (trouble !== null) return { text: trouble, kind: "open" };
    return judged ? this.judge(judged) : { text: "", kind: "open" };
  }
}

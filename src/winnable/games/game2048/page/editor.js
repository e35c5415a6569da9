// Drawing a board of 2048: tiles on a board of any size, the goal, and how often a 4 appears.

import { el, sure, svg } from "/static/base/dom.js";
import { BoardEditor } from "/static/boards/board-editor.js";
import { FOURS, LEAST_SIDE, MOST_SIDE, readBoard, SIGNS, writeBoard } from "./notation.js";
import { caption, drawBoard, shadeOf, Tiles } from "./tiles.js";
/** @import { Options } from "./notation.js" */
/** @import { BoardModule, EditorPage, EditorVerdict } from "/static/boards/board.js" */

const LARGEST_CELL = 64;
/** Exponents of two: of the largest brush, and of the goals. */
const LARGEST = 17;
const LEAST_GOAL = 3;

/** @type {Required<BoardModule>["createEditor"]} */
export const createEditor = (container, page) => new Editor2048(container, page);

/** @extends {BoardEditor<Options>} */
class Editor2048 extends BoardEditor {
  /** @type {Tiles} */
  tiles;
  /** @type {SVGElement} */
  cursorMark;

  /** @param {HTMLElement} container @param {EditorPage} page */
  constructor(container, page) {
    super(container, page, { game: "2048", notation: { readBoard, writeBoard }, sides: [LEAST_SIDE, MOST_SIDE], board: sure(readBoard("-")), chosen: 1 });
    /** The seed of the tiles to come, as the text said. */
    this.dice = 0;
    this.brushes.classList.add("g2048-brushes");
    const changed = () => this.onField();
    this.goal = el("select", { "data-testid": "editor-goal", onchange: changed });
    this.ends = el("input", { type: "checkbox", "data-testid": "editor-ends", onchange: changed });
    this.fours = this.numberField("fours", { min: 0, max: 100, required: true, value: FOURS });
    this.setGoal(null);
    this.svg = svg("svg", { class: "g2048-board", role: "application", tabindex: 0, "data-testid": "editor-board" });
    const fields = [this.labelled("2048.goal", this.goal), this.labelled("2048.editor.ends", this.ends, "editor-check"), this.labelled("param.fours", this.fours)];
    this.mount(this.svg, this.svg, fields, { clear: () => this.board.cells.map(() => 0) });
  }

  /** goal: an exponent, null for none; one that is larger than usual is there to choose, too.
   *  @param {number | null} goal */
  setGoal(goal) {
    const largest = Math.max(LARGEST, goal ?? 0);
    const goals = Array.from({ length: largest - LEAST_GOAL + 1 }, (_, i) => i + LEAST_GOAL);
    this.goal.replaceChildren(el("option", { value: "" }, this.t("2048.editor.no-goal")), ...goals.map((value) => el("option", { value }, caption(value))));
    this.goal.value = String(goal ?? "");
    this.takeFields();
  }

  takeFields() {
    this.ends.disabled = this.goal.value === "";
    if (this.ends.disabled) this.ends.checked = false;
  }

  /** @param {Options} options */
  takeOptions({ goal, ends, fours, dice }) {
    this.setGoal(goal);
    this.ends.checked = ends;
    this.fours.value = String(fours);
    this.dice = dice;
  }

  options() {
    return { goal: this.goal.value === "" ? null : Number(this.goal.value), ends: this.ends.checked, fours: this.valueIn(this.fours) ?? FOURS, dice: this.dice };
  }

  frame() {
    const { rows, columns } = this.board;
    this.tiles = new Tiles(drawBoard(this.svg, rows, columns), columns);
    this.cursorMark = svg("rect", { class: "g2048-cursor", width: 0.92, height: 0.92, rx: 0.08 });
    this.svg.append(this.cursorMark);
    this.svg.style.setProperty("--ratio", columns / rows);
    this.svg.style.setProperty("--widest", `${columns * LARGEST_CELL}px`);
  }

  drawBrushes() {
    super.drawBrushes();
    const choices = this.choices();
    for (const [i, button] of this.brushes.querySelectorAll("button").entries()) button.dataset.shade = String(shadeOf(choices[i]));
  }

  drawCells() {
    this.tiles.show(this.board.cells);
  }

  drawCursor() {
    const [x, y] = [this.cursor % this.board.columns, Math.floor(this.cursor / this.board.columns)];
    this.cursorMark.setAttribute("x", x + 0.04);
    this.cursorMark.setAttribute("y", y + 0.04);
    const tile = caption(this.board.cells[this.cursor]);
    this.svg.setAttribute("aria-label", this.t("2048.editor.board", { row: y + 1, column: x + 1, tile }));
  }

  focusCursor() {
    this.svg.focus({ preventScroll: true });
  }

  /** The tiles of a usual game, and what else is on the board. */
  choices() {
    const usual = Array.from({ length: LARGEST + 1 }, (_, exponent) => exponent);
    return [...new Set([...usual, ...this.board.cells])].sort((a, b) => a - b);
  }

  /** @param {number} exponent */
  brush(exponent) {
    const text = caption(exponent);
    return { text, label: this.t("2048.editor.brush", { tile: text, sign: SIGNS[exponent] }), testid: SIGNS[exponent] };
  }

  /** @param {string} key */
  valueOf(key) {
    const exponent = key.length === 1 ? SIGNS.indexOf(key) : -1;
    return exponent < 0 ? null : exponent;
  }

  /** The server refuses what is no level; of others there is nothing to prove. @returns {EditorVerdict} */
  judge() {
    const { cells } = this.board;
    if (!cells.some(Boolean)) return { text: this.t("2048.editor.beginning"), kind: "good" };
    const sum = cells.reduce((total, exponent) => total + (exponent ? 2 ** exponent : 0), 0);
    return { text: this.t("2048.editor.fine", { sum: this.number(sum) }), kind: "good" };
  }

  relabel() {
    this.setGoal(this.options().goal);
    super.relabel();
  }
}

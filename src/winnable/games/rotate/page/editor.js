// Drawing a board of rotate: colours, or labels of pairs, on a canvas.

import { onResize } from "/static/base/browser.js";
import { el, show, sure, svg } from "/static/base/dom.js";
import { LimitedEditor } from "/static/boards/limited-editor.js";
import { MOST_COLOURS, MOST_SIDE, readBoard, SIGNS, writeBoard } from "./notation.js";
import { Painter } from "./painter.js";
import { Palette } from "./palette.js";
/** @import { Options } from "./notation.js" */
/** @import { Judged } from "/static/base/messages.js" */
/** @import { CellBoard } from "/static/boards/board-editor.js" */
/** @import { BoardModule, EditorPage, EditorVerdict } from "/static/boards/board.js" */

const LARGEST_CELL = 56;
const FIRST = "1112/1322/4332/4432";
const FIRST_COLOURS = 4;
const FIRST_BRUSH = 1;

/** @type {Required<BoardModule>["createEditor"]} */
export const createEditor = (container, page) => new RotateEditor(container, page);

/** @extends {LimitedEditor<Options>} */
class RotateEditor extends LimitedEditor {
  /** @type {Palette} */
  palette;

  /** @param {HTMLElement} container @param {EditorPage} page */
  constructor(container, page) {
    super(container, page, {
      game: "rotate", notation: { readBoard, writeBoard }, sides: [2, MOST_SIDE], limit: "turns",
      rules: ["clusters", "pairs"], ruleWords: "param.rotate.rules", board: sure(readBoard(FIRST)), chosen: FIRST_BRUSH,
    });
    this.colours = FIRST_COLOURS;
    /** A colour, or a label. */
    this.chosen = FIRST_BRUSH;
    this.coloursField = this.numberField("colours", { min: 2, max: MOST_COLOURS, required: true, value: this.colours });
    this.labelField = this.numberField("label", { min: 0, max: (MOST_SIDE * MOST_SIDE) / 2 - 1, required: true, value: this.chosen });
    this.canvas = el("canvas", { class: "rotate-cells", "aria-hidden": "true" });
    this.svg = svg("svg", { class: "rotate-board", role: "application", tabindex: 0, "data-testid": "editor-board" });
    this.field = el("div", { class: "rotate-field" }, this.canvas, this.svg);
    this.painter = new Painter(this.canvas);
    this.mount(this.svg, this.field,
      [this.labelled("param.rotate.colours", this.coloursField), this.labelled("rotate.editor.label", this.labelField)],
      { random: () => shuffled(this.evenCells()), shuffle: () => shuffled(this.board.cells) });
    this.forgetSize = onResize(this.field, () => this.painter.fit(this.field.clientWidth));
  }

  destroy() {
    this.forgetSize();
    this.palette.forget();
    super.destroy();
  }

  get pairs() {
    return this.rules.value === "pairs";
  }

  /** As many of each colour as may be; each label twice. */
  evenCells() {
    const { cells } = this.board;
    const half = Math.ceil(cells.length / 2);
    return cells.map((_, cell) => (this.pairs ? cell % half : 1 + (cell % this.colours)));
  }

  blank() {
    return this.chosen;
  }

  takeFields() {
    this.colours = this.valueIn(this.coloursField) ?? this.colours;
    if (this.pairs) this.chosen = this.valueIn(this.labelField) ?? this.chosen;
    else if (this.chosen > Math.max(this.colours, ...this.board.cells)) this.chosen = 1;
  }

  /** @param {CellBoard & Options} read */
  takeOptions(read) {
    super.takeOptions(read);
    const there = new Set(read.cells);
    if (read.rules === "clusters") this.colours = Math.max(2, Math.min(MOST_COLOURS, there.size));
    if (!there.has(this.chosen)) this.chosen = Math.min(...there);
    this.coloursField.value = String(this.colours);
    this.labelField.value = String(this.chosen);
  }

  frame() {
    const { rows, columns } = this.board;
    this.svg.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    this.field.style.setProperty("--ratio", columns / rows);
    this.field.style.setProperty("--widest", `${columns * LARGEST_CELL}px`);
  }

  /** The colours that can be painted: as many as are wished for, and what is on the board. */
  choices() {
    const wished = this.pairs ? [this.chosen] : Array.from({ length: this.colours }, (_, i) => i + 1);
    return [...new Set([...wished, ...this.board.cells])].sort((a, b) => a - b);
  }

  /** @param {number} colour */
  brush(colour) {
    const { sign, ink } = this.palette.of(colour);
    return { text: sign, label: this.t("rotate.editor.brush", { sign }), testid: sign, style: `background: ${this.palette.fill(colour)}; color: ${ink}` };
  }

  drawCells() {
    const { rows, columns, cells } = this.board;
    this.palette?.forget();
    this.palette = new Palette(this.choices(), this.pairs, () => this.show());
    this.painter.setBoard(rows, columns, this.palette);
    this.painter.fit(this.field.clientWidth);
    this.painter.show(cells, cells, []);
  }

  /** Labels are too many for buttons: they have a field. */
  drawBrushes() {
    this.brushes.hidden = this.pairs;
    show(sure(this.coloursField.parentElement), !this.pairs);
    show(sure(this.labelField.parentElement), this.pairs);
    if (!this.pairs) super.drawBrushes();
  }

  drawCursor() {
    const [x, y] = [this.cursor % this.board.columns, Math.floor(this.cursor / this.board.columns)];
    const box = { x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.1 };
    this.svg.replaceChildren(svg("g", { class: "rotate-frame chosen" }, svg("rect", { class: "casing", ...box }), svg("rect", { class: "light", ...box })));
    this.svg.setAttribute("aria-label", this.t("rotate.editor.board", { x: x + 1, y: y + 1, sign: this.palette.of(this.board.cells[this.cursor]).sign }));
  }

  focusCursor() {
    this.svg.focus({ preventScroll: true });
  }

  /** @param {string} key */
  valueOf(key) {
    const colour = key.length === 1 && !this.pairs ? SIGNS.indexOf(key) : -1;
    return colour < 0 ? null : colour;
  }

  trouble() {
    const counts = new Map();
    for (const colour of this.board.cells) counts.set(colour, (counts.get(colour) ?? 0) + 1);
    if (counts.size < 2) return this.t("rotate.editor.one");
    const odd = this.pairs ? [...counts].find(([, count]) => count !== 2) : undefined;
    if (odd) return this.tn("rotate.editor.odd", odd[1], { label: odd[0] });
    if (!this.pairs && counts.size > MOST_COLOURS) return this.t("rotate.editor.many", { n: this.number(MOST_COLOURS) });
    return null;
  }

  /** @param {Judged} judged @returns {EditorVerdict} */
  judge({ status, cost, lower_bound: lower, optimal, done }) {
    const { t, tn, number } = this;
    const late = done ? ".late" : "";
    const limit = this.limit();
    if (status === "unsolvable") return { text: t("rotate.editor.unsolvable"), kind: "bad" };
    if (cost === null) return { text: lower ? t(`rotate.editor.least${late}`, { n: number(lower) }) : t(`rotate.editor.open${late}`), kind: "open" };
    if (cost === 0) return { text: t("rotate.editor.finished"), kind: "open" };
    const few = optimal ? tn("rotate.editor.fewest", cost) : tn(`rotate.editor.within${late}`, cost);
    if (limit === null) return { text: few, kind: "good" };
    if (limit >= cost) return { text: `${few} ${tn("rotate.editor.suffices", limit)}`, kind: "good" };
    const short = optimal || limit < (lower ?? 0);
    return { text: `${few} ${tn(short ? "rotate.editor.short" : `rotate.editor.unknown${late}`, limit)}`, kind: short ? "bad" : "open" };
  }
}

/** @param {number[]} cells */
function shuffled(cells) {
  const order = [...cells];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

// Drawing a board of rotate: size, rules, turns, and cells painted with a colour by click, touch, drag or key.

import { el, svg } from "../dom.js";
import { MOST_COLOURS, MOST_SIDE, readBoard, SIGNS, writeBoard } from "./rotate-notation.js";
import { Painter } from "./rotate-painter.js";
import { Palette } from "./rotate-palette.js";

const LARGEST_CELL = 56;
const MOST_TURNS = 1_000_000;
const RULES = ["clusters", "pairs"];
const FIRST = "1112/1322/4332/4432";
const FIRST_COLOURS = 4;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function createEditor(container, options) {
  return new RotateEditor(container, options);
}

class RotateEditor {
  constructor(container, { t, tn, number, onChange }) {
    Object.assign(this, { container, t, tn, number, onChange });
    Object.assign(this, { board: readBoard(FIRST), brush: 1, colours: FIRST_COLOURS, painting: false, cursor: 0 });
    this.canvas = el("canvas", { class: "rotate-cells", "aria-hidden": "true" });
    this.svg = svg("svg", { class: "rotate-board editor-rotate", role: "application", tabindex: 0, "data-testid": "editor-board" });
    this.field = el("div", { class: "rotate-field" }, this.canvas, this.svg);
    this.painter = new Painter(this.canvas);
    this.makeFields();
    container.replaceChildren(this.fields, this.brushes, el("div", { class: "editor-stage" }, this.field), this.tools);
    this.svg.addEventListener("pointerdown", (event) => this.beginPainting(event));
    this.svg.addEventListener("pointermove", (event) => this.painting && this.paint(this.cellUnder(event)));
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) this.svg.addEventListener(type, () => (this.painting = false));
    this.svg.addEventListener("keydown", (event) => this.onKey(event));
    this.observer = new ResizeObserver(() => this.painter.fit(this.field.clientWidth));
    this.observer.observe(this.field);
    this.relabel();
    this.build();
  }

  destroy() {
    this.observer.disconnect();
    this.palette.forget();
    this.container.replaceChildren();
  }

  makeFields() {
    const input = (name, attributes) => el("input", { type: "number", inputmode: "numeric", step: 1, "data-testid": `editor-${name}`, onchange: () => this.onField(), ...attributes });
    this.rows = input("rows", { min: 2, max: MOST_SIDE, required: true });
    this.columns = input("columns", { min: 2, max: MOST_SIDE, required: true });
    this.palettes = input("colours", { min: 2, max: MOST_COLOURS, required: true, value: this.colours });
    this.label = input("label", { min: 0, max: (MOST_SIDE * MOST_SIDE) / 2 - 1, required: true, value: this.brush });
    this.turns = input("turns", { min: 0, max: MOST_TURNS });
    this.rules = el("select", { "data-testid": "editor-rules", onchange: () => this.onField() }, ...RULES.map((value) => el("option", { value })));
    this.captions = {};
    const field = (key, control) => el("label", { class: "field" }, (this.captions[key] = el("span", {})), control);
    this.fields = el("div", { class: "editor-fields" }, field("param.columns", this.columns), field("param.rows", this.rows), field("param.rules", this.rules),
      (this.coloursField = field("param.rotate.colours", this.palettes)), (this.labelField = field("rotate.editor.label", this.label)), field("rotate.editor.turns", this.turns));
    this.brushes = el("div", { class: "choices rotate-brushes", role: "radiogroup", "data-testid": "editor-brushes" });
    this.brushes.addEventListener("keydown", (event) => this.onBrushKey(event));
    const tool = (name, work) => el("button", { type: "button", "data-tool": name, "data-testid": `editor-${name}`, onclick: () => this.fill(work()) });
    this.tools = el("div", { class: "buttons" }, tool("random", () => shuffled(this.evenCells())), tool("shuffle", () => shuffled(this.board.cells)));
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

  fill(cells) {
    this.board.cells = cells;
    this.show();
    this.onChange();
  }

  onField() {
    const value = (input) => (input.value !== "" && input.validity.valid ? Number(input.value) : null);
    const [rows, columns] = [value(this.rows), value(this.columns)];
    this.colours = value(this.palettes) ?? this.colours;
    if (this.pairs) this.brush = value(this.label) ?? this.brush;
    else if (this.brush > Math.max(this.colours, ...this.board.cells)) this.brush = 1;
    if (rows !== null && columns !== null && (rows !== this.board.rows || columns !== this.board.columns)) this.resize(rows, columns);
    this.show();
    this.onChange();
  }

  resize(rows, columns) {
    const { board } = this;
    const kept = (x, y) => (x < board.columns && y < board.rows ? board.cells[y * board.columns + x] : this.brush);
    this.board = { rows, columns, cells: Array.from({ length: rows * columns }, (_, cell) => kept(cell % columns, Math.floor(cell / columns))) };
    this.build();
  }

  build() {
    const { rows, columns } = this.board;
    Object.assign(this.rows, { value: rows });
    Object.assign(this.columns, { value: columns });
    this.svg.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    this.field.style.setProperty("--ratio", columns / rows);
    this.field.style.setProperty("--widest", `${columns * LARGEST_CELL}px`);
    this.cursor = Math.min(this.cursor, rows * columns - 1);
    this.show();
  }

  /** The colours that can be painted: as many as are wished for, and what is on the board. */
  choices() {
    const wished = this.pairs ? [this.brush] : Array.from({ length: this.colours }, (_, i) => i + 1);
    return [...new Set([...wished, ...this.board.cells])].sort((a, b) => a - b);
  }

  show() {
    const { rows, columns, cells } = this.board;
    this.palette?.forget();
    this.palette = new Palette(this.choices(), this.pairs, () => this.show());
    this.painter.setBoard(rows, columns, this.palette);
    this.painter.fit(this.field.clientWidth);
    this.painter.show(cells, cells, []);
    this.coloursField.hidden = this.brushes.hidden = this.pairs;
    this.labelField.hidden = !this.pairs;
    this.drawBrushes();
    this.drawCursor();
  }

  drawCursor() {
    const [x, y] = [this.cursor % this.board.columns, Math.floor(this.cursor / this.board.columns)];
    const box = { x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.1 };
    this.svg.replaceChildren(svg("g", { class: "rotate-frame chosen" }, svg("rect", { class: "casing", ...box }), svg("rect", { class: "light", ...box })));
    this.svg.setAttribute("aria-label", this.t("rotate.editor.board", { x: x + 1, y: y + 1, sign: this.palette.of(this.board.cells[this.cursor]).sign }));
  }

  cellUnder({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect();
    const { rows, columns } = this.board;
    const [x, y] = [Math.floor(((clientX - box.left) / box.width) * columns), Math.floor(((clientY - box.top) / box.height) * rows)];
    return x >= 0 && y >= 0 && x < columns && y < rows ? y * columns + x : -1;
  }

  beginPainting(event) {
    if (event.button !== 0) return;
    this.svg.setPointerCapture(event.pointerId);
    this.painting = true;
    this.paint(this.cellUnder(event));
  }

  paint(cell, colour = this.brush) {
    if (cell < 0) return;
    this.cursor = cell;
    if (this.board.cells[cell] === colour) return this.drawCursor();
    this.board.cells[cell] = colour;
    this.show();
    this.onChange();
  }

  onKey(event) {
    const { rows, columns } = this.board;
    const sign = event.key.length === 1 ? SIGNS.indexOf(event.key.toLowerCase()) : -1;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key]) {
      const [dx, dy] = STEPS[event.key];
      const x = Math.max(0, Math.min(columns - 1, (this.cursor % columns) + dx));
      this.cursor = Math.max(0, Math.min(rows - 1, Math.floor(this.cursor / columns) + dy)) * columns + x;
      this.drawCursor();
    } else if (sign >= 0 && !this.pairs) this.paint(this.cursor, sign);
    else if (event.key === "Enter" || event.key === " ") this.paint(this.cursor);
    else return;
    event.preventDefault();
  }

  chooseBrush(colour) {
    this.brush = colour;
    this.drawBrushes();
  }

  onBrushKey(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = this.choices();
    this.chooseBrush(all[(all.indexOf(this.brush) + step + all.length) % all.length]);
    this.brushes.querySelector("[aria-checked=true]").focus();
  }

  drawBrushes() {
    if (this.pairs) return;
    this.brushes.replaceChildren(...this.choices().map((colour) => {
      const { sign, ink } = this.palette.of(colour);
      const chosen = colour === this.brush;
      const label = this.t("rotate.editor.brush", { sign });
      return el("button", { type: "button", role: "radio", "aria-checked": String(chosen), "aria-label": label, title: label, tabindex: chosen ? 0 : -1, "data-testid": `brush-${sign}`, style: `background: ${this.palette.fill(colour)}; color: ${ink}`, onclick: () => this.chooseBrush(colour) }, sign);
    }));
  }

  relabel() {
    const { t } = this;
    for (const [key, caption] of Object.entries(this.captions)) caption.textContent = t(key);
    this.turns.placeholder = t("rotate.editor.unlimited");
    for (const option of this.rules.children) option.textContent = t(`param.rotate.rules.${option.value}`);
    for (const button of this.tools.children) button.textContent = t(`rotate.editor.${button.dataset.tool}`);
    this.brushes.setAttribute("aria-label", t("rotate.editor.brushes"));
    if (this.palette) this.show();
  }

  limit() {
    return this.turns.value !== "" && this.turns.validity.valid ? Number(this.turns.value) : null;
  }

  code() {
    return writeBoard(this.board, { rules: this.rules.value, turns: this.limit() });
  }

  /** What the server is asked: the fewest turns, however many there are. Empty when this is no board yet. */
  question() {
    return this.trouble() ? "" : writeBoard(this.board, { rules: this.rules.value, turns: null });
  }

  /** What a board must have before it can be judged; null when it has all. */
  trouble() {
    const counts = new Map();
    for (const colour of this.board.cells) counts.set(colour, (counts.get(colour) ?? 0) + 1);
    if (counts.size < 2) return this.t("rotate.editor.one");
    const odd = this.pairs ? [...counts].find(([, count]) => count !== 2) : undefined;
    if (odd) return this.tn("rotate.editor.odd", odd[1], { label: odd[0] });
    if (!this.pairs && counts.size > MOST_COLOURS) return this.t("rotate.editor.many", { n: this.number(MOST_COLOURS) });
    return null;
  }

  /** False, and nothing has changed, when the text is no board. */
  read(text) {
    const board = readBoard(text);
    if (board === null) return false;
    const { rules, turns, ...cells } = board;
    this.board = cells;
    this.rules.value = rules;
    this.turns.value = turns ?? "";
    const there = new Set(cells.cells);
    if (rules === "clusters") this.colours = Math.max(2, Math.min(MOST_COLOURS, there.size));
    if (!there.has(this.brush)) this.brush = Math.min(...there);
    this.palettes.value = this.colours;
    this.label.value = this.brush;
    this.build();
    return true;
  }

  /** judged: the last answer, null before the first. kind: good, bad or open. */
  verdict(judged) {
    const { t, tn, number } = this;
    const trouble = this.trouble();
    if (trouble) return { text: trouble, kind: "open" };
    if (!judged) return { text: "", kind: "open" };
    const { status, cost, lower_bound: lower, optimal } = judged;
    if (status === "unsolvable") return { text: t("rotate.editor.unsolvable"), kind: "bad" };
    if (cost === null) return { text: lower ? t("rotate.editor.least", { n: number(lower) }) : t("rotate.editor.open"), kind: "open" };
    if (cost === 0) return { text: t("rotate.editor.finished"), kind: "open" };
    const few = optimal ? tn("rotate.editor.fewest", cost) : tn("rotate.editor.within", cost);
    const limit = this.limit();
    if (limit === null) return { text: few, kind: "good" };
    if (limit >= cost) return { text: `${few} ${tn("rotate.editor.suffices", limit)}`, kind: "good" };
    const short = optimal || limit < (lower ?? 0);
    return { text: `${few} ${tn(short ? "rotate.editor.short" : "rotate.editor.unknown", limit)}`, kind: short ? "bad" : "open" };
  }
}

function shuffled(cells) {
  const order = [...cells];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

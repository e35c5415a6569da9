// Drawing a board of drops: size, rules, drops, and cells set by click, touch, drag or the keys 0 to 4.

import { el, svg } from "../dom.js";
import { cellLabel, makeAxes, makeCell, MARGIN, pool, REST, showDrops } from "./drops-cells.js";

const MOST_SIDE = 32;
const MOST_DROPS = 1_000_000;
const FULL = 4;
const LARGEST_CELL = 56;
const RULES = ["classic", "snappers", "symmetric", "half"];
const FIRST = { rows: 6, columns: 6 };
const CYCLE = "cycle";
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function createEditor(container, options) {
  return new DropsEditor(container, options);
}

class DropsEditor {
  constructor(container, { t, tn, number, onChange }) {
    Object.assign(this, { container, t, tn, number, onChange });
    this.board = { ...FIRST, cells: new Array(FIRST.rows * FIRST.columns).fill(0) };
    this.brush = CYCLE;
    this.painting = null;
    this.cursor = 0;
    this.svg = svg("svg", { class: "editor-board", role: "group", "data-testid": "editor-board" });
    this.makeFields();
    container.replaceChildren(this.fields, this.brushes, el("div", { class: "editor-stage" }, this.svg), this.tools);
    this.svg.addEventListener("pointerdown", (event) => this.beginPainting(event));
    this.svg.addEventListener("pointermove", (event) => this.paintTo(event));
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) this.svg.addEventListener(type, () => (this.painting = null));
    this.svg.addEventListener("keydown", (event) => this.onKey(event));
    this.relabel();
    this.build();
  }

  destroy() {
    this.container.replaceChildren();
  }

  makeFields() {
    const input = (name, attributes) => el("input", { type: "number", inputmode: "numeric", step: 1, "data-testid": `editor-${name}`, onchange: () => this.onField(), ...attributes });
    this.rows = input("rows", { min: 1, max: MOST_SIDE, required: true });
    this.columns = input("columns", { min: 1, max: MOST_SIDE, required: true });
    this.drops = input("drops", { min: 0, max: MOST_DROPS });
    this.rules = el("select", { "data-testid": "editor-rules", onchange: () => this.onField() }, ...RULES.map((value) => el("option", { value })));
    this.open = el("input", { type: "checkbox", "data-testid": "editor-open", onchange: () => this.onField() });
    this.captions = {};
    const field = (key, control, kind = "field") => el("label", { class: kind }, (this.captions[key] = el("span", {})), control);
    this.fields = el("div", { class: "editor-fields" },
      field("param.columns", this.columns), field("param.rows", this.rows), field("drops.editor.drops", this.drops),
      field("param.rules", this.rules), field("drops.editor.open", this.open, "field editor-check"));
    const brush = (value) => el("button", { type: "button", role: "radio", "data-brush": value, "data-testid": `brush-${value}`, onclick: () => this.chooseBrush(value) });
    this.brushes = el("div", { class: "choices brushes", role: "radiogroup" }, ...[CYCLE, 0, 1, 2, 3, 4].map(brush));
    this.brushes.addEventListener("keydown", (event) => this.onBrushKey(event));
    const tool = (name, work) => el("button", { type: "button", "data-tool": name, "data-testid": `editor-${name}`, onclick: () => this.change(work) });
    this.tools = el("div", { class: "buttons" },
      tool("clear", () => 0), tool("random", () => Math.floor(Math.random() * (FULL + 1))),
      tool("mirror-x", (x, y) => this.at(Math.min(x, this.board.columns - 1 - x), y)),
      tool("mirror-y", (x, y) => this.at(x, Math.min(y, this.board.rows - 1 - y))));
  }

  at(x, y) {
    return this.board.cells[y * this.board.columns + x];
  }

  /** Each cell anew: work(x, y) says what it holds. */
  change(work) {
    const { columns, cells } = this.board;
    this.board.cells = cells.map((_, cell) => work(cell % columns, Math.floor(cell / columns)));
    this.show();
    this.onChange();
  }

  onField() {
    const side = (input) => (input.value !== "" && input.validity.valid ? Number(input.value) : null);
    const [rows, columns] = [side(this.rows), side(this.columns)];
    if (rows !== null && columns !== null && (rows !== this.board.rows || columns !== this.board.columns)) this.resize(rows, columns);
    this.onChange();
  }

  resize(rows, columns) {
    const kept = (x, y) => (x < this.board.columns && y < this.board.rows ? this.at(x, y) : 0);
    const cells = Array.from({ length: rows * columns }, (_, cell) => kept(cell % columns, Math.floor(cell / columns)));
    this.board = { rows, columns, cells };
    this.build();
  }

  build() {
    const { rows, columns } = this.board;
    this.rows.value = rows;
    this.columns.value = columns;
    const [width, height] = [columns + MARGIN + REST, rows + MARGIN + REST];
    this.svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${width} ${height}`);
    this.svg.style.maxWidth = `${Math.round(width * LARGEST_CELL)}px`;
    this.svg.style.setProperty("--ratio", width / height);
    this.nodes = this.board.cells.map((_, cell) => makeCell(cell, columns));
    const { x, y } = makeAxes(rows, columns);
    this.svg.replaceChildren(pool(rows, columns), ...x, ...y, ...this.nodes);
    this.cursor = Math.min(this.cursor, this.nodes.length - 1);
    this.nodes[this.cursor].setAttribute("tabindex", 0);
    this.show();
  }

  show() {
    this.nodes.forEach((node, cell) => {
      showDrops(node, this.board.cells[cell]);
      node.setAttribute("aria-label", cellLabel(this.t, cell, this.board.columns, this.board.cells[cell]));
    });
  }

  set(cell, drops) {
    if (this.board.cells[cell] === drops) return;
    this.board.cells[cell] = drops;
    this.show();
    this.onChange();
  }

  /** The cell under the pointer, also while it is captured; -1 outside. */
  cellUnder({ clientX, clientY }) {
    const node = document.elementFromPoint(clientX, clientY)?.closest?.(".editor-board .cell");
    return node ? Number(node.dataset.cell) : -1;
  }

  next(cell) {
    return this.brush === CYCLE ? (this.board.cells[cell] + 1) % (FULL + 1) : this.brush;
  }

  beginPainting(event) {
    const cell = this.cellUnder(event);
    if (event.button !== 0 || cell < 0) return;
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
    this.painting = this.next(cell);
    this.setCursor(cell);
    this.set(cell, this.painting);
  }

  paintTo(event) {
    const cell = this.painting === null ? -1 : this.cellUnder(event);
    if (cell >= 0) this.set(cell, this.painting);
  }

  setCursor(cell) {
    this.nodes[this.cursor]?.setAttribute("tabindex", -1);
    this.cursor = cell;
    this.nodes[cell].setAttribute("tabindex", 0);
    this.nodes[cell].focus({ preventScroll: true });
  }

  onKey(event) {
    const { rows, columns } = this.board;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key]) {
      const [dx, dy] = STEPS[event.key];
      const x = Math.max(0, Math.min(columns - 1, (this.cursor % columns) + dx));
      const y = Math.max(0, Math.min(rows - 1, Math.floor(this.cursor / columns) + dy));
      this.setCursor(y * columns + x);
    } else if (/^[0-4]$/.test(event.key)) this.set(this.cursor, Number(event.key));
    else if (event.key === "Enter" || event.key === " ") this.set(this.cursor, this.next(this.cursor));
    else return;
    event.preventDefault();
  }

  chooseBrush(value) {
    this.brush = value;
    this.drawBrushes();
  }

  onBrushKey(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [CYCLE, 0, 1, 2, 3, 4];
    this.chooseBrush(all[(all.indexOf(this.brush) + step + all.length) % all.length]);
    this.brushes.querySelector("[aria-checked=true]").focus();
  }

  drawBrushes() {
    for (const button of this.brushes.children) {
      const value = button.dataset.brush;
      const chosen = String(this.brush) === value;
      button.textContent = value === CYCLE ? this.t("drops.editor.cycle") : value;
      button.setAttribute("aria-label", value === CYCLE ? this.t("drops.editor.cycle") : this.t("drops.editor.brush", { n: value }));
      button.setAttribute("aria-checked", chosen);
      button.setAttribute("tabindex", chosen ? 0 : -1);
    }
  }

  relabel() {
    const { t } = this;
    for (const [key, caption] of Object.entries(this.captions)) caption.textContent = t(key);
    this.drops.placeholder = t("drops.editor.unlimited");
    for (const option of this.rules.children) option.textContent = t(`param.rules.${option.value}`);
    for (const button of this.tools.children) button.textContent = t(`drops.editor.${button.dataset.tool}`);
    this.brushes.setAttribute("aria-label", t("drops.editor.brushes"));
    this.svg.setAttribute("aria-label", t("drops.editor.board"));
    this.drawBrushes();
    if (this.nodes) this.show();
  }

  /** How many drops there are; null: as many as it takes. */
  limit() {
    return this.drops.value !== "" && this.drops.validity.valid ? Number(this.drops.value) : null;
  }

  /** The notation; `limited` with the number of drops. */
  write(limited) {
    const { rows, columns, cells } = this.board;
    const lines = Array.from({ length: rows }, (_, y) => cells.slice(y * columns, (y + 1) * columns).join(""));
    const options = [
      this.rules.value === RULES[0] ? [] : [`rules=${this.rules.value}`],
      limited && this.limit() !== null ? [`drops=${this.limit()}`] : [],
      this.open.checked ? ["open"] : [],
    ];
    return [lines.join("/"), ...options.flat()].join(",");
  }

  code() {
    return this.write(true);
  }

  /** What the server is asked: the fewest clicks, however many drops there are. Empty when there is nothing. */
  question() {
    return this.board.cells.some(Boolean) ? this.write(false) : "";
  }

  /** False, and nothing has changed, when the text is no board. A board of the endless game is taken as a single one. */
  read(text) {
    const [head, ...options] = text.replace(/\s+/g, "").split(",");
    const lines = head.split("/");
    const fits = lines.length <= MOST_SIDE && lines.every((line) => /^[0-4]{1,32}$/.test(line) && line.length === lines[0].length);
    const given = new Map(options.map((option) => option.split("=")));
    const flash = given.delete("flash");
    const [rules, drops] = [given.get("rules") ?? RULES[0], flash ? undefined : given.get("drops")];
    const known = [...given.keys()].every((key) => ["rules", "drops", "open"].includes(key)) && given.size + flash === options.length;
    if (!fits || !known || !RULES.includes(rules) || !/^\d{0,6}$/.test(drops ?? "") || (given.get("open") ?? "") !== "") return false;
    this.board = { rows: lines.length, columns: lines[0].length, cells: [...lines.join("")].map(Number) };
    this.rules.value = rules;
    this.drops.value = drops ?? "";
    this.open.checked = given.has("open");
    this.build();
    return true;
  }

  /** judged: the last answer, null before the first. kind: good, bad or open. */
  verdict(judged) {
    const { t, tn, number } = this;
    if (!this.question()) return { text: t("drops.editor.empty"), kind: "open" };
    if (!judged) return { text: "", kind: "open" };
    const { cost, lower_bound: lower, optimal } = judged;
    const limit = this.limit();
    const [low, high] = [lower ?? 1, cost];
    const few = optimal ? t("drops.editor.fewest", { n: number(high) }) : high === null ? t("drops.editor.least", { n: number(low) }) : t("drops.editor.between", { low: number(low), high: number(high) });
    if (limit === null) return { text: few, kind: optimal ? "good" : "open" };
    if (limit < low) return { text: tn(optimal ? "drops.editor.short" : "drops.editor.short.least", limit, { low: number(optimal ? high : low) }), kind: "bad" };
    if (high !== null && limit >= high) return { text: `${few} ${tn("drops.editor.suffices", limit)}`, kind: "good" };
    return { text: `${few} ${tn("drops.editor.unknown", limit)}`, kind: "open" };
  }
}
